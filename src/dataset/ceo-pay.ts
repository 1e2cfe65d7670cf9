/**
 * What every company's principal executive officer was paid: the served row where there is one, else the total as the filer
 * tagged it. Computed from rows and tags whenever either changes, for the table `ceo_pay`.
 * @see docs/contract.md, "CEO pay: the whole market"
 */
import { type Cents, formatAmount, unitsOf } from "../domain/amount.ts";
import { displayName, surnameOf } from "../domain/executive.ts";
import { daysBetween, lastDayOf, shiftDays } from "../domain/fiscal-year.ts";
import type { CompensationSource } from "../domain/row-fields.ts";
import { compareTexts } from "../domain/text.ts";
import type { Assembled } from "./assemble.ts";
import { type Dataset, rowKey, rowKeys } from "./dataset.ts";
import { isSameTotal, type PeoTag, TAG_PROVIDERS, windowOf } from "./peo-tags.ts";
import { type CompanyRecord, printedYears } from "./record.ts";
import { ceoPay, type Doubt, type Line, lineOf, type Stored } from "./schema.ts";

/** A principal executive officer in one fiscal year of a company. Unknown facts are null. */
type CeoPay = Omit<Line<typeof ceoPay>, "id" | "cik" | "doubt">;

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
  peos: PeoRow[];
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
export function readCeoPay(dataset: Pick<Dataset, "all">, cik: string | null = null): CeoPayRecord[] {
  const [from, to] = cik === null ? [0, Number.MAX_SAFE_INTEGER] : rowKeys(cik);
  return readRecords(
    dataset,
    "ceo_pay",
    "where ceo_pay.id >= ? and ceo_pay.id < ? order by ceo_pay.id",
    from,
    to,
  );
}

/** The records of keys of the table, in their order. */
export function readCeoPayOf(dataset: Pick<Dataset, "all">, keys: readonly number[]): CeoPayRecord[] {
  const from = "json_each(?) k join ceo_pay on ceo_pay.id = k.value";
  return readRecords(dataset, from, "order by k.key", JSON.stringify(keys));
}

function readRecords(
  dataset: Pick<Dataset, "all">,
  from: string,
  which: string,
  ...values: (string | number)[]
): CeoPayRecord[] {
  type Joined = Stored<typeof ceoPay> &
    Pick<CeoPayRecord, "ticker" | "companyName"> &
    Omit<NonNullable<CeoPayRecord["source"]>, "accession">;
  const lines = dataset.all<Joined>(
    `select ${ceoPay.selected}, c.ticker, c.name as companyName, f.form, f.filing_date, f.url as filing_url
      from ${from} join companies c on c.cik = ceo_pay.cik left join filings f on f.accession = ceo_pay.accession ${which}`,
    ...values,
  );
  return lines.map(({ ticker, companyName, form, filing_date, filing_url, ...line }) => {
    const { id: _id, doubt: _doubt, accession, ...record } = lineOf(ceoPay, line);
    const source = accession === null ? null : { form, accession, filing_date, filing_url };
    return { ...record, ticker, companyName, source };
  });
}

/** The lines of a company in the table. */
export function ceoPayLines(
  record: CompanyRecord,
  assembled: Assembled,
  facts: CeoPayFacts,
): Line<typeof ceoPay>[] {
  const { cik } = record;
  const yearEnd = record.fiscalYearEnd ?? facts.fiscalYearEnd;
  const years = rowYears(record, assembled);
  return ceoPayOf({ ...facts, fiscalYearEnd: yearEnd }, years).map((one, place) => {
    const doubt = one.doubts.map(({ message }) => message).join("; ");
    return { ...one, id: rowKey(Number(cik), place), cik, doubt };
  });
}

