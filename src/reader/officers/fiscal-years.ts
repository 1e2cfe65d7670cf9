import { valueAt } from "../../lib/checked-access.ts";
import type { Cents } from "../../domain/amount.ts";
import { foldToAscii, surnameOf } from "../../domain/executive.ts";
import {
  type DayRange,
  type FiscalYear,
  daysBetween,
  fiscalYearEnding,
  isSameYearEnd,
  shiftDays,
  shiftYears,
} from "../../domain/fiscal-year.ts";
import type { OfficerClaim } from "../../domain/officer-claims.ts";
import type { EcdFact } from "../document/submission.ts";
import type { Check, ParsedRow, TaggedYear, ReportProblem } from "../parsed-filing.ts";
import { readDate } from "../values/years.ts";
import type { TableOfficer } from "./sentences.ts";

/**
 * What a filing says about its fiscal years: their first and last days, and its pay-versus-performance tags (Item
 * 402(v)).
 */
export type FiscalPeriods = ReadonlyMap<number, FiscalYear>;

/** The bounds of a claim about a whole fiscal year. */
export function ofYear({ first, last }: FiscalYear): { readonly from: DayRange; readonly to: DayRange } {
  return { from: { earliest: first, latest: first }, to: { earliest: last, latest: last } };
}

/**
 * Reads the dates of the fiscal years from the tagged periods of the compensation facts, the document's period, or words such
 * as `fiscal year ended September 27, 2025`. Other years are derived from the newest.
 */
export function readPeriods(
  years: readonly number[],
  facts: Facts,
  fiscalYearEnd: string | null,
  narrative: string,
  monthDay: string | null,
): FiscalPeriods {
  const newest = Math.max(...years);
  const tagged = facts.filter(({ start, end }) => daysBetween(start, end) > 300);
  const newestTagged = tagged
    .map(({ end }) => end)
    .toSorted()
    .at(-1);
  const stated =
    newestTagged ??
    fiscalYearEnd ??
    wordedEnd(narrative, newest) ??
    weekdayEnd(narrative, newest) ??
    monthDay?.replace(/^(..)(..)$/, `${newest}-$1-$2`) ??
    "";
  const isDay = !Number.isNaN(Date.parse(`${stated}T00:00:00Z`));
  const newestEnd = isDay && Math.abs(Number(stated.slice(0, 4)) - newest) <= 1 ? stated : `${newest}-12-31`;
  const periodOf = (year: number): FiscalYear => {
    const last = shiftYears(newestEnd, year - newest);
    const own = tagged.find(({ end }) => isSameYearEnd(end, last));
    return own === undefined
      ? fiscalYearEnding(last, shiftYears(newestEnd, year - newest - 1))
      : { first: own.start, last: own.end };
  };
  return new Map(years.map((year) => [year, periodOf(year)]));
}

