import { expect, test } from "bun:test";
import type { EcdFact } from "../../src/reader/document/submission.ts";
import { type FiscalPeriods, checkTags } from "../../src/reader/officers/fiscal-years.ts";
import { type ParsedRow, type ReadingProblem, reportInto } from "../../src/reader/parsed-filing.ts";

const PERIODS: FiscalPeriods = new Map(
  [2023, 2022].map((year) => [year, { first: `${year}-01-01`, last: `${year}-12-31` }]),
);

/** Only what is looked at: the rest of a row plays no part. */
function rowOf(name: string, year: number, total: number, isPeo = false): ParsedRow {
  return {
    executive_name: name,
    fiscal_year: year,
    amounts: { total_compensation: total * 100 },
    placeholder: false,
    is_peo: isPeo,
    checks: [],
  } as unknown as ParsedRow;
}

const ROWS = [
  rowOf("Ada Byrne", 2023, 900, true),
  rowOf("Ada Byrne", 2022, 800, true),
  rowOf("Ben Cole", 2023, 300),
  rowOf("Cyd Dunn", 2023, 500),
  rowOf("Ben Cole", 2022, 100),
];

function fact(name: EcdFact["name"], year: number, amount: number | string): EcdFact {
  const [text, cents] = typeof amount === "number" ? [`${amount}`, amount * 100] : [amount, null];
  const plain = { members: [], axes: [], decimals: null, currency: "USD" };
  return { name, start: `${year}-01-01`, end: `${year}-12-31`, ...plain, text, cents };
}

/** `Ben Cole 2023 ecd_average true`, and the codes of the problems. */
function check(...facts: EcdFact[]): string[] {
  const problems: ReadingProblem[] = [];
  const rows = checkTags(ROWS, facts, PERIODS, reportInto(problems));
  return [
    ...rows.flatMap(({ executive_name, fiscal_year, checks }) =>
      checks.map((each) => `${executive_name} ${fiscal_year} ${each.check} ${each.agrees}`),
    ),
    ...problems.map(({ message }) => message),
  ];
}

test("the tagged average is checked against the newest year's officers who are not PEO", () => {
  const held = ["Ben Cole 2023 ecd_average true", "Cyd Dunn 2023 ecd_average true"];
  expect(check(fact("NonPeoNeoAvgTotalCompAmt", 2023, 400))).toEqual(held);
  expect(check(fact("NonPeoNeoAvgTotalCompAmt", 2023, 402))).toEqual(held);
  expect(check(fact("NonPeoNeoAvgTotalCompAmt", 2022, 100))).toEqual([]);
});

test("an average that differs is a problem of the filing and says both figures", () => {
  expect(check(fact("NonPeoNeoAvgTotalCompAmt", 2023, 403))).toEqual([
    "Ben Cole 2023 ecd_average false",
    "Cyd Dunn 2023 ecd_average false",
    "2023: the table's average of 2 officers is 400, tagged 403",
  ]);
});

test("the tagged total of a PEO is checked against that year's row and no other", () => {
  expect(check(fact("PeoTotalCompAmt", 2023, 901), fact("PeoTotalCompAmt", 2022, 802))).toEqual([
    "Ada Byrne 2023 ecd_peo_total true",
    "Ada Byrne 2022 ecd_peo_total false",
  ]);
});

test("a total that differs is a problem where the tags name the same person", () => {
  const [, problem] = check(fact("PeoTotalCompAmt", 2023, 950), fact("PeoName", 2023, "Ada Byrne"));
  expect(problem).toBe("Ada Byrne 2023: table 900, tagged 950");
  expect(check(fact("PeoTotalCompAmt", 2023, 950), fact("PeoName", 2023, "Eve Frost"))).toHaveLength(1);
});
