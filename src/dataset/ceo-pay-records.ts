/**
 * What every company's principal executive officer was paid: the served row where there is one, else the total as the filer
 * tagged it. Computed from rows and tags whenever either changes, for the table `ceo_pay`.
 * @see docs/contract.md, "CEO pay: the whole market"
 */
import { and, desc, eq, gte, inArray, like, lt, max as newest, type SQL, sql } from "drizzle-orm";
import { type Cents, formatAmount, unitsOf } from "../domain/amount.ts";
import { displayName, executiveId, surnameOf } from "../domain/executive.ts";
import { daysBetween, lastDayOf, shiftDays, shiftYears, yearEndBefore } from "../domain/fiscal-year.ts";
import type { CompensationSource } from "../domain/row-fields.ts";
import { compareTexts } from "../lib/text.ts";
import type { Assembled } from "./assemble.ts";
import { type Dataset, rowKey, rowKeys } from "./dataset.ts";
import { isRounded, isSameTotal, type PeoTag, TAG_PROVIDERS, windowOf } from "./peo-tags.ts";
import { type CompanyRecord, printedYears } from "./record.ts";
import { ceoPay, companies, type Doubt, filings, type RecordOf, type Restatement } from "./schema.ts";

/** A principal executive officer in one fiscal year of a company. Unknown facts are null. */
interface CeoPay extends Omit<RecordOf<typeof ceoPay>, "id" | "cik" | "doubt" | "doubts"> {
  doubts: Doubt[];
}

/** A record of the dataset. */
export interface CeoPayRecord extends Omit<CeoPay, "accession"> {
  cik: string;
  ticker: string;
  companyName: string;
  source: (Omit<CompensationSource, "form"> & { form: string | null }) | null;
}

/** What the totals of a company follow from, beside its rows. */
export interface CeoPayFacts {
  /** Of the registrant, MM-DD: a hint, sometimes wrong. */
  fiscalYearEnd: string | null;
  /** Date of the data: no year is known before it ends. */
  edition: string;
  tags: readonly PeoTag[];
  /** The filing dates of the company's filings, by accession number. */
  filed: ReadonlyMap<string, string>;
}

interface PeoRow extends Pick<CeoPay, "cents" | "currency"> {
  name: string;
  executiveId: string;
  accession: string;
}

interface RowYear {
  fiscalYear: number;
  /** From the filing of that year, or from a later one, a year or more earlier. */
  lastDay: string;
  /** Whether `lastDay` is the very day. */
  isExact: boolean;
  /** None in a year that only totals of proxies know. */
  peos: PeoRow[];
  /** What is paid in the year by all that is known under its label: tags are joined to the year that has theirs. */
  totals?: Cents[];
}

/** Days by which the ends of 52-week and 53-week years move. */
const SLACK_DAYS = 8;
/** Above this, in cents: no officer was ever paid that much in a year. */
const TOO_HIGH: Cents = 1_000_000_000_00;
/** Below this, in cents, a figure may be in thousands. */
const TOO_LOW: Cents = 20_000_00;
/** Another year confirms a low figure if it is within this factor. */
const SIMILAR = 10;

/** All records by CIK, then by year. @param cik only of this company, ten digits */
export function readCeoPay(dataset: Pick<Dataset, "read">, cik: string | null = null): CeoPayRecord[] {
  const [from, to] = cik === null ? [0, Number.MAX_SAFE_INTEGER] : rowKeys(cik);
  return readWhere(dataset, and(gte(ceoPay.id, from), lt(ceoPay.id, to))).map(recordOf);
}

/** The records of keys of the table, in their order. */
export function readCeoPayOf(dataset: Pick<Dataset, "read">, keys: readonly number[]): CeoPayRecord[] {
  const found = new Map(readWhere(dataset, inArray(ceoPay.id, [...keys])).map((one) => [one.pay.id, one]));
  return keys.flatMap((key) => {
    const one = found.get(key);
    return one === undefined ? [] : [recordOf(one)];
  });
}

function readWhere(dataset: Pick<Dataset, "read">, which: SQL | undefined) {
  const { form, filingDate, url } = filings;
  return dataset.read((db) =>
    db
      .select({
        pay: ceoPay,
        company: { ticker: companies.ticker, companyName: companies.name },
        // Not as an object: drizzle takes one whose first column is null for a filing that is not there.
        form,
        filing_date: filingDate,
        filing_url: url,
      })
      .from(ceoPay)
      .innerJoin(companies, eq(companies.cik, ceoPay.cik))
      .leftJoin(filings, eq(filings.accession, ceoPay.accession))
      .where(which)
      .orderBy(ceoPay.id)
      .all(),
  );
}

