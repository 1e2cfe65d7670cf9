import { test } from "bun:test";
import { STREAMED_FORMATS } from "../../../src/analysis/export/pieces.ts";
import { exportsOfAll } from "./threads.ts";

const { expectSameBytes, expectRowsOpenHere } = exportsOfAll();

const OTHERS = STREAMED_FORMATS.filter((format) => format !== "csv");

test.each(OTHERS)(
  "three concurrent exports as %s are identical, made in two threads and here; few rows start no thread",
  expectSameBytes,
);

test.each(["replaced", "removed"] as const)(
  "if the file was %s, the rows are those of the open dataset",
  (what) => expectRowsOpenHere(what, OTHERS),
);
