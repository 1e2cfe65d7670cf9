import { describe, expect, test } from "bun:test";
import type { OfficerClaim } from "../../src/domain/officer-claims.ts";
import { resolve, type Verdict } from "../../src/domain/officer-verdict.ts";

const YEAR = { first: "2019-06-01", last: "2020-05-31" };

/** `2020`, `2020-03` or a day, as a range of days. */
const days = (text: string | undefined) => {
  if (text === undefined) return null;
  const last = text.length === 4 ? "-12-31" : text.length === 7 ? "-28" : "";
  return {
    earliest: text + (text.length === 4 ? "-01-01" : text.length === 7 ? "-01" : ""),
    latest: text + last,
  };
};

const claim = (about: Partial<OfficerClaim>): OfficerClaim => ({
  person: "ann",
  office: "peo",
  held: true,
  from: null,
  to: null,
  basis: "title",
  standing: "present",
  rule: "test",
  quote: "",
  accession: "A",
  ...about,
});

const term = (from?: string, to?: string, more: Partial<OfficerClaim> = {}) =>
  claim({ basis: "dated", standing: null, from: days(from), to: days(to), ...more });

/** Decides about Ann and Bob in fiscal 2020; filing A is that year's. */
const decide = (claims: readonly OfficerClaim[], filings = ["A"], ofYear = ["A"]) =>
  resolve(claims, {
    office: "peo",
    year: YEAR,
    people: new Map(
      ["ann", "bob"].map((person) => [person, { filings, servedFrom: filings[0] ?? "" }] as const),
    ),
    filingsOfYear: new Set(ofYear),
  });
const ann = (...args: Parameters<typeof decide>): Verdict | undefined => decide(...args).get("ann");

describe("a term of office", () => {
  test.each([
    [
      "that ended on the year's first day does not count: the successor serves on it",
      term(undefined, "2019-06-01"),
      false,
    ],
    ["that ended on the second day counts", term(undefined, "2019-06-02"), true],
    ["with both ends, ended on the first day, does not count", term("2015-01-01", "2019-06-01"), false],
    ["that began on the last day counts", term("2020-05-31"), true],
    ["that began on the day after does not", term("2020-06-01"), false],
    ["`from 2003 to 2019` does not reach a year that began in June", term("2003", "2019-01"), false],
    ["`until 2020` reaches it", term(undefined, "2020"), true],
    ["with both ends around the year counts", term("2015-01-01", "2021-01-01"), true],
  ])("%s", (_, one, held) => {
    expect(ann([one, claim({ standing: "former" })])?.held).toBe(held);
  });

  test("that began years ago and is not said to continue proves nothing without a title", () => {
    expect(ann([term("2015-01-01")])).toMatchObject({ held: false, basis: "none" });
    expect(ann([term("2015-01-01"), claim({})])).toMatchObject({ held: true, basis: "dated" });
    expect(ann([term("2015-01-01", undefined, { standing: "present" })])?.held).toBe(true);
  });

  test("an interim's end alone says nothing about the years before", () => {
    const until = term(undefined, "2021-03-01");
    expect(ann([until, claim({ standing: "former" })])).toMatchObject({ held: true, basis: "dated" });
    const interim = claim({ standing: "former_interim" });
    expect(ann([until, interim], ["A"], [])).toMatchObject({ held: false, basis: "none" });
  });
});

describe("evidence by precedence", () => {
  const tag = (person: string, held: boolean) => claim({ basis: "tag", standing: null, person, held });

  test("a tag takes precedence over dates and titles", () => {
    expect(ann([tag("ann", true), term("2021-01-01")])).toMatchObject({ held: true, basis: "dated" });
    expect(ann([tag("ann", false), claim({})])).toMatchObject({ held: false, basis: "dated" });
  });

  test("a date in the year takes precedence over a tag that names another person", () => {
    expect(ann([tag("ann", false), term("2020-01-01")])?.held).toBe(true);
  });

  test("dates in the newest filing take precedence over an older filing's, which is noted", () => {
    const verdict = ann([term("2020-01-01", undefined, { accession: "B" }), term("2020-06-01")], ["B", "A"]);
    expect(verdict).toMatchObject({ held: true, basis: "dated" });
    expect(verdict?.against).toHaveLength(1);
  });

  test("the title in that year's filing takes precedence over dates in a filing that does not print the year", () => {
    const biography = term("2019-01-01", "2021-01-01", { accession: "C" });
    expect(ann([claim({ held: false, standing: null }), biography])).toMatchObject({
      held: false,
      basis: "title_of_year",
    });
    expect(ann([biography])).toMatchObject({ held: true, basis: "dated" });
  });

  test("an end before the year, in a filing that does not print the year, proves nothing", () => {
    expect(ann([term("2003-01-01", "2007-01-01", { accession: "C" })])).toMatchObject({ basis: "none" });
    expect(ann([term("2021-01-01", undefined, { accession: "C" })])).toMatchObject({ basis: "dated" });
  });

  test("the current title next to an older year yields to the officeholder at that time", () => {
    const title = claim({ accession: "B" });
    expect(ann([title], ["B"], [])).toMatchObject({ held: true, basis: "todays_title" });
    const bob = term("2015-01-01", "2020-08-01", { person: "bob", accession: "B" });
    expect(ann([title, bob], ["B"], [])).toMatchObject({ held: false, claims: [{ person: "bob" }] });
    const inYear = claim({ person: "bob", accession: "A" });
    expect(ann([title, inYear], ["B", "A"])).toMatchObject({ held: false, claims: [{ person: "bob" }] });
  });

  test("a former officer did not serve if the successor began before the year", () => {
    const former = claim({ standing: "former" });
    const bob = [claim({ person: "bob" }), term("2019-05-31", undefined, { person: "bob" })];
    expect(ann([former, ...bob])).toMatchObject({ held: false, claims: [{ person: "bob" }] });
    expect(ann([former, claim({ person: "bob" })])).toMatchObject({ held: true, basis: "title_of_year" });
  });

  test("an office that begins after the fiscal year does not count in it", () => {
    const later = term(undefined, "2020-06-30", { held: false });
    expect(ann([claim({}), later])).toMatchObject({ held: false, basis: "dated" });
    const earlier = term(undefined, "2020-01-15", { held: false });
    expect(ann([claim({}), earlier])).toMatchObject({ held: true, basis: "title_of_year" });
  });

  test("a title that implies the office counts if only one person has one", () => {
    const fallback = (person: string) =>
      claim({ person, standing: "fallback", from: days(YEAR.first), to: days(YEAR.last) });
    expect(ann([fallback("ann")])).toMatchObject({ held: true, basis: "todays_title" });
    expect(ann([fallback("ann"), fallback("bob")])?.held).toBe(false);
    expect(ann([fallback("ann"), claim({ person: "bob" })])?.held).toBe(false);
    expect(ann([fallback("ann"), term("2021-01-01")])?.held).toBe(false);
  });

  test("claims about the other office are ignored", () => {
    expect(ann([claim({ office: "pfo" })])).toMatchObject({ held: false, basis: "none", claims: [] });
  });
});
