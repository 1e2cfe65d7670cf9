import { expect, test } from "bun:test";
import { barredForm, readFacts } from "../../../src/reader/document/submission.ts";

const factsOf = (text: string, known = {}) => readFacts({ type: null, text, header: null }, known);

test("the cover names form, company and year end", () => {
  const cover = `<body><p>FORM 10-K</p><p>ANNUAL REPORT</p><p>For the fiscal year ended September 30, 2015</p>
    <p>Commission file number 000-12345</p><p>Acme Holdings, Inc.</p><p>(Exact name of registrant as specified in its charter)</p>`;
  expect(factsOf(cover)).toMatchObject({
    form: "10-K",
    companyName: "Acme Holdings, Inc.",
    fiscalYearEnd: "2015-09-30",
    accession: null,
  });
});

test("a tagged cover goes before its words, and what the caller knows before both", () => {
  const tags = `<body><ix:nonNumeric name="dei:EntityRegistrantName" id="a">Acme, Inc.</ix:nonNumeric>
    <ix:nonNumeric name="dei:EntityCentralIndexKey">320193</ix:nonNumeric>
    <ix:nonNumeric name="dei:DocumentPeriodEndDate">September 27, 2025</ix:nonNumeric>
    <p>SCHEDULE 14A</p><p>Other Name</p><p>(Name of Registrant as Specified In Its Charter)</p>`;
  expect(factsOf(tags)).toMatchObject({
    form: "DEF 14A",
    cik: "0000320193",
    companyName: "Acme, Inc.",
    fiscalYearEnd: "2025-09-27",
  });
  expect(factsOf(tags, { companyName: "Known Co", form: "DEF 14C" })).toMatchObject({
    form: "DEF 14C",
    companyName: "Known Co",
  });
});

test("an amended annual report is told from the report, a prospectus from what it cites", () => {
  expect(factsOf("<p>FORM 10-K</p><p>(Amendment No. 1)</p>").form).toBe("10-K/A");
  expect(factsOf("<p>Filed pursuant to Rule 424(b)(4)</p><p>our Form 10-K</p>").form).toBe("424B4");
});

test.each([
  ["20-F", "foreign_form"],
  ["6-K", "foreign_form"],
  ["N-CSR", "fund_form"],
  ["PRE 14A", "preliminary_form"],
  ["DEF 14A", undefined],
  ["10-K/A", undefined],
  [null, undefined],
] as const)("%s holds no definitive table because of %s", (form, reason) => {
  expect(barredForm(form)).toBe(reason);
});