/** Names in tags that contain a word, with the fiscal years of each at its company, newest first. @param word letters and digits */
export function taggedNames(dataset: Pick<Dataset, "read">, word: string, max: number) {
  const { cik, peoName, fiscalYear, basis } = ceoPay;
  const lines = dataset.read((db) =>
    db
      .select({
        cik,
        name: peoName,
        years: sql<string>`json_group_array(${fiscalYear} order by ${fiscalYear} desc)`,
      })
      .from(ceoPay)
      .where(and(eq(basis, "tag"), like(peoName, `%${word}%`)))
      .groupBy(cik, peoName)
      .orderBy(desc(newest(fiscalYear)), cik)
      .limit(max)
      .all(),
  );
  // The years are the query's own JSON.
  return lines.flatMap(({ name, years, ...line }) =>
    name === null ? [] : [{ ...line, name, years: JSON.parse(years) as number[] }],
  );
}

function recordOf({ pay, company, ...filing }: ReturnType<typeof readWhere>[number]): CeoPayRecord {
  const { id: _id, doubt: _doubt, doubts, accession, ...record } = pay;
  const { form, ...dated } = filing;
  const source = accession === null ? null : { form, accession, ...dated };
  return { ...record, doubts: doubts ?? [], ...company, source };
}

/** A company's records of the table. */
export function ceoPayLines(
  record: CompanyRecord,
  assembled: Assembled,
  facts: Omit<CeoPayFacts, "filed">,
): RecordOf<typeof ceoPay>[] {
  const { cik } = record;
  const yearEnd = record.fiscalYearEnd ?? facts.fiscalYearEnd;
  const years = rowYears(record, assembled, yearEnd ?? "12-31");
  const filed = new Map(
    record.filings.flatMap(({ accession, filingDate }) =>
      filingDate === null ? [] : [[accession, filingDate]],
    ),
  );
  return ceoPayOf({ ...facts, fiscalYearEnd: yearEnd, filed }, years).map((one, place) => {
    const [doubts, doubt] =
      one.doubts.length === 0
        ? [null, null]
        : [one.doubts, one.doubts.map(({ message }) => message).join("; ")];
    return { ...one, id: rowKey(Number(cik), place), cik, doubts, doubt };
  });
}

/** The fiscal years with rows, ascending, with their principal executive officers. */
function rowYears(record: CompanyRecord, { rows }: Assembled, yearEnd: string): RowYear[] {
  if (rows.length === 0) return [];
  const printed = printedYears(record);
  const ownEnds = new Map<number, string>();
  for (const { accession, periodEnd: end, status } of record.filings) {
    const year = printed.get(accession);
    if (status !== "parsed" || year === undefined || end === null) continue;
    if (end > (ownEnds.get(year) ?? "")) ownEnds.set(year, end);
  }
  const byYear = Map.groupBy(rows, ({ fiscalYear }) => fiscalYear);
  return [...byYear].reverse().map(([fiscalYear, of]) => {
    const peos = of
      .filter(({ isPeo }) => isPeo)
      .map(({ name, executiveId, amounts, currency, observation }) => ({
        name,
        executiveId,
        cents: amounts.total_compensation,
        currency: currency ?? "USD",
        accession: observation.accession,
      }));
    const own = ownEnds.get(fiscalYear);
    if (own !== undefined) return { fiscalYear, lastDay: own, isExact: true, peos };
    // Of the filing with the latest period end that a row of the year is served from.
    const { filing } = of.reduce((latest, one) =>
      (one.filing.periodEnd ?? "") > (latest.filing.periodEnd ?? "") ? one : latest,
    );
    const { periodEnd, filingDate } = filing;
    const newest = { printed: printed.get(filing.accession) ?? null, periodEnd, filingDate };
    const day = lastDayOf(fiscalYear, newest, yearEnd);
    return {
      fiscalYear,
      lastDay: day,
      isExact: periodEnd !== null && shiftDays(day, 1).endsWith("-01"),
      peos,
    };
  });
}

/** Tags of one fiscal year that has no row, and the day it ends or may end. */
interface TagYear {
  lastDay: string;
  tags: PeoTag[];
}

