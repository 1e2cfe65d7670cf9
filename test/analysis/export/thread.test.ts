/** A file made by a thread equals one made here; formats other than CSV are in a slow test. */
import { expect, test } from "bun:test";
import { exporter } from "../../../src/analysis/export/thread.ts";
import { counted, exportsOfAll } from "./threads.ts";

const { dataset, many, expectSameBytes, expectRowsOpenHere } = exportsOfAll();

test.each(["csv"])(
  "three concurrent exports as %s are identical, made in two threads and here; few rows start no thread",
  expectSameBytes,
);

test("a client that disconnects makes room", async () => {
  const { exported, started, ended } = counted();
  for (let time = 1; time <= 3; time++) {
    const pieces = exported(dataset, many, "csv", "execucomp");
    expect((await pieces.next()).done).toBe(false);
    await pieces.return(undefined);
    expect([started(), ended()]).toEqual([time, time]);
  }
});

test.each([
  ["reports an error", new MessageEvent("message", { data: { error: "the disk fails" } })],
  ["dies", new ErrorEvent("error", { message: "the disk fails" })],
])("if a thread %s in the middle, the file does not end as if it were complete", async (_, failure) => {
  const thread = new EventTarget();
  const events: Event[] = [new MessageEvent("message", { data: { piece: new Uint8Array([65]) } }), failure];
  const ended: string[] = [];
  const answer = () => thread.dispatchEvent(events.shift() ?? new Event("none"));
  // The part of a thread that an export uses.
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
  "if the file was %s, the rows are those of the open dataset",
  (what) => expectRowsOpenHere(what, ["csv"]),
);
