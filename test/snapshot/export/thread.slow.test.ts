import { test } from "bun:test";
import { STREAMED_FORMATS } from "../../../src/snapshot/export/selected.ts";
import { exportsOfAll } from "./threads.ts";

const { expectSameBytes, expectRowsOpenHere } = exportsOfAll();

const OTHERS = STREAMED_FORMATS.filter((format) => format !== "csv");

test.each(OTHERS)(
  "three exports at once as %s are the same bytes, made in two threads and here; few rows start none",
  expectSameBytes,
);

test.each(["replaced", "removed"] as const)(
  "a file that was %s since: the rows are those that are open here",
  (what) => expectRowsOpenHere(what, OTHERS),
);