/** The totals of one company by year: its rows' years, those that a proxy labels, and those that only tags know. */
export function ceoPayOf(facts: CeoPayFacts, ofRows: readonly RowYear[]): CeoPay[] {
  const { fiscalYearEnd, edition, tags } = facts;
  const years = withLabelled(ofRows, facts);
  const newest = years.at(-1);
  const monthDay = newest?.lastDay.slice(5) ?? fiscalYearEnd ?? "12-31";
  const end = (tag: PeoTag) => estimatedEnd(tag, monthDay, edition);
  const ofYears = new Map<RowYear, PeoTag[]>();
  const alone: PeoTag[] = [];
  for (const tag of tags) {
    const year = yearOf(tag, years, end);
    if (year === undefined) alone.push(tag);
    else ofYears.getOrInsert(year, []).push(tag);
  }
  const found = years.flatMap((year) => paidIn(year, ofYears.get(year) ?? [], years, facts));
  for (const { lastDay, tags: of } of tagYears(alone, end)) {
    const periodEnd = of.find((tag) => tag.periodEnd !== null)?.periodEnd ?? null;
    const year = {
      fiscalYear: labelOf(lastDay, newest),
      labelInferred: newest === undefined,
      periodEnd,
      lastDay,
    };
    found.push(
      ...taggedPeople(of).map((one) => ({
        ...year,
        isLatest: false,
        ...paidByTags(one, years, facts.filed),
      })),
    );
  }
  found.sort((a, b) => compareTexts(a.lastDay, b.lastDay) || b.cents - a.cents);
  const latest = found.at(-1)?.lastDay;
  for (const one of found) {
    one.isLatest = one.lastDay === latest;
    if (one.basis === "tag") doubtScale(one, found, tags);
  }
  return found;
}

/** The years of rows and those that only totals of proxies label, ascending. */
function withLabelled(ofRows: readonly RowYear[], { fiscalYearEnd, tags, filed }: CeoPayFacts): RowYear[] {
  const years = new Map(ofRows.map((year) => [year.fiscalYear, { ...year, totals: totalsOf(year) }]));
  const newest = ofRows.at(-1);
  const labelled = tags.flatMap(({ fiscalYear, accession, cents }) =>
    fiscalYear === null ? [] : [{ fiscalYear, cents, filedOn: filed.get(accession ?? "") ?? "" }],
  );
  // By the company's habit in its rows; else the newest year of a proxy is the last that ended before its filing.
  const monthDay = fiscalYearEnd ?? "12-31";
  const last = labelled.reduce((a, b) => (b.fiscalYear > a.fiscalYear ? b : a), {
    fiscalYear: 0,
    filedOn: "",
  });
  const known = newest ?? {
    ...last,
    lastDay: yearEndBefore(last.filedOn || null, last.fiscalYear, monthDay),
  };
  for (const { fiscalYear, cents } of labelled) {
    const lastDay = shiftYears(known.lastDay, fiscalYear - known.fiscalYear);
    years
      .getOrInsert(fiscalYear, { fiscalYear, lastDay, isExact: false, peos: [], totals: [] })
      .totals.push(cents);
  }
  return [...years.values()].sort((a, b) => a.fiscalYear - b.fiscalYear);
}

function totalsOf({ peos, totals = [] }: RowYear): Cents[] {
  return [...peos.map(({ cents }) => cents), ...totals];
}

