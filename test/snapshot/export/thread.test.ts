/** A file that a thread makes is what this thread would make; other formats than CSV are a slow test. */
import { expect, test } from "bun:test";
import { counted, exportsOfAll } from "./threads.ts";

const { dataset, many, expectSameBytes, expectRowsOpenHere } = exportsOfAll();

test.each(["csv"])(
  "three exports at once as %s are the same bytes, made in two threads and here; few rows start none",
  expectSameBytes,
);

test("a reader who leaves makes room", async () => {
  const { exported, started } = counted();
  for (let time = 1; time <= 3; time++) {
    const pieces = exported(dataset, many, "csv", "execucomp");
    expect((await pieces.next()).done).toBe(false);
    await pieces.return(undefined);
    expect(started()).toBe(time);
  }
});

test.each(["replaced", "removed"] as const)(
  "a file that was %s since: the rows are those that are open here",
  (what) => expectRowsOpenHere(what, ["csv"]),
);
