import { expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { MAX_WORK, Work } from "../../src/reader/work.ts";
import { HEAD, read, row, table } from "../support/small-table.ts";
import { filingsAbsent, goldDocuments } from "../support/excerpts.ts";

const absent = filingsAbsent();

/** What reading a document spends. */
function spentBy(body: string): number {
  const work = new Work();
  parseFiling(new TextEncoder().encode(body), {}, work);
  return work.spent;
}

test.skipIf(absent !== null)(`no filing spends a tenth of the bound ${absent ?? ""}`, () => {
  const spent = goldDocuments().map(({ text }) => spentBy(text));
  expect(Math.max(...spent)).toBeLessThan(MAX_WORK / 10);
  expect(Math.min(...spent)).toBeGreaterThan(0);
});

const GOOD = table(
  row(...HEAD),
  row("Ann Example<br>Chief Executive Officer", 2020, "100", "—", "—", "1", "101"),
);

test.each([
  [
    "tables in tables, each with the headers of pay",
    `${"<table><tr><td>salary total 2020".repeat(60)}${GOOD}${"x ".repeat(1_500_000)}`,
  ],
  [
    "hidden elements that never close",
    `${GOOD}${'<div style="display:none">'.repeat(5000)}${"<div>".repeat(50_000)}`,
  ],
])("%s: refused as too costly", (_, body) => {
  expect(read(body).reason).toBe("too_costly");
});

test("two megabytes of designations are read", () => {
  const designations = "Ann Example, our principal executive officer, our principal financial officer, ";
  expect(read(`${GOOD}<p>${designations.repeat(25_000)}</p>`).status).toBe("parsed");
});