/** The last day of the newest fiscal year that the text gives most often. */
function wordedEnd(narrative: string, newest: number): string | null {
  const counts = new Map<string, number>();
  for (const match of narrative.matchAll(
    /\b(?:fiscal year|year|weeks|fiscal \d{4})[^.;]{0,40}?\bend(?:ed|ing)(?: on)?\s+([a-z]{3,9}\.?\s+\d{1,2},?\s+20\d\d)/gi,
  )) {
    const day = readDate(match[1] ?? "");
    if (day?.precision !== "day") continue;
    const year = Number(day.date.slice(0, 4));
    // `Fiscal 2013 ended February 2, 2013` names the year, so it outweighs other dates.
    const named = match[0].includes(`iscal ${newest}`) || match[0].includes(`iscal year ${newest}`);
    if (year === newest || (year === newest + 1 && Number(day.date.slice(5, 7)) <= 2))
      counts.set(day.date, (counts.get(day.date) ?? 0) + (named ? 100 : 1));
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? null;
}

/** `Our fiscal year ends on the last Saturday of September`: the end of that month. Months near the new year are ambiguous and not read. */
function weekdayEnd(narrative: string, newest: number): string | null {
  const month =
    /\bfiscal year\b[^.;]{0,30}\bends?\b[^.;]{0,20}\b(?:sun|mon|tues|wednes|thurs|fri|satur)day\b[^.;]{0,25}\b(?:of|in|to|nearest)\s+((?:march|april|may|june|july|august|september|october|november)(?:\s+\d{1,2})?)\b/i.exec(
      narrative,
    )?.[1];
  if (month === undefined) return null;
  const day = readDate(`${/\d/.test(month) ? month : `${month} 28`}, ${newest}`);
  return day?.precision === "day" ? day.date : null;
}

/**
 * The dates of the newest fiscal year if the text says that it is shorter than a year: `compensation … in respect of the
 * period commencing on August 7, 2025` (accession 0001140361-26-016758).
 */
export function readShortPeriod(text: string, year?: FiscalYear): { start: string; end: string } | undefined {
  if (year === undefined) return undefined;
  const phrase =
    /\b(?:in respect of|for|covers?|covering|during|reflects?) the (?:\w+ ){0,2}period\s+(?:from|commencing(?: on)?|beginning(?: on)?)\s+/gi;
  for (const { 0: words, index } of text.matchAll(phrase)) {
    if (!/compensat|salary|paid/i.test(text.slice(Math.max(0, index - 160), index + 260))) continue;
    const rest = text.slice(index + words.length, index + words.length + 140);
    const start = readDate(rest);
    if (start?.precision !== "day" || start.index > 4) continue;
    if (start.date < shiftDays(year.first, 20) || start.date > shiftDays(year.last, -20)) continue;
    const end = readDate(rest.slice(start.index + start.length));
    const last = end?.precision === "day" && end.index < 40 ? end.date : year.last;
    if (isSameYearEnd(last, year.last)) return { start: start.date, end: last };
  }
  return undefined;
}

/**
 * Reads claims from tags. A name without a member counts for the year of its context, one with a member for the years in which
 * that member's total is tagged. A tagged total counts for the only row with that total. People who are not tagged did not hold
 * the office, unless more officers are tagged than were matched. A tagged name that matches no one in the table is
 * reported.
 */
export function readTagClaims(
  people: readonly Pick<TableOfficer, "id" | "name" | "years">[],
  periods: FiscalPeriods,
  facts: Facts,
  accession: string,
  report: ReportProblem,
): OfficerClaim[] {
  const claims: OfficerClaim[] = [];
  const names = facts.filter(({ name }) => name === "PeoName");
  const tagged = facts.filter(({ name }) => name === "PeoTotalCompAmt");
  const has = (totals: Facts, one: EcdFact) => totals.some((total) => membersOf(total) === membersOf(one));
  for (const [year, period] of periods) {
    const totals = tagged.filter((fact) => isTotal(fact) && isSameYearEnd(fact.end, period.last));
    const found = new Map<string, string>();
    for (const fact of names) {
      const isTied = fact.members.length > 0 && has(tagged, fact);
      if (isTied ? !has(totals, fact) : !isSameYearEnd(fact.end, period.last)) continue;
      const [only, ...others] = people.filter((person) => sameName(person.name, fact.text));
      if (only === undefined)
        report("ecd_peo_name", `ecd:PeoName for ${year} is "${fact.text}", who is not in the table`);
      else if (others.length === 0) found.set(only.id, `ecd:PeoName ${only.name}`);
    }
    for (const cents of totals.flatMap((fact) => fact.cents || [])) {
      const [only, ...others] = people.filter(({ years }) => years.get(year)?.total === cents);
      if (only !== undefined && others.length === 0)
        found.getOrInsert(only.id, `ecd:PeoTotalCompAmt ${cents / 100}`);
    }
    const isComplete = new Set(totals.map(membersOf)).size <= found.size;
    if (found.size === 0) continue;
    const about = { office: "peo", basis: "tag", standing: null, accession, ...ofYear(period) } as const;
    for (const { id: person } of people) {
      const quote = found.get(person) ?? (isComplete ? "the tags name another officer" : undefined);
      if (quote !== undefined) claims.push({ ...about, person, held: found.has(person), rule: "ecd", quote });
    }
  }
  return claims;
}

/** Whether a tagged total counts: a dash marks a year in which this person was not PEO; a printed 0 is a total. */
function isTotal({ cents, text }: EcdFact): boolean {
  return cents !== null && (cents !== 0 || /\d/.test(text));
}

function membersOf({ members }: EcdFact): string {
  return members.toSorted().join(" ");
}

/** Whether a tagged name (`Mr. Cook`, `Timothy D. Cook`, `COOK, TIM`) is this person. */
function sameName(name: string, tagged: string): boolean {
  const surname = surnameOf(name);
  if (surname === "") return false;
  const words = foldToAscii(tagged).toLowerCase().replace(/[’']/g, "");
  return words.split(/[^a-z0-9]+/).includes(surname);
}

/** Allowed differences, in cents: totals may be rounded to dollars, and their average differs by more. */
const TOTAL_CENTS = 100;
const AVERAGE_CENTS = 200;

/** Adds the checks against tagged totals to the rows. Tags are wrong in hundreds of filings: a difference changes no number. */
export function checkTags(
  rows: readonly ParsedRow[],
  facts: Facts,
  periods: FiscalPeriods,
  report: ReportProblem,
): ParsedRow[] {
  const newest = Math.max(...rows.map((row) => row.fiscal_year));
  const factsOf = (name: EcdFact["name"], year: number): EcdFact[] => {
    const { last } = valueAt(periods, year);
    return facts.filter((fact) => fact.name === name && isSameYearEnd(fact.end, last));
  };
  const others = rows.filter((row) => row.fiscal_year === newest && !row.is_peo);
  const paid = others.filter(({ placeholder }) => !placeholder);
  const average = checkAverage(paid, factsOf("NonPeoNeoAvgTotalCompAmt", newest), report);
  return rows.map((row) => {
    const total = row.is_peo ? checkTotal(row, factsOf("PeoTotalCompAmt", row.fiscal_year)) : undefined;
    const names = total?.agrees === false ? factsOf("PeoName", row.fiscal_year) : [];
    if (names.some((fact) => sameName(row.executive_name, fact.text)))
      report("ecd_peo_total", `${row.executive_name} ${row.fiscal_year}: ${total?.detail}`);
    const found = [total, others.includes(row) ? average : undefined].filter((check) => check !== undefined);
    return { ...row, checks: [...row.checks, ...found] };
  });
}

function checkTotal({ amounts }: ParsedRow, facts: Facts): Check | undefined {
  const tagged = facts.flatMap(({ cents }) => cents ?? []);
  if (tagged.length === 0) return undefined;
  const total = amounts.total_compensation;
  const sides = [...new Set(tagged)].map((cents) => cents / 100).join(" and ");
  const agrees = tagged.some((cents) => Math.abs(cents - total) <= TOTAL_CENTS);
  return { check: "ecd_peo_total", agrees, detail: `table ${total / 100}, tagged ${sides}` };
}

/** Whether the rows of one year have the tagged average; undefined if there is nothing to compare. */
function checkAverage(rows: readonly ParsedRow[], facts: Facts, report: ReportProblem): Check | undefined {
  const [tagged] = facts.flatMap(({ cents }) => cents ?? []);
  const [first] = rows;
  if (tagged === undefined || first === undefined) return undefined;
  const mean = rows.reduce((sum, row) => sum + row.amounts.total_compensation, 0) / rows.length;
  const agrees = Math.abs(mean - tagged) <= AVERAGE_CENTS;
  const printed = `average of ${rows.length} officers is ${Math.round(mean) / 100}`;
  if (!agrees) report("ecd_average", `${first.fiscal_year}: the table's ${printed}, tagged ${tagged / 100}`);
  return { check: "ecd_average", agrees, detail: "average of the officers who are not PEO" };
}

/** Dimensions that only identify the fact's owner. */
const PERSONAL = new Set(["ecd:IndividualAxis", "ecd:ExecutiveCategoryAxis"]);

/** Ties the totals tagged for principal executive officers to fiscal years, newest first, and people; what cannot be tied is a problem. */
export function readTaggedYears(facts: Facts, report: ReportProblem): TaggedYear[] {
  const plain = facts.filter(({ name, end, text, axes }) => {
    const others = axes.filter((axis) => !PERSONAL.has(axis)).join(", ");
    if (others !== "" && name !== "PeoName")
      report("ecd_unclear", `ecd:${name} ${text} for ${end} has the dimension ${others}, and is left out`);
    return others === "";
  });
  // Footnotes tag single years again in short contexts; a year is one for which a total or an average is tagged.
  const amounts = plain.filter(({ name }) => name !== "PeoName");
  const names = plain.filter(({ name }) => name === "PeoName");
  const reportUnclear = (message: string) => report("ecd_unclear", message);
  return [...Map.groupBy(amounts, ({ end }) => end).values()]
    .map((ofYear) => yearOf(ofYear, names, reportUnclear))
    .filter(({ peos, othersAverage }) => peos.length > 0 || othersAverage !== null)
    .toSorted((a, b) => (a.end < b.end ? 1 : -1));
}

type Facts = readonly EcdFact[];
type ReportUnclear = (message: string) => void;

function yearOf(amounts: Facts, names: Facts, reportUnclear: ReportUnclear): TaggedYear {
  const [{ start, end, currency } = { start: "", end: "", currency: null }] = amounts;
  const totals = amounts.filter(
    (fact) => fact.name === "PeoTotalCompAmt" && (fact.cents === null || isTotal(fact)),
  );
  const averages = amounts.filter(({ name }) => name === "NonPeoNeoAvgTotalCompAmt");
  const byMember = Map.groupBy(totals, memberOf);
  const peos = [...byMember].map(([member, tagged]) => {
    const { name, candidates } = nameOf(member, { start, end }, names, byMember.size);
    const of = `of ${end}${member === "" ? "" : ` (${member})`}`;
    const who = `the principal executive officer ${of}`;
    const total = onlyAmount(tagged, `ecd:PeoTotalCompAmt ${of}`, reportUnclear);
    if (name === null && (candidates > 1 || byMember.size > 1))
      reportUnclear(`${candidates > 1 ? "More than one" : "No"} ecd:PeoName can be tied to ${who}`);
    if (total !== null && total < 0) reportUnclear(`The total tagged for ${who} is negative: ${total / 100}`);
    return { name, member: member || null, total, decimals: tagged[0]?.decimals ?? null };
  });
  if (peos.length === 0) reportUnclear(`ecd:PeoTotalCompAmt is not tagged for ${end}`);
  if (peos.some(({ member }) => member === null) && peos.length > 1)
    reportUnclear(`Totals with and without a member are tagged for ${end}`);
  const currencies = [...new Set(amounts.map((fact) => fact.currency))];
  if (currencies.length > 1)
    reportUnclear(`The units of the tags for ${end} differ: ${currencies.join(", ")}`);
  const othersAverage = onlyAmount(averages, `ecd:NonPeoNeoAvgTotalCompAmt of ${end}`, reportUnclear);
  return { start, end, currency: currencies.length > 1 ? null : currency, peos, othersAverage };
}

/** The one amount that facts give, if any. */
function onlyAmount(facts: Facts, what: string, reportUnclear: ReportUnclear): Cents | null {
  const [only = null, ...others] = new Set(facts.map(({ cents }) => cents));
  if (others.length > 0) reportUnclear(`${what} is tagged ${facts.map(({ text }) => text).join(" and ")}`);
  else if (only === null && facts[0] !== undefined)
    reportUnclear(`${what} has no readable amount: "${facts[0].text}"`);
  return others.length > 0 ? null : only;
}

/**
 * The name tagged for a member, and how many the tags give instead of one; else the year's name that the member is made from
 * (`RobertMBakishMember`: Mr. Bakish); else, if the year has one officer, its only name.
 */
function nameOf(member: string, year: Pick<TaggedYear, "start" | "end">, names: Facts, officers: number) {
  const ofYear = names.filter(({ start, end }) => start >= year.start && end <= year.end);
  const ways = [
    names.filter((fact) => memberOf(fact) === member && (member !== "" || ofYear.includes(fact))),
    names.filter(({ text }) => member.toLowerCase().includes(surnameOf(text) || "?")),
    officers === 1 ? ofYear : [],
  ];
  const tagged = ways.find((facts) => facts.length > 0) ?? [];
  // Without footnote markers.
  const found = new Set(tagged.map(({ text }) => text.replace(/(?:\s*\(\d{1,2}\)|[*†‡])+$/, "")));
  const [name = null] = found;
  return { name: found.size === 1 ? name : null, candidates: found.size };
}

/** The members of a fact that identify a person. */
function memberOf(fact: EcdFact): string {
  return membersOf({ ...fact, members: fact.members.filter((member) => member !== "ecd:PeoMember") });
}
