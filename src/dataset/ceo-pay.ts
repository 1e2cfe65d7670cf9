/**
 * What every company's principal executive officer was paid: the served row where there is one, else the total as the filer
 * tagged it. Computed from rows and tags whenever it is asked for, never stored.
 * @see docs/contract.md, "CEO pay: the whole market"
 */
import { type Cents, formatAmount, unitsOf } from "../domain/amount.ts";
import { displayName, surnameOf } from "../domain/executive.ts";
import { daysBetween, shiftDays } from "../domain/fiscal-year.ts";
import type { CompensationSource } from "../domain/row-fields.ts";
import { type Dataset, MAX_ROWS, padCik, rowKey } from "./dataset.ts";
import type { peoTags, Stored } from "./schema.ts";
import { isSameTotal, type PeoTag, TAG_PROVIDERS, type TagProvider, windowOf } from "./peo-tags.ts";

/** Why a total is left out of rankings and statistics. */
export interface Doubt {
  code: "sources_differ" | "scale" | "counted_elsewhere";
  message: string;
}

/** A principal executive officer in one fiscal year. Unknown facts are null. */
export interface CeoPayRecord {
  cik: string;
  ticker: string;
  companyName: string;
  fiscalYear: number;
  /** Whether the year is only the calendar year in which the period ends. */
  labelInferred: boolean;
  /** YYYY-MM-DD, as a filing or tag states it. */
  periodEnd: string | null;
  /** The same, or an estimate: for the order of years and index membership. */
  lastDay: string;
  /** Whether it is of the company's latest year. */
  isLatest: boolean;
  peoName: string | null;
  /** Of the row. */
  executiveId: string | null;
  cents: Cents;
  currency: string;
  basis: "row" | "tag";
  /** Whether a tag states the total of the row. */
  confirmedByTag: boolean;
  doubts: Doubt[];
  source: (Omit<CompensationSource, "form"> & { form: string | null }) | null;
  provider: string | null;
}

/** A company, as the records name it. */
interface CompanyLine {
  cik: number;
  ticker: string;
  name: string;
  /** MM-DD: a hint, sometimes wrong. */
  fiscalYearEnd: string | null;
  /** Date of the data: no year is known before it ends. */
  edition: string;
}

interface PeoRow {
  name: string;
  executiveId: string;
  cents: Cents;
  currency: string;
  source: CompensationSource;
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
  const from = cik === null ? 0 : Number(cik);
  const to = cik === null ? Number.MAX_SAFE_INTEGER : Number(cik);
  const tags = Map.groupBy(readTags(dataset, from, to), (tag) => Number(tag.cik));
  const years = readRowYears(dataset, from, to);
  const companies = dataset.all<CompanyLine>(
    `select c.cik, ticker, name, coalesce(c.fiscal_year_end, r.fiscal_year_end) as fiscalYearEnd,
      (select value from meta where key = 'edition') as edition
      from companies c left join registrants r on r.cik = c.cik
      where c.cik between ? and ? and (c.row_count > 0 or exists (select 1 from peo_tags t where t.cik = c.cik))
      order by c.cik`,
    from,
    to,
  );
  const records = companies.flatMap((company) =>
    recordsOf(company, years.get(company.cik) ?? [], tags.get(company.cik) ?? []),
  );
  return records.length > 0 ? withFilings(dataset, records) : records;
}

/** The tags of companies, by CIK. */
export function readTags(dataset: Pick<Dataset, "all">, from: number, to: number): PeoTag[] {
  return dataset
    .all<Omit<Stored<typeof peoTags>, "place" | "provider"> & { provider: TagProvider }>(
      `select cik, frame, period_end, name, total, far_below_others, same_as, provider, accession from peo_tags
        where cik between ? and ? order by cik, place`,
      from,
      to,
    )
    .map(({ cik, period_end: periodEnd, total, far_below_others: far, same_as: sameAs, ...tag }) => ({
      ...tag,
      cik: padCik(cik),
      periodEnd,
      cents: total,
      farBelowOthers: far === 1,
      sameAs: sameAs === null ? null : padCik(sameAs),
    }));
}

