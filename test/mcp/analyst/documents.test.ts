import { describe, expect, test } from "bun:test";
import { readDocumentId, textOf } from "../../../src/operations/documents.ts";
import { readSearch } from "../../../src/operations/document-search.ts";
import { urlOf } from "../../../src/mcp/analyst/documents.ts";
import { line } from "../../../src/mcp/analyst/fitting.ts";
import { yearsText } from "../../../src/operations/analysis.ts";

const SUBJECT = {
  id: "x",
  title: "x",
  cik: "0000320193",
  ticker: "AAPL",
  fiscal_year: null,
  executive_id: null,
  filing_url: "https://www.sec.gov/Archives/edgar/data/320193/x.htm",
};

describe("the address of a document", () => {
  test.each([
    [{}, "https://pay.example.com/t/AAPL"],
    [{ fiscal_year: 2024 }, "https://pay.example.com/t/AAPL?year=2024"],
    [{ fiscal_year: 2024, executive_id: "tim-cook" }, "https://pay.example.com/t/AAPL/2024/tim-cook"],
    [{ ticker: "" }, "https://pay.example.com/c/320193"],
    [{ ticker: "", fiscal_year: 2024 }, "https://pay.example.com/c/320193?year=2024"],
    [{ ticker: "", fiscal_year: 2024, executive_id: "x" }, "https://pay.example.com/c/320193/2024/x"],
    [{ ticker: "A/B" }, "https://pay.example.com/t/A%2FB"],
  ])("%j: %s", (more, url) => {
    expect(urlOf({ ...SUBJECT, ...more }, "https://pay.example.com")).toBe(url);
  });

  test("without a site it is the filing", () => {
    expect(urlOf({ ...SUBJECT, fiscal_year: 2024 }, null)).toBe(SUBJECT.filing_url);
  });
});

test("an id is read with or without the padding of its CIK", () => {
  expect(readDocumentId("company:320193")).toEqual({ kind: "company", cik: "0000320193" });
  expect(readDocumentId(" year:0000320193:2025 ")).toMatchObject({ kind: "year", fiscalYear: 2025 });
  expect(readDocumentId("executive:1:a-b")).toMatchObject({ kind: "executive", executiveId: "a-b" });
  for (const id of [
    "",
    "company",
    "company:x",
    "company:1:2",
    "year:1",
    "year:1:24",
    "executive:1",
    "executive:1:A",
  ]) {
    expect(() => readDocumentId(id)).toThrow("Cannot read id");
  }
});

test("a document with the worst names stays within the bound of a result, and says what is left out", () => {
  const { text } = textOf(Array.from({ length: 5000 }, () => '"\\'.repeat(30)));
  const body = JSON.stringify({ text });
  expect(body.length + JSON.stringify(body).length).toBeLessThan(55_000);
  expect(text).toMatch(/\(\d+ more lines omitted\.\)$/);
  expect(textOf(["a", "b"]).text).toBe("a\nb");
});

test("a query is split into names, years and offices", () => {
  expect(readSearch("How much did Pfizer's CEO earn in FY23?")).toEqual({
    names: ["pfizers"],
    years: [2023],
    offices: new Set(["peo"]),
  });
  expect(readSearch("chief financial officer of General Motors 2021-2022").names).toEqual([
    "general",
    "motors",
  ]);
  expect(readSearch("the chief financial officer").offices).toEqual(new Set(["pfo"]));
});

test("a name never ends a line or a cell in the text of a result", () => {
  expect(line(["A|B", "two\nlines", null, 7])).toBe("A/B | two lines |  | 7");
  expect(yearsText([2020, 2021, 2022])).toBe("2020 to 2022");
  expect(yearsText([2019, 2021])).toBe("2019, 2021");
  expect(yearsText([2019])).toBe("2019");
});
