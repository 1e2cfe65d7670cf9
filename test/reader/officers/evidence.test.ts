/** Which sentence outweighs the table's title, and which leaves a flag unclear: wordings of proxies of fiscal 2023. */
import { expect, test } from "bun:test";
import { parseFiling } from "../../../src/reader/pipeline.ts";
import { codes, HEAD, row, table } from "../../support/small-table.ts";

const CHIEF = "Chief Executive Officer";
const DIVISION = "President, Gulf Division";

/** A table of two people with two years each, and text above it; the company is Acme Corp. */
function filing(text: string, { ann = CHIEF, carl = DIVISION } = {}) {
  const rows = [`Ann B. Hill<br>${ann}`, `Carl D. Moss<br>${carl}`].flatMap((name) => [
    row(name, 2023, "900,000", "2,000,000", "—", "30,000", "2,930,000"),
    row("", 2022, "880,000", "1,900,000", "—", "29,000", "2,809,000"),
  ]);
  const body = `<p>Acme Corp. Proxy Statement</p><p>${text}</p>${table(row(...HEAD), ...rows)}`;
  const bytes = new TextEncoder().encode(`<html><body>${body}</body></html>`);
  return parseFiling(bytes, { form: "DEF 14A", companyName: "Acme Corp." });
}

/** `Ann 2023 PEO`, one line for each row that has a flag or is unclear. */
function flags(parsed: ReturnType<typeof filing>): string[] {
  return parsed.rows.flatMap((one) => {
    const held = `${one.is_peo ? " PEO" : ""}${one.is_pfo ? " PFO" : ""}`;
    const unclear = one.problems
      .filter(({ code }) => code.endsWith("_unclear"))
      .map(({ code }) => ` ${code}`);
    const [first] = one.executive_name.split(" ");
    return held === "" && unclear.length === 0
      ? []
      : [`${first} ${one.fiscal_year}${held}${unclear.join("")}`];
  });
}

const ANN_ALONE = ["Ann 2023 PEO", "Ann 2022 PEO"];

test.each([
  // A mention of an office is no term of it.
  [
    "The award granted to our CEO in fiscal 2023, as discussed under “Awards to Ms. Hill and Mr. Moss,” replaces our CEO’s incentive through fiscal 2027.",
  ],
  [
    "As discussed under “Awards to Mr. Moss,” the award granted to our CEO in fiscal 2023 replaces all of our CEO’s incentive through fiscal 2027.",
  ],
  [
    "In 2023 the Committee granted Mr. Moss an award equal to 50% of the award of our CEO, vesting through 2026.",
  ],
  [
    "As part of the succession plan for our CEO, in fiscal 2023 Mr. Moss received an award that vests through fiscal 2027.",
  ],
  ["Mr. Moss reports to our Chief Executive Officer and has done so since March 2021."],
  [
    "Mr. Moss has served as Chief Services Officer since 2010 and Chief of Staff to the Chief Services Officer CEO since 2004.",
  ],
  [
    "As discussed under “Awards to Mr. Moss,” the award granted to our CEO in fiscal 2023 vests through fiscal 2027.",
  ],
  // A semicolon ends a subject.
  [
    "Our officers for 2023 were: Ann Hill, CEO; Carl Moss, President, Gulf Division; and José Quill, our former CEO through February 28, 2023.",
  ],
  // An office of a part, or of another company.
  [
    "Mr. Moss is co-founder of GLF, and has served as GLF’s Chairman, Chief Executive Officer and Chief Investment Officer since May 2009.",
  ],
  ["Mr. Moss has served as CEO, Wealth &amp; Gulf Management, since May 2019 and as Vice Chair since 2015."],
  ["Mr. Moss has served as Chief Executive Officer of our subsidiary, Gulf Bank, N.A., since January 2019."],
  ["Mr. Moss previously served as Chief Executive Officer of Initech Corp. from 2015 until June 2023."],
  ["Prior to joining us in July 2023, Mr. Moss was Chief Executive Officer at Initech from 2015."],
  // She is neither he nor somebody of the table.
  [
    "Carl D. Moss, 51, has led our Gulf Division since 2020. Dana (Dee) Frost has been a director since 2015. She served as Chief Executive Officer and Chair of the Grand Inn from December 2016 to June 2023.",
  ],
  [
    "Mr. Moss has led our Gulf Division since 2020. She served as Chief Executive Officer from December 2016 to June 2023.",
  ],
  [
    "Ms. Hill, who has served as CEO since the company’s formation in 2013, will retire from the role of CEO and become Executive Chair, effective July 1, 2024.",
  ],
  ["Ms. Hill will step down from her role as CEO and become Executive Chair effective July 1, 2024."],
])("%s: the table's titles decide", (text) => {
  const parsed = filing(text);
  expect(flags(parsed)).toEqual(ANN_ALONE);
  expect(codes(parsed)).toEqual([]);
});