/** The fiscal years with rows of each company, with its principal executive officers. */
function readRowYears(dataset: Pick<Dataset, "all">, from: number, to: number): Map<number, RowYear[]> {
  const found = new Map<number, RowYear[]>();
  // Of the filing with the latest period end that a row of the year is served from.
  for (const line of dataset.all<{
    cik: number;
    fiscal_year: number;
    own_end: string | null;
    period_end: string | null;
    printed: number;
    fiscal_year_end: string | null;
  }>(
    `select r.cik, r.fiscal_year, max(f.period_end) as period_end, f.fiscal_year as printed, c.fiscal_year_end,
      (select max(own.period_end) from filings own where own.cik = r.cik and own.fiscal_year = r.fiscal_year
        and own.status = 'parsed') as own_end
      from rows r join filings f on f.id = r.filing join companies c on c.cik = r.cik
      where r.id >= ? and r.id < ? group by r.cik, r.fiscal_year order by r.cik, r.fiscal_year`,
    rowKey(from, 0),
    rowKey(to + 1, 0),
  )) {
    const { cik, fiscal_year: fiscalYear, own_end: own, period_end: end, printed } = line;
    const day = (end ?? `0000-${line.fiscal_year_end ?? "12-31"}`).slice(4);
    const lastDay =
      own ?? `${end === null ? fiscalYear : Number(end.slice(0, 4)) - (printed - fiscalYear)}${day}`;
    const isExact = own !== null || (end !== null && isMonthEnd(lastDay));
    found.getOrInsert(cik, []).push({ fiscalYear, lastDay, isExact, peos: [] });
  }
  type PeoLine = CompensationSource &
    Omit<PeoRow, "currency" | "source"> & { cik: number; fiscal_year: number; currency: string | null };
  for (const line of dataset.all<PeoLine>(
    `select r.cik, r.fiscal_year, r.executive_id as executiveId, o.name, o.total_compensation as cents, f.currency,
      f.form, f.accession, f.filing_date, f.url as filing_url
      from rows r join filings f on f.id = r.filing join observations o on o.id = r.filing * ${MAX_ROWS} + r.position
      where r.is_peo = 1 and r.id >= ? and r.id < ? order by r.id`,
    rowKey(from, 0),
    rowKey(to + 1, 0),
  )) {
    const { cik, fiscal_year: fiscalYear, executiveId, name, cents, currency, ...source } = line;
    const year = found.get(cik)?.find((one) => one.fiscalYear === fiscalYear);
    year?.peos.push({ name: displayName(name), executiveId, cents, currency: currency ?? "USD", source });
  }
  return found;
}

function isMonthEnd(day: string): boolean {
  return shiftDays(day, 1).endsWith("-01");
}

/** Tags of one fiscal year that has no row, and the day it ends or may end. */
interface TagYear {
  lastDay: string;
  tags: PeoTag[];
}

