import { expect, test } from "bun:test";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { type Listener, NO_LISTENER, serverBehind } from "../../src/server/app.ts";
import { takeOver } from "../../src/cli/server/take-over.ts";
import { OperatorError } from "../../src/errors.ts";
import { FolderInUseError } from "../../src/store/folder.ts";

/** A listener that records its calls. */
function recorded(done: string[]): Listener {
  return {
    ...NO_LISTENER,
    port: 0,
    answerWith() {},
    renewCertificate: () => Promise.resolve(),
    publish() {
      done.push("published");
      return () => done.push("taken back");
    },
    stop: () => Promise.resolve(void done.push("stopped")),
  };
}

/** A folder that becomes free after a number of attempts. */
function folderFreeAfter(tries: number, done: string[]) {
  let left = tries;
  return {
    acquire() {
      if (left-- > 0) throw new FolderInUseError("in use");
      done.push("acquired");
    },
    release() {},
  };
}

test("it listens first, then the previous server is asked to stop, then its folder is locked", async () => {
  const done: string[] = [];
  await takeOver(recorded(done), 77, folderFreeAfter(3, done), (process) => done.push(`ended ${process}`));
  expect(done).toEqual(["published", "ended 77", "acquired"]);
});

test("a free folder has no server to stop, whatever process id a dead one left", async () => {
  const done: string[] = [];
  await takeOver(recorded(done), 77, folderFreeAfter(0, done), (process) => done.push(`ended ${process}`));
  expect(done).toEqual(["published", "acquired"]);
});

test("a process is the previous server only if something listens behind the link", async () => {
  const link = join(tempFolder(), "http.sock");
  // A process that has nothing to do with it.
  const { ppid } = process;
  symlinkSync(`http.sock.${ppid}`, link);
  expect(await serverBehind(link)).toBeNull();
  writeFileSync(`${link}.${ppid}`, "");
  expect(await serverBehind(link)).toBeNull();
  rmSync(`${link}.${ppid}`);
  using listening = Bun.listen({ unix: `${link}.${ppid}`, socket: { data() {} } });
  expect([await serverBehind(link), listening.unix]).toEqual([ppid, `${link}.${ppid}`]);
});

test("an unusable folder is reported, and a process that has already ended is ignored", async () => {
  const done: string[] = [];
  await takeOver(recorded(done), 77, folderFreeAfter(2, done), () => {
    throw new Error("ESRCH");
  });
  expect(done).toEqual(["published", "acquired"]);
  const broken = {
    acquire() {
      throw new OperatorError("read-only");
    },
    release() {},
  };
  const undone: string[] = [];
  const taking = takeOver(recorded(undone), null, broken, () => {});
  await expect(taking).rejects.toThrow("read-only");
  expect(undone).toEqual(["published", "taken back", "stopped"]);
});
