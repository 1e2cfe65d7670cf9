import { expect, test } from "bun:test";
import { readEcd } from "../../../src/reader/document/submission.ts";
import { type FiscalPeriods, readTagClaims } from "../../../src/reader/officers/fiscal-years.ts";
import { type ReadingProblem, reportInto } from "../../../src/reader/parsed-filing.ts";

const PERIODS: FiscalPeriods = new Map(
  [2023, 2022].map((year) => [year, { first: `${year}-01-01`, last: `${year}-12-31` }]),
);
const PEOPLE = [
  {
    id: "ada-byrne",
    name: "Ada Byrne",
    years: new Map([
      [2023, { total: 500_000_00, isPaid: true }],
      [2022, { total: 400_000_00, isPaid: true }],
    ]),
  },
  {
    id: "ben-cole",
    name: "Ben Cole",
    years: new Map([
      [2023, { total: 300_000_00, isPaid: true }],
      [2022, { total: 200_000_00, isPaid: true }],
    ]),
  },
];

const context = (id: string, year: number, member?: string) =>
  `<xbrli:context id="${id}"><xbrli:entity>${member === undefined ? "" : `<xbrldi:explicitMember dimension="ecd:IndividualAxis">${member}</xbrldi:explicitMember>`}</xbrli:entity><xbrli:period><xbrli:startDate>${year}-01-01</xbrli:startDate><xbrli:endDate>${year}-12-31</xbrli:endDate></xbrli:period></xbrli:context>`;
const name = (id: string, text: string) =>
  `<ix:nonNumeric contextRef="${id}" name="ecd:PeoName" id="f1">${text}</ix:nonNumeric>`;
const amount = (id: string, text: string, tag = "PeoTotalCompAmt") =>
  `<ix:nonFraction unitRef="USD" contextRef="${id}" decimals="0" name="ecd:${tag}" scale="0">${text}</ix:nonFraction>`;

/** `ada-byrne 2023 true`, in the order of the claims, and the names that are nobody's. */
function read(...parts: readonly string[]): string[] {
  const problems: ReadingProblem[] = [];
  const claims = readTagClaims(PEOPLE, PERIODS, readEcd(parts.join("")), "A", reportInto(problems));
  return [
    ...claims.map(({ person, to, held }) => `${person} ${to?.latest.slice(0, 4)} ${held}`),
    ...problems.map(({ message }) => message),
  ];
}

test("a tagged name is the principal executive officer of the year of its context, and nobody else is", () => {
  expect(read(context("c1", 2023), name("c1", "Mr. Byrne"))).toEqual([
    "ada-byrne 2023 true",
    "ben-cole 2023 false",
  ]);
});

test("a name with a member counts in the years for which that member's total is tagged", () => {
  const contexts = [2023, 2022].map((year) => context(`c${year}`, year, "co:ByrneMember"));
  expect(read(...contexts, name("c2023", "Ada Byrne"), amount("c2022", "1"))).toEqual([
    "ada-byrne 2022 true",
    "ben-cole 2022 false",
  ]);
});

test("a tagged total is that of the one row that has it", () => {
  expect(read(context("c1", 2022), amount("c1", "200,000"))).toEqual([
    "ada-byrne 2022 false",
    "ben-cole 2022 true",
  ]);
});

test("where more officers are tagged than could be told, nobody is denied", () => {
  const contexts = ["co:ByrneMember", "co:DunnMember"].map((member, at) => context(`c${at}`, 2023, member));
  expect(read(...contexts, amount("c0", "500,000"), amount("c1", "7"))).toEqual(["ada-byrne 2023 true"]);
});

test("the names of other officers are not taken for one of the principal", () => {
  expect(read(context("c1", 2023, "ecd:NonPeoNeoMember"), name("c1", "Ben Cole"))).toEqual([]);
});

test("a tagged name that is nobody's is told", () => {
  expect(read(context("c1", 2023), name("c1", "Cy Dunn"))).toEqual([
    'ecd:PeoName for 2023 is "Cy Dunn", who is not in the table',
  ]);
});

test("the average of the other officers is read with its scale and sign", () => {
  const [fact] = readEcd(context("c1", 2023) + amount("c1", "1,234", "NonPeoNeoAvgTotalCompAmt"));
  expect(fact).toMatchObject({ name: "NonPeoNeoAvgTotalCompAmt", cents: 123_400, end: "2023-12-31" });
});
