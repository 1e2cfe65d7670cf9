/** A file that a thread makes is what this thread would make; other formats than CSV are a slow test. */
import { expect, test } from "bun:test";
import { exporter } from "../../../src/snapshot/export/thread.ts";
import { counted, exportsOfAll } from "./threads.ts";

const { dataset, many, expectSameBytes, expectRowsOpenHere } = exportsOfAll();

test.each(["csv"])(
  "three exports at once as %s are the same bytes, made in two threads and here; few rows start none",
  expectSameBytes,
);

test("a reader who leaves makes room", async () => {
  const { exported, started, ended } = counted();
  for (let time = 1; time <= 3; time++) {
    const pieces = exported(dataset, many, "csv", "execucomp");
    expect((await pieces.next()).done).toBe(false);
    await pieces.return(undefined);
    expect([started(), ended()]).toEqual([time, time]);
  }
});

test("a thread that fails in the middle ends no file as if it were whole", async () => {
  const thread = new EventTarget();
  const answers = [{ piece: new Uint8Array([65]) }, { error: "the disk fails" }];
  const ended: string[] = [];
  const answer = () => thread.dispatchEvent(new MessageEvent("message", { data: answers.shift() }));
  // All of a thread that an export uses.
  const worker = Object.assign(thread, {
    postMessage: (message: unknown) => void (message === "next" && setImmediate(answer)),
    unref() {},
    terminate: () => void ended.push("ended"),
  }) as unknown as Worker;
  const pieces = exporter(() => worker)(dataset, many, "csv", "execucomp");
  expect((await pieces.next()).value).toEqual(new Uint8Array([65]));
  await expect(pieces.next()).rejects.toThrow("the disk fails");
  expect(ended).toEqual(["ended"]);
});

test.each(["replaced", "removed"] as const)(
  "a file that was %s since: the rows are those that are open here",
  (what) => expectRowsOpenHere(what, ["csv"]),
);
