/** One document takes a bounded amount of work, however it is made; that no filing comes near the bound is a slow test. */
import { expect, test } from "bun:test";
import { MAX_WORK, Work } from "../../src/reader/parsed-filing.ts";
import { HEAD, row, table } from "../support/small-table.ts";
import { parseFiling } from "../../src/reader/pipeline.ts";

const OFFICER = row("Ann Example<br>Chief Executive Officer", 2020, "100", "—", "—", "1", "101");
const GOOD = table(row(...HEAD), OFFICER);

const bytesOf = (body: string): Uint8Array => new TextEncoder().encode(body);

/** What reading a document spends. */
function spentBy(body: string): number {
  const work = new Work();
  parseFiling(bytesOf(body), {}, work);
  return work.spent;
}

test("tables in tables, each with the headers of pay: refused as too costly", () => {
  const text = `${GOOD}${"x ".repeat(50_000)}`;
  const outcomeOf = (body: string) => parseFiling(bytesOf(body), {}, new Work(MAX_WORK / 30));
  expect(outcomeOf("<table><tr><td>salary total 2020".repeat(60) + text).reason).toBe("too_costly");
  expect(outcomeOf(text).status).toBe("parsed");
});

test("the bound is one for all documents of a submission, and for all tables", () => {
  const rows = `<table>${row(...HEAD)}${OFFICER.repeat(40)}</table>`;
  const document = `<DOCUMENT>\n<TYPE>DEF 14A\n<TEXT><p>Realized Pay</p>${rows}</TEXT></DOCUMENT>\n`;
  expect(spentBy(document.repeat(6))).toBeGreaterThan(4 * spentBy(document));
  const limited = parseFiling(bytesOf(document.repeat(6)), {}, new Work(3 * spentBy(document)));
  expect(limited.reason).toBe("too_costly");
});

test("what is spent grows with the document, not with its square", () => {
  const sentence = "Ann Example was appointed Chief Executive Officer on May 4, 2019. ";
  const of = (times: number): number => spentBy(`${GOOD}<p>${sentence.repeat(times)}</p>`);
  expect(of(200) / of(50)).toBeLessThan(5);
});
