/** Five traps into which other readers of pay versus performance tags have stepped. */
import { expect, test } from "bun:test";
import { readEcd } from "../../../src/reader/document/submission.ts";
import { readPeriods, readTagClaims } from "../../../src/reader/officers/fiscal-years.ts";
import { reportInto } from "../../../src/reader/parsed-filing.ts";

const context = (id: string, year: number, member?: string) =>
  `<xbrli:context id="${id}"><xbrli:entity><xbrli:segment>${member === undefined ? "" : `<xbrldi:explicitMember dimension="ecd:IndividualAxis">${member}</xbrldi:explicitMember>`}</xbrli:segment></xbrli:entity><xbrli:period><xbrli:startDate>${year}-01-01</xbrli:startDate><xbrli:endDate>${year}-12-31</xbrli:endDate></xbrli:period></xbrli:context>`;
const name = (ref: string, text: string) =>
  `<ix:nonNumeric name="ecd:PeoName" contextRef="${ref}">${text}</ix:nonNumeric>`;
const total = (ref: string, text: string, attributes = "") =>
  `<ix:nonFraction name="ecd:PeoTotalCompAmt" contextRef="${ref}" unitRef="USD" ${attributes}>${text}</ix:nonFraction>`;
const person = (id: string, of: string, totals: [number, number][]) => ({
  id,
  name: of,
  years: new Map(totals.map(([year, units]) => [year, { total: units * 100, isPaid: true }])),
});
function peosOf(document: string, people: ReturnType<typeof person>[], years: number[]): string[] {
  const facts = readEcd(document);
  const periods = readPeriods(years, facts, null, "", null);
  return readTagClaims(people, periods, facts, "0000000001-25-000001", reportInto([]))
    .filter(({ held }) => held)
    .map(({ person: id, from }) => `${from?.earliest?.slice(0, 4)} ${id}`)
    .sort();
}
const ann = person("ann", "Ann Lee", [[2024, 9_000_000]]);
const bob = person("bob", "Bob Ray", [[2024, 4_000_000]]);

test("two PEOs in one year are both it, each by the member of their facts", () => {
  const document =
    context("a", 2024, "x:AnnLeeMember") +
    context("b", 2024, "x:BobRayMember") +
    name("a", "Ann Lee") +
    name("b", "Bob Ray") +
    total("a", "9,000,000") +
    total("b", "4,000,000");
  expect(peosOf(document, [ann, bob], [2024])).toEqual(["2024 ann", "2024 bob"]);
});

test("a zero or dash stands for whoever was not it in that year", () => {
  const document =
    context("a", 2024, "x:AnnLeeMember") +
    context("b", 2024, "x:BobRayMember") +
    name("a", "Ann Lee") +
    name("b", "Bob Ray") +
    total("a", "9,000,000") +
    total("b", "—", 'format="ixt:fixed-zero"');
  expect(peosOf(document, [ann, bob], [2024])).toEqual(["2024 ann"]);
});

test("a total tagged in the wrong scale names nobody by amount", () => {
  const document = context("a", 2024) + total("a", "9,000,000", 'scale="6"');
  expect(readEcd(document)[0]?.cents).toBe(9_000_000 * 1e6 * 100);
  expect(peosOf(document, [ann, bob], [2024])).toEqual([]);
});

test("a name split by tags within the tag is read whole", () => {
  const split = `<span>An</span><span>n</span> <ix:nonNumeric name="dei:Other" contextRef="a">L<b>e</b>e</ix:nonNumeric><sup>(1)</sup>`;
  const document = context("a", 2024) + name("a", split) + name("a", "Bob");
  expect(readEcd(document).map(({ text }) => text)).toEqual(["Ann Lee(1)", "Bob"]);
  expect(peosOf(context("a", 2024) + name("a", split), [ann, bob], [2024])).toEqual(["2024 ann"]);
});

test("five years in one table without a year beside them: each fact has the year of its context", () => {
  const years = [2024, 2023, 2022, 2021, 2020];
  const five = person(
    "ann",
    "Ann Lee",
    years.map((year) => [year, year * 1000]),
  );
  const document =
    years.map((year) => context(`y${year}`, year)).join("") +
    `<table>${years.map((year) => `<tr><td>${total(`y${year}`, String(year * 1000))}</td></tr>`).join("")}</table>`;
  expect(readEcd(document).map(({ end }) => end.slice(0, 4))).toEqual(years.map(String));
  expect(peosOf(document, [five, bob], years)).toEqual(years.toSorted().map((year) => `${year} ann`));
});