test("the second of two terms counts as the first does", () => {
  const parsed = filing(
    "Ms. Hill has served as Chief Executive Officer since October 2023. Mr. Moss served as President and CEO from 2010 until December 2021 and as Chairman and CEO of the Company from December 2021 until October 2023.",
    { carl: "Former Chief Executive Officer" },
  );
  expect(flags(parsed)).toEqual(["Ann 2023 PEO", "Carl 2023 PEO", "Carl 2022 PEO"]);
});

test.each([
  "Mr. Moss has served as our Chief Operating Officer since March 2023, and previously served as our Chief Financial Officer since August 2018.",
  "Mr. Moss was appointed Chief Operating Officer effective November 8, 2023 and previously served as our Chief Financial Officer.",
])("an office held before the present one ends where that begins: %s", (text) => {
  expect(flags(filing(text, { carl: "Chief Operating Officer" }))).toEqual([
    ...ANN_ALONE,
    "Carl 2023 PFO",
    "Carl 2022 PFO",
  ]);
});

test.each([
  ["Chief Executive Officer and Chief Investment Officer of GLF"],
  ["CEO, Wealth &amp; Gulf Management"],
])("%s heads a part of the company", (carl) => {
  expect(flags(filing("", { carl }))).toEqual(ANN_ALONE);
});

test("an office that only an unsure sentence gives is unclear, and the row says so", () => {
  const parsed = filing(
    "Mr. Moss worked with Dana Frost of Initech Corp. and served as Chief Financial Officer from 2015 until June 2023.",
  );
  expect(flags(parsed)).toEqual([...ANN_ALONE, "Carl 2023 pfo_unclear", "Carl 2022 pfo_unclear"]);
  const [problem] = parsed.rows[2]?.problems ?? [];
  expect(problem?.message).toContain("Initech Corp.");
});

test("a sentence with somebody else's name between person and office leaves the flag unclear", () => {
  const parsed = filing(
    "Mr. Moss works with Dana Frost, Chief Financial Officer from March 2019 until June 2023.",
  );
  expect(flags(parsed)).toEqual([...ANN_ALONE, "Carl 2023 pfo_unclear", "Carl 2022 pfo_unclear"]);
});

test("two people in office at the end of the year, one by a sentence alone: both rows say so", () => {
  const parsed = filing("Mr. Moss has served as our Chief Executive Officer since 2020.");
  expect(flags(parsed)).toEqual(
    expect.arrayContaining(["Ann 2023 PEO peo_unclear", "Carl 2023 PEO peo_unclear"]),
  );
});

test("where nobody has the office, every row of the year says that its flag is unclear", () => {
  const parsed = filing("", { ann: "Executive Chair" });
  expect(flags(parsed)).toEqual([
    "Ann 2023 peo_unclear",
    "Ann 2022 peo_unclear",
    "Carl 2023 peo_unclear",
    "Carl 2022 peo_unclear",
  ]);
});