/** What a year's rows say, and what its tags say of people who have none. */
function paidIn(
  year: RowYear,
  tagged: readonly PeoTag[],
  years: readonly RowYear[],
  facts: CeoPayFacts,
): CeoPay[] {
  const { fiscalYear, lastDay, isExact, peos } = year;
  const isMonthEnd = shiftDays(lastDay, 1).endsWith("-01");
  const isAgreed = (tag: PeoTag) => {
    const [first, last] = windowOf(tag);
    return tag.fiscalYear === null && lastDay >= first && lastDay <= last;
  };
  const stated = tagged.find((tag) => tag.periodEnd !== null)?.periodEnd ?? null;
  const ofYear = {
    fiscalYear,
    labelInferred: false,
    periodEnd: isExact || (isMonthEnd && tagged.some(isAgreed)) ? lastDay : null,
    lastDay,
    isLatest: false,
  };
  if (peos.length === 0)
    return taggedPeople(tagged).map((of) => ({
      ...ofYear,
      periodEnd: ofYear.periodEnd ?? stated,
      ...paidByTags(of, years, facts.filed),
    }));
  const proxies = tagged.filter((tag) => tag.fiscalYear !== null);
  const meant = new Map(peos.map((peo) => [peo, meantBy(peo, proxies, peos)]));
  const named = [...meant.values()];
  // Who left is in no table of a later proxy.
  const others = proxies.filter((tag) => !named.includes(tag));
  const isOther = (tag: PeoTag) => others.some(({ cents }) => isSameTotal(cents, tag.cents));
  const [ofOthers, own] = [
    tagged.filter(isOther),
    tagged.filter((tag) => tag.fiscalYear === null && !isOther(tag)),
  ];
  return [
    ...peos.map((peo) => ({ ...ofYear, ...paidByRow(peo, peos, own, meant.get(peo), facts) })),
    ...others.map((tag) => {
      const same = ofOthers.filter((one) => one.fiscalYear === null && isSameTotal(one.cents, tag.cents));
      return { ...ofYear, ...paidByTags([tag, ...same], years, facts.filed) };
    }),
  ];
}

/** The total of a proxy that is this officer's: by name, else by the amount, else the only one beside the only officer. */
function meantBy(peo: PeoRow, proxies: readonly PeoTag[], peos: readonly PeoRow[]): PeoTag | undefined {
  const same = proxies.find(({ cents }) => isSameTotal(cents, peo.cents));
  const free = proxies.filter(({ cents }) => !peos.some((one) => isSameTotal(one.cents, cents)));
  const [only] = free;
  return (
    proxies.find(({ name }) => name !== null && isSamePerson(name, peo.name)) ??
    same ??
    (free.length === 1 && peos.length === 1 && proxies.length === 1 && only?.name === null ? only : undefined)
  );
}

/** Whether two spellings may be of one person: a surname alone, or the same first letter before it. */
function isSamePerson(...names: [string, string]): boolean {
  const [one, other] = names.map(displayName);
  if (one === undefined || other === undefined || surnameOf(one) !== surnameOf(other)) return false;
  return isSurname(one) || isSurname(other) || executiveId(one).charAt(0) === executiveId(other).charAt(0);
}

const PARTICLE = /^(?:van|von|vander|de|del|la|le|st\.?)$/i;

/** Whether a name is a surname alone: one word, or behind particles. */
export function isSurname(name: string): boolean {
  return name
    .split(" ")
    .slice(0, -1)
    .every((word) => PARTICLE.test(word));
}

