/** Several processes that write a snapshot in one data folder, and one that is killed. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { readInstalled } from "../../src/dataset/installed.ts";
import { smallFolder } from "./runs.ts";

const CHILD = join(import.meta.dir, "..", "support", "commit-child.ts");
/** Starts a process as the first one of its own, as in a container: with the id 1. */
const AS_FIRST = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child"];
const canBeFirst =
  Bun.which("unshare") !== null && Bun.spawnSync([...AS_FIRST, "true"], { stderr: "ignore" }).success;
if (!canBeFirst) console.log("not as process 1: this user may not start processes in a namespace");

function commit(folder: string, how: "hold" | "commit") {
  const first = canBeFirst ? AS_FIRST : [];
  return Bun.spawn([...first, process.execPath, CHILD, folder, how], { stdout: "pipe", stderr: "inherit" });
}

test("one process writes at a time; one that is killed while it writes keeps nobody waiting", async () => {
  using folder = smallFolder();
  const before = readInstalled(folder.path).current;
  if (before === null) throw new Error("nothing is installed");
  const holder = commit(folder.path, "hold");
  for await (const said of holder.stdout.pipeThrough(new TextDecoderStream())) if (said !== "") break;
  const waiting = commit(folder.path, "commit");
  expect([await waiting.exited, await new Response(waiting.stdout).text()]).toEqual([3, ""]);
  expect(readInstalled(folder.path).current).toEqual(before);

  holder.kill("SIGKILL");
  await holder.exited;
  const next = commit(folder.path, "commit");
  expect([await next.exited, await new Response(next.stdout).text()]).toEqual([0, "commit\n1\n"]);
  expect(readInstalled(folder.path).previous).toEqual([before]);
});
