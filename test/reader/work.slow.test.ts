import { expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { MAX_WORK, Work } from "../../src/reader/parsed-filing.ts";
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

const OFFICER = row("Ann Example<br>Chief Executive Officer", 2020, "100", "—", "—", "1", "101");
const GOOD = table(row(...HEAD), OFFICER);
const bytesOf = (body: string): Uint8Array => new TextEncoder().encode(body);

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

test("the bound is one for all documents of a large submission, and what is spent grows with a document, not with its square", () => {
  const rows = `<table>${row(...HEAD)}${OFFICER.repeat(200)}</table>`;
  const document = `<DOCUMENT>\n<TYPE>DEF 14A\n<TEXT><p>Realized Pay</p>${rows}</TEXT></DOCUMENT>\n`;
  expect(spentBy(document.repeat(12))).toBeGreaterThan(8 * spentBy(document));
  const limited = parseFiling(bytesOf(document.repeat(12)), {}, new Work(4 * spentBy(document)));
  expect(limited.reason).toBe("too_costly");
  const sentence = "Ann Example was appointed Chief Executive Officer on May 4, 2019. ";
  const of = (times: number): number => spentBy(`${GOOD}<p>${sentence.repeat(times)}</p>`);
  expect(of(800) / of(200)).toBeLessThan(5);
});