/** The year with rows, or with a label, that a tag belongs to. */
function yearOf(tag: PeoTag, years: readonly RowYear[], endOf: (tag: PeoTag) => string): RowYear | undefined {
  if (tag.fiscalYear !== null) return years.find(({ fiscalYear }) => fiscalYear === tag.fiscalYear);
  const [first, last] = windowOf(tag);
  const has = (year: RowYear) => totalsOf(year).some((cents) => isSameTotal(cents, tag.cents));
  const endsWithin = ({ lastDay }: RowYear, days: number) =>
    lastDay >= shiftDays(first, -days) && lastDay <= shiftDays(last, days);
  const inside = years.filter((year) => endsWithin(year, tag.periodEnd === null ? 0 : SLACK_DAYS));
  // A year whose end is known only to the week may end on the other side of the frame's edge.
  const beside = years.find((year) => !year.isExact && endsWithin(year, SLACK_DAYS) && has(year));
  if (beside !== undefined) return beside;
  const expected = endOf(tag);
  const distance = ({ lastDay }: RowYear) => Math.abs(daysBetween(lastDay, expected));
  // Some filers tag a figure with the period of another year.
  const labelled = years.find((year) => !year.isExact && has(year));
  return inside.find(has) ?? labelled ?? inside.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** The day on which a tag's year ends: as tagged, else the registrant's day within the frame. */
function estimatedEnd(tag: PeoTag, monthDay: string, edition: string): string {
  if (tag.periodEnd !== null) return tag.periodEnd;
  const year = Number(tag.frame.slice(-4));
  // A 52-week year that ended in the first days of January ends in the last of December as often.
  const day = monthDay < "01-08" ? "12-31" : monthDay;
  const end = `${tag.frame.startsWith("CY") && day < "07-01" ? year + 1 : year}-${day}`;
  return end > edition ? edition : end;
}

/** The years that only tags know: those with a stated end first, then those that fit none of them. */
function tagYears(tags: readonly PeoTag[], endOf: (tag: PeoTag) => string): TagYear[] {
  const years: TagYear[] = [];
  for (const tag of tags.toSorted((a, b) => Number(a.periodEnd === null) - Number(b.periodEnd === null))) {
    const [first, last] = windowOf(tag);
    const lastDay = endOf(tag);
    const near = years.find(({ lastDay: other, tags: [of] }) =>
      tag.periodEnd === null && of?.periodEnd !== null
        ? other >= first && other <= last
        : Math.abs(daysBetween(other, lastDay)) <= SLACK_DAYS,
    );
    if (near === undefined) years.push({ lastDay, tags: [tag] });
    else near.tags.push(tag);
  }
  return years;
}

/** The company's label for a year: by its own habit, else the calendar year in which it ends. */
function labelOf(lastDay: string, newest: RowYear | undefined): number {
  const year = (day: string) => Number(shiftDays(day, -SLACK_DAYS).slice(0, 4));
  if (newest === undefined) return Number(lastDay.slice(0, 4));
  return year(lastDay) + newest.fiscalYear - year(newest.lastDay);
}

/** The tags of a year by person: only filings name several, each with a total of its own. */
function taggedPeople(tags: readonly PeoTag[]): PeoTag[][] {
  const documents = tags.filter(({ provider }) => provider === "document" || provider === "proxy");
  const newest = documents.map(yearFiled).sort().at(-1);
  const people = documents.filter((tag) => yearFiled(tag) === newest);
  if (people.length < 2) return tags.length === 0 ? [] : [[...tags]];
  // The others name one of them.
  const others = tags.filter(
    (tag) => !people.includes(tag) && !people.some(({ cents }) => isSameTotal(cents, tag.cents)),
  );
  return people.map((tag) => [tag, ...others]);
}

/** Sorts accession numbers by year: they begin with whoever submitted the filing. */
function yearFiled({ accession }: PeoTag): string {
  return accession === null ? "" : `${accession.slice(11)} ${accession}`;
}

type Paid = Omit<CeoPay, "fiscalYear" | "labelInferred" | "periodEnd" | "lastDay" | "isLatest">;

/** A row, compared with the tags of its year, one of several officers' each, and with what a proxy says of this officer. */
function paidByRow(
  peo: PeoRow,
  peos: readonly PeoRow[],
  tags: readonly PeoTag[],
  proxy: PeoTag | undefined,
  { filed }: CeoPayFacts,
): Paid {
  const { name, executiveId, cents, currency, accession } = peo;
  const isSame = (tag: PeoTag) => isSameTotal(tag.cents, cents);
  const other = proxy === undefined || isSame(proxy) ? undefined : proxy;
  const restated = other === undefined ? null : restatement(other, accession, filed);
  const differing = tags.filter(
    (tag) =>
      !peos.some((one) => isSameTotal(one.cents, tag.cents) || isRounded(tag.cents, one.cents)) &&
      (other === undefined || !isSameTotal(other.cents, tag.cents)),
  );
  if (other !== undefined && restated === null) differing.push(other);
  return {
    peoName: name,
    executiveId,
    cents,
    currency,
    basis: "row",
    confirmedByTag: [...tags, ...(proxy === undefined ? [] : [proxy])].some(isSame),
    restated,
    doubts: doubtsBy(
      differing,
      `the table${dated(accession, filed)} prints ${formatAmount(unitsOf(cents))}`,
      filed,
    ),
    accession,
    provider: null,
  };
}

/** What another filing says instead, if it is the newer one. Null for a difference without that reason. */
function restatement(
  { cents, accession }: PeoTag,
  served: string,
  filed: CeoPayFacts["filed"],
): Restatement | null {
  const [here, there] = [filed.get(served), filed.get(accession ?? "")];
  if (accession === null || here === undefined || there === undefined || there <= here) return null;
  return { cents, accession, filingDate: there };
}

function dated(accession: string | null, filed: CeoPayFacts["filed"]): string {
  const day = filed.get(accession ?? "");
  return day === undefined ? "" : ` of ${day}`;
}

/** The best first. */
const RANKED_PROVIDERS = Object.keys(TAG_PROVIDERS);

/** Tags of one person's year: those read from filings first. */
function paidByTags(tags: readonly PeoTag[], years: readonly RowYear[], filed: CeoPayFacts["filed"]): Paid {
  const rank = ({ provider }: PeoTag) => RANKED_PROVIDERS.indexOf(provider);
  const newestFirst = tags.toSorted((a, b) => rank(a) - rank(b) || (yearFiled(a) < yearFiled(b) ? 1 : -1));
  const [first] = newestFirst;
  if (first === undefined) throw new Error("a record needs a tag");
  const differing = newestFirst.filter(
    ({ cents }) => !isSameTotal(cents, first.cents) && !isRounded(cents, first.cents),
  );
  const doubts = doubtsBy(differing, sayingOf(first, filed), filed);
  const elsewhere = tags.find(({ sameAs }) => sameAs !== null)?.sameAs;
  if (elsewhere !== undefined && elsewhere !== null) {
    const message = `the same person's same total is counted with CIK ${elsewhere}`;
    doubts.push({ code: "counted_elsewhere", message });
  }
  const { accession, provider } = first;
  return {
    ...nameIn(tags, years),
    cents: first.cents,
    currency: "USD",
    basis: "tag",
    // Two witnesses: the proxy's table and a tag that somebody else collected.
    confirmedByTag: newestFirst.some((tag) => tag !== first && isSameTotal(tag.cents, first.cents)),
    restated: null,
    doubts,
    accession,
    provider: TAG_PROVIDERS[provider],
  };
}

/** @param chosen what the total says that the tags differ from */
function doubtsBy(tags: readonly PeoTag[], chosen: string, filed: CeoPayFacts["filed"]): Doubt[] {
  return tags.map((tag) => ({ code: "sources_differ", message: `${chosen}; ${sayingOf(tag, filed)}` }));
}

function sayingOf({ provider, accession, cents }: PeoTag, filed: CeoPayFacts["filed"]): string {
  const by = TAG_PROVIDERS[provider] ?? `${accession ?? ""}${dated(accession, filed)}`;
  return `the filer's tag (${by}) says ${formatAmount(unitsOf(cents))}`;
}

/** Who is named: an officer of the company's rows, else as the document, the proxy or the collected tag has it, in this order. */
function nameIn(tags: readonly PeoTag[], years: readonly RowYear[]): Pick<Paid, "peoName" | "executiveId"> {
  const people = new Map(
    years.flatMap(({ peos }) => peos.map((peo) => [peo.executiveId, peo.name] as const)),
  );
  const names = RANKED_PROVIDERS.flatMap((provider) =>
    tags.flatMap((tag) => (tag.provider === provider && tag.name !== null ? [displayName(tag.name)] : [])),
  );
  const [best = null] = [...names.filter((name) => !isSurname(name)), ...names];
  const meant = best === null ? [] : [...people].filter(([, name]) => isSamePerson(best, name));
  const [only] = meant;
  return only !== undefined && meant.length === 1
    ? { peoName: only[1], executiveId: only[0] }
    : { peoName: best, executiveId: null };
}

/** Marks a figure that is probably in another scale. What the rule does with real ones: docs/accuracy.md. */
function doubtScale(record: CeoPay, records: readonly CeoPay[], tags: readonly PeoTag[]): void {
  const { cents } = record;
  const others = records.filter(({ lastDay }) => lastDay !== record.lastDay);
  const before = others.findLast((one) => one.lastDay < record.lastDay);
  const after = others.find((one) => one.lastDay > record.lastDay);
  const neighbours = [before, after].flatMap((one) => (one === undefined ? [] : [one.cents]));
  const isSimilar = (one: Cents, other: Cents) => one <= other * SIMILAR && other <= one * SIMILAR;
  const isFar = tags.some((tag) => tag.farBelowOthers && tag.cents === cents);
  const why =
    cents > TOO_HIGH
      ? "above a billion"
      : cents < TOO_LOW &&
          (!neighbours.some((one) => one > TOO_LOW) || neighbours.some((one) => isSimilar(one, cents * 1000)))
        ? "below 20,000"
        : isFar && !others.some((one) => isSimilar(one.cents, cents))
          ? "below a fiftieth of the other officers' average"
          : null;
  if (why === null) return;
  const message = `${formatAmount(unitsOf(cents))} is ${why}: the tag may be in another scale`;
  record.doubts.push({ code: "scale", message });
}