/** The fiscal years with rows, ascending, with their principal executive officers. */
function rowYears(record: CompanyRecord, { rows }: Assembled): RowYear[] {
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
    const { periodEnd = null, accession = "" } = of
      .map(({ filing }) => filing)
      .reduce((latest, one) => ((one.periodEnd ?? "") > (latest.periodEnd ?? "") ? one : latest));
    const day = lastDayOf(
      fiscalYear,
      printed.get(accession) ?? null,
      periodEnd,
      record.fiscalYearEnd ?? "12-31",
    );
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

/** The totals of one company by year: its rows' years, and the years that only tags know. */
export function ceoPayOf({ fiscalYearEnd, edition, tags }: CeoPayFacts, years: readonly RowYear[]): CeoPay[] {
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
  const found = years.flatMap((year): CeoPay[] => {
    const { fiscalYear, lastDay, isExact, peos } = year;
    const tagged = ofYears.get(year) ?? [];
    const ofYear = {
      fiscalYear,
      labelInferred: false,
      periodEnd: isExact ? lastDay : null,
      lastDay,
      isLatest: false,
    };
    if (peos.length > 0) return peos.map((peo) => ({ ...ofYear, ...paidByRow(peo, peos, tagged) }));
    return taggedPeople(tagged).map((of) => ({ ...ofYear, ...paidByTags(of, years) }));
  });
  for (const { lastDay, tags: of } of tagYears(alone, end)) {
    const periodEnd = of.find((tag) => tag.periodEnd !== null)?.periodEnd ?? null;
    const year = {
      fiscalYear: labelOf(lastDay, newest),
      labelInferred: newest === undefined,
      periodEnd,
      lastDay,
    };
    found.push(...taggedPeople(of).map((one) => ({ ...year, isLatest: false, ...paidByTags(one, years) })));
  }
  found.sort((a, b) => compareTexts(a.lastDay, b.lastDay) || b.cents - a.cents);
  const latest = found.at(-1)?.lastDay;
  for (const one of found) {
    one.isLatest = one.lastDay === latest;
    if (one.basis === "tag") doubtScale(one, found, tags);
  }
  return found;
}

/** The year with rows that a tag belongs to. */
function yearOf(tag: PeoTag, years: readonly RowYear[], endOf: (tag: PeoTag) => string): RowYear | undefined {
  const [first, last] = windowOf(tag);
  const has = ({ peos }: RowYear) => peos.some(({ cents }) => isSameTotal(cents, tag.cents));
  const endsWithin = ({ lastDay }: RowYear, days: number) =>
    lastDay >= shiftDays(first, -days) && lastDay <= shiftDays(last, days);
  const inside = years.filter((year) => endsWithin(year, tag.periodEnd === null ? 0 : SLACK_DAYS));
  // A year whose end is known only to the week may end on the other side of the frame's edge.
  const beside = years.find((year) => !year.isExact && endsWithin(year, SLACK_DAYS) && has(year));
  if (beside !== undefined) return beside;
  const expected = endOf(tag);
  const distance = ({ lastDay }: RowYear) => Math.abs(daysBetween(lastDay, expected));
  return inside.find(has) ?? inside.toSorted((a, b) => distance(a) - distance(b))[0];
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

/** The tags of a year by person: only documents name several, each with a total of its own. */
function taggedPeople(tags: readonly PeoTag[]): PeoTag[][] {
  const documents = tags.filter(({ provider }) => provider === "document");
  const newest = documents.map(filed).sort().at(-1);
  const people = documents.filter((tag) => filed(tag) === newest);
  if (people.length < 2) return tags.length === 0 ? [] : [[...tags]];
  // The others name one of them.
  const others = tags.filter(
    (tag) => !people.includes(tag) && !people.some(({ cents }) => isSameTotal(cents, tag.cents)),
  );
  return people.map((tag) => [tag, ...others]);
}

/** Sorts accession numbers by year: they begin with whoever submitted the filing. */
function filed({ accession }: PeoTag): string {
  return accession === null ? "" : `${accession.slice(11)} ${accession}`;
}

type Paid = Omit<CeoPay, "fiscalYear" | "labelInferred" | "periodEnd" | "lastDay" | "isLatest">;

/** A row, compared with the tags of its year: a tag names one of several officers. */
function paidByRow(peo: PeoRow, peos: readonly PeoRow[], tags: readonly PeoTag[]): Paid {
  const differing = tags.filter((tag) => !peos.some(({ cents }) => isSameTotal(cents, tag.cents)));
  const { name, executiveId, cents, currency, accession } = peo;
  return {
    peoName: name,
    executiveId,
    cents,
    currency,
    basis: "row",
    confirmedByTag: tags.some((tag) => isSameTotal(tag.cents, cents)),
    doubts: doubtsBy(differing, `the table prints ${formatAmount(unitsOf(cents))}`),
    accession,
    provider: null,
  };
}

/** The best first. */
const RANKED_PROVIDERS = Object.keys(TAG_PROVIDERS);

/** Tags of one person's year: those read from filings first. */
function paidByTags(tags: readonly PeoTag[], years: readonly RowYear[]): Paid {
  const rank = ({ provider }: PeoTag) => RANKED_PROVIDERS.indexOf(provider);
  const newestFirst = tags.toSorted((a, b) => rank(a) - rank(b) || (filed(a) < filed(b) ? 1 : -1));
  const [first] = newestFirst;
  if (first === undefined) throw new Error("a record needs a tag");
  const differing = newestFirst.filter(({ cents }) => !isSameTotal(cents, first.cents));
  const doubts = doubtsBy(differing, sayingOf(first));
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
    confirmedByTag: false,
    doubts,
    accession,
    provider: TAG_PROVIDERS[provider],
  };
}

/** @param chosen what the total says that the tags differ from */
function doubtsBy(tags: readonly PeoTag[], chosen: string): Doubt[] {
  return tags.map((tag) => ({ code: "sources_differ", message: `${chosen}; ${sayingOf(tag)}` }));
}

function sayingOf({ provider, accession, cents }: PeoTag): string {
  const by = TAG_PROVIDERS[provider] ?? accession ?? "";
  return `the filer's tag (${by}) says ${formatAmount(unitsOf(cents))}`;
}

/** A name from the document, else the one officer of the company's rows with the tagged surname: lists name others too. */
function nameIn(tags: readonly PeoTag[], years: readonly RowYear[]): Pick<Paid, "peoName" | "executiveId"> {
  const people = new Map(
    years.flatMap(({ peos }) => peos.map((peo) => [peo.executiveId, peo.name] as const)),
  );
  const surnames = new Set(tags.flatMap(({ name }) => (name === null ? [] : [surnameOf(displayName(name))])));
  const meant = [...people].filter(([, name]) => surnames.has(surnameOf(name)));
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return { peoName: only[1], executiveId: only[0] };
  const inDocument = tags.find(({ provider, name }) => provider === "document" && name !== null)?.name;
  return { peoName: inDocument ? displayName(inDocument) : null, executiveId: null };
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
