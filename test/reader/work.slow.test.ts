import { expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { MAX_WORK, Work } from "../../src/reader/work.ts";
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