/** The records of one company: its rows' years, then the years that only tags know. */
export function recordsOf(
  company: CompanyLine,
  years: readonly RowYear[],
  tags: readonly PeoTag[],
): CeoPayRecord[] {
  const newest = years.at(-1);
  const monthDay = newest?.lastDay.slice(5) ?? company.fiscalYearEnd ?? "12-31";
  const end = (tag: PeoTag) => estimatedEnd(tag, monthDay, company.edition);
  const ofYears = new Map<RowYear, PeoTag[]>();
  const alone: PeoTag[] = [];
  for (const tag of tags) {
    const year = yearOf(tag, years, end);
    if (year === undefined) alone.push(tag);
    else ofYears.getOrInsert(year, []).push(tag);
  }
  const people = new Map(
    years.flatMap(({ peos }) => peos.map((peo) => [peo.executiveId, peo.name] as const)),
  );
  const { cik, ticker, name: companyName } = company;
  const common = { cik: padCik(cik), ticker, companyName, isLatest: false };
  const records = years.flatMap((year) => {
    const { fiscalYear, lastDay, isExact, peos } = year;
    const tagged = ofYears.get(year) ?? [];
    const periodEnd = isExact ? lastDay : null;
    const ofYear = { ...common, fiscalYear, labelInferred: false, lastDay, periodEnd };
    if (peos.length > 0) return peos.map((peo) => ({ ...ofYear, ...paidByRow(peo, peos, tagged) }));
    return taggedPeople(tagged).map((of) => ({ ...ofYear, ...paidByTags(of, people) }));
  });
  for (const { lastDay, tags: of } of tagYears(alone, end)) {
    const year = labelOf(lastDay, newest);
    const periodEnd = of.find((tag) => tag.periodEnd !== null)?.periodEnd ?? null;
    const ofYear = { ...common, fiscalYear: year, labelInferred: newest === undefined, lastDay, periodEnd };
    records.push(...taggedPeople(of).map((one) => ({ ...ofYear, ...paidByTags(one, people) })));
  }
  records.sort((a, b) => (a.lastDay < b.lastDay ? -1 : a.lastDay > b.lastDay ? 1 : b.cents - a.cents));
  const latest = records.at(-1)?.lastDay;
  for (const record of records) {
    record.isLatest = record.lastDay === latest;
    if (record.basis === "tag") doubtScale(record, records, tags);
  }
  return records;
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

type Paid = Omit<
  CeoPayRecord,
  "cik" | "ticker" | "companyName" | "fiscalYear" | "labelInferred" | "periodEnd" | "lastDay" | "isLatest"
>;

/** A row, compared with the tags of its year: a tag names one of several officers. */
function paidByRow(peo: PeoRow, peos: readonly PeoRow[], tags: readonly PeoTag[]): Paid {
  const differing = tags.filter((tag) => !peos.some(({ cents }) => isSameTotal(cents, tag.cents)));
  const { name, executiveId, cents, currency, source } = peo;
  return {
    peoName: name,
    executiveId,
    cents,
    currency,
    basis: "row",
    confirmedByTag: tags.some((tag) => isSameTotal(tag.cents, cents)),
    doubts: differing.map((tag) => ({
      code: "sources_differ",
      message: `the table prints ${formatAmount(unitsOf(cents))}; ${collected(tag)} ${formatAmount(unitsOf(tag.cents))}`,
    })),
    source,
    provider: null,
  };
}

const RANKED_PROVIDERS: readonly TagProvider[] = ["document", "frames", "frames-2026-07-05", "scorecard"];

/** Tags of one person's year: those read from filings first. */
function paidByTags(tags: readonly PeoTag[], people: ReadonlyMap<string, string>): Paid {
  const rank = ({ provider }: PeoTag) => RANKED_PROVIDERS.indexOf(provider);
  const newestFirst = tags.toSorted((a, b) => rank(a) - rank(b) || (filed(a) < filed(b) ? 1 : -1));
  const [first] = newestFirst;
  if (first === undefined) throw new Error("a record needs a tag");
  const doubts: Doubt[] = newestFirst
    .filter(({ cents }) => !isSameTotal(cents, first.cents))
    .map((tag) => ({
      code: "sources_differ",
      message: `${collected(first)} ${formatAmount(unitsOf(first.cents))}; ${collected(tag)} ${formatAmount(unitsOf(tag.cents))}`,
    }));
  const elsewhere = tags.find(({ sameAs }) => sameAs !== null)?.sameAs;
  if (elsewhere !== undefined && elsewhere !== null) {
    const message = `the same person's same total is counted with CIK ${elsewhere}`;
    doubts.push({ code: "counted_elsewhere", message });
  }
  const { accession, provider } = first;
  const named = nameIn(tags, people);
  return {
    ...named,
    cents: first.cents,
    currency: "USD",
    basis: "tag",
    confirmedByTag: false,
    doubts,
    source: accession === null ? null : { form: null, accession, filing_date: null, filing_url: null },
    provider: TAG_PROVIDERS[provider],
  };
}

function collected({ provider, accession }: PeoTag): string {
  const by = TAG_PROVIDERS[provider];
  return by === null ? `the filer's tag (${accession ?? ""}) says` : `the filer's tag (${by}) says`;
}

/** A name from the document, else the one officer of the company's rows with the tagged surname: lists name others too. */
function nameIn(
  tags: readonly PeoTag[],
  people: ReadonlyMap<string, string>,
): Pick<Paid, "peoName" | "executiveId"> {
  const surnames = new Set(tags.flatMap(({ name }) => (name === null ? [] : [surnameOf(displayName(name))])));
  const meant = [...people].filter(([, name]) => surnames.has(surnameOf(name)));
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return { peoName: only[1], executiveId: only[0] };
  const inDocument = tags.find(({ provider, name }) => provider === "document" && name !== null)?.name;
  return { peoName: inDocument ? displayName(inDocument) : null, executiveId: null };
}

/** Marks a figure that is probably in another scale. What the rule does with real ones: docs/accuracy.md. */
function doubtScale(record: CeoPayRecord, records: readonly CeoPayRecord[], tags: readonly PeoTag[]): void {
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

/** Adds form, date and URL of the tagged filings that the dataset knows. */
function withFilings(dataset: Pick<Dataset, "all">, records: CeoPayRecord[]): CeoPayRecord[] {
  const wanted = records.flatMap(({ basis, source }) =>
    basis === "tag" && source !== null ? [source.accession] : [],
  );
  if (wanted.length === 0) return records;
  const known = new Map(
    dataset
      .all<CompensationSource>(
        "select form, accession, filing_date, url as filing_url from filings where accession in (select value from json_each(?))",
        JSON.stringify([...new Set(wanted)]),
      )
      .map((filing) => [filing.accession, filing] as const),
  );
  return records.map((record) =>
    record.basis === "tag" && record.source !== null
      ? { ...record, source: known.get(record.source.accession) ?? record.source }
      : record,
  );
}
