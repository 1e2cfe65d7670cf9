import { expect, test } from "bun:test";
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
const run = (...words: string[]) =>
  cli(...words, { environment: { EXECCOMP_DATA_DIR: join(folder, "data") } });

test.skipIf(process.platform === "win32")(
  "a pipe is never replaced by a file: results are written to it, an export is refused",
  async () => {
    const pipe = join(folder, "pipe");
    expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
    const refused = await run("data", "export", "--format", "csv", "--out", pipe);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is not a regular file")]);
    const reader = Bun.spawn(["cat", pipe], { stdout: "pipe" });
    const answered = await run("find", "apple", "--format", "json", "--out", pipe);
    expect(answered.code).toBe(0);
    expect(JSON.parse(await new Response(reader.stdout).text())).toHaveProperty("companies");
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(existsSync(`${pipe}.part`)).toBe(false);
  },
);
