/**
 * What a viewer of pages may see, at the grain of rows and totals: everything that ranks, orders, counts, aggregates or draws
 * takes its rows through `Sight`. @see docs/contract.md, "Pages"
 */
import { elementAt, int32At, uint16At, uint8At } from "../lib/checked-access.ts";
import { BoundedCache } from "../lib/cache.ts";
import { isMeasure } from "../domain/row-fields.ts";
import { LATEST, TAGGED } from "../dataset/columns/ceo-pay-columns.ts";
import { type Columns, PEO } from "../dataset/columns/columns.ts";
import { numberOf } from "../dataset/arrays.ts";
import type { ResolvedCeoPay, ResolvedSelection } from "./company-years.ts";
import { rowBefore } from "./measures.ts";

/**
 * What was opened: the rows of a selection; these and the same executives' of the year before; chief executives' totals;
 * rows and totals of every year; every row and total of companies.
 */
export type Opening =
  | { kind: "rows" | "changes"; selection: ResolvedSelection }
  | { kind: "totals"; selection: ResolvedCeoPay }
  | { kind: "statistics"; selection: ResolvedSelection; totals: ResolvedCeoPay | null }
  | { kind: "companies"; ciks: readonly string[] };

/** What somebody may see who does not see everything. */
export interface Sight {
  /** Every company's latest fiscal year with rows, and its newest known total. */
  latest: boolean;
  opened: readonly Opening[];
}

/** 1 for each row and each record of CEO pay that somebody may see. */
export interface Masks {
  rows: Uint8Array;
  /** Rows whose change on the year before may be seen too, or that have none. */
  changes: Uint8Array;
  totals: Uint8Array;
}

/** How questions over rows and totals are answered, to find what is opened with them. */
interface Finders {
  rowsOf: (selection: ResolvedSelection) => Int32Array;
  totalsOf: (selection: ResolvedCeoPay) => readonly number[];
}

/** Bytes of masks that are kept: a viewer's pages ask several questions each. */
const KEPT_BYTES = 4 << 20;

/** Returns what finds the masks of somebody. */
export function createMasks(columns: Columns, finders: Finders): (sight: Sight) => Masks {
  const kept = new BoundedCache<string, Masks>(
    KEPT_BYTES,
    ({ rows, totals }, key) => 2 * rows.length + totals.length + 2 * key.length,
  );
  return (sight) => kept.getOrMake(JSON.stringify(sight), () => masksOf(columns, finders, sight));
}

function masksOf(columns: Columns, finders: Finders, { latest, opened }: Sight): Masks {
  const { companyYears, ceoPay: pay } = columns;
  const rows = new Uint8Array(columns.rows);
  const totals = new Uint8Array(pay.key.length);
  const openYear = (year: number) =>
    rows.fill(1, int32At(companyYears.first, year), int32At(companyYears.first, year + 1));
  if (latest) {
    for (let year = 0; year < companyYears.latest.length; year++)
      if (companyYears.latest[year] === 1) openYear(year);
    pay.traits.forEach((traits, at) => {
      if ((traits & LATEST) !== 0) totals[at] = 1;
    });
  }
  const before = rowBefore(columns);
  for (const one of opened) {
    if (one.kind === "companies") {
      const ciks = new Set(one.ciks);
      const isNamed = (company: number) => ciks.has(elementAt(columns.companies, company).cik);
      companyYears.company.forEach((company, year) => {
        if (isNamed(company)) openYear(year);
      });
      pay.company.forEach((company, at) => {
        if (isNamed(company)) totals[at] = 1;
      });
      continue;
    }
    const records = one.kind === "totals" ? one.selection : one.kind === "statistics" ? one.totals : null;
    if (records !== null) for (const at of finders.totalsOf(records)) totals[at] = 1;
    if (one.kind === "totals") continue;
    for (const row of finders.rowsOf(one.selection)) {
      rows[row] = 1;
      const other = one.kind === "changes" ? before(row) : -1;
      if (other >= 0) rows[other] = 1;
    }
  }
  openTotalsOfRows(columns, rows, totals);
  const changes = rows.map((open, row) =>
    open === 0 || before(row) < 0 ? open : uint8At(rows, before(row)),
  );
  return { rows, changes, totals };
}

/** A total whose row may be seen may be seen. */
function openTotalsOfRows(columns: Columns, rows: Uint8Array, totals: Uint8Array): void {
  const { ceoPay: pay, companyYears, traits, amounts } = columns;
  const years = new Map<string, number>();
  companyYears.company.forEach((company, year) => {
    years.set(`${company} ${int32At(companyYears.fiscalYear, year)}`, year);
  });
  pay.key.forEach((_, at) => {
    const year = years.get(`${int32At(pay.company, at)} ${int32At(pay.fiscalYear, at)}`);
    if (year === undefined || (uint8At(pay.traits, at) & TAGGED) !== 0 || totals[at] === 1) return;
    const end = int32At(companyYears.first, year + 1);
    for (let row = int32At(companyYears.first, year); row < end; row++) {
      const isIts =
        (uint16At(traits, row) & PEO) !== 0 && numberOf(amounts.total_compensation, row) === pay.total[at];
      if (isIts && rows[row] === 1) totals[at] = 1;
    }
  });
}

/** How many rows and totals an opening holds, and how many of them could not be seen before. */
export function freshIn(
  masks: (sight: Sight) => Masks,
  sight: Sight,
  opening: Opening,
): { matched: number; fresh: number } {
  const [had, its] = [masks(sight), masks({ latest: false, opened: [opening] })];
  const counts = { matched: 0, fresh: 0 };
  for (const kind of ["rows", "totals"] as const) {
    its[kind].forEach((is, at) => {
      counts.matched += is;
      counts.fresh += is === 1 && had[kind][at] === 0 ? 1 : 0;
    });
  }
  return counts;
}

/** Whether a selection, or the order of its rows, tells other years than theirs. @param sort as in addresses */
export function tellsChanges({ amounts }: Pick<ResolvedSelection, "amounts">, sort = ""): boolean {
  const isChange = (name: string) => isMeasure(name) && name.startsWith("total_change");
  return isChange(sort.replace(/^-/, "")) || amounts.some(({ field }) => isChange(field));
}

/** What a page asks to show. */
export type Asked = Exclude<Opening, { kind: "companies" }>;

/**
 * Whether what is asked is open or a narrowing of something opened, by parameters alone: whether it has rows, a page that is
 * not open does not tell.
 */
export function isCovered(asked: Asked, { latest, opened }: Sight): boolean {
  const { selection } = asked;
  const isOfLatest = asked.kind !== "statistics" && selection.years.length === 0 && !choosesYear(selection);
  if (latest && isOfLatest && asked.kind !== "changes") return true;
  const companies = new Set(opened.flatMap((one) => (one.kind === "companies" ? one.ciks : [])));
  if (selection.onlyNamed && selection.ciks.length > 0 && selection.ciks.every((cik) => companies.has(cik)))
    return true;
  return opened.some((one) => {
    if (one.kind === "statistics") {
      const its = asked.kind === "totals" ? one.totals : one.selection;
      // Every year of it was opened.
      return (
        its !== null && asked.kind !== "changes" && narrows(selection, { ...its, years: selection.years })
      );
    }
    const isOfKind = one.kind === asked.kind || (one.kind === "changes" && asked.kind === "rows");
    return isOfKind && narrows(selection, one.selection);
  });
}

/** Whether the newest year is one with rows known in some way, which may be before the company's latest. */
function choosesYear(selection: ResolvedSelection | ResolvedCeoPay): boolean {
  return "evidence" in selection && selection.evidence !== null;
}

/** Whether a selection has all conditions of another, and more of those that only leave out rows. */
function narrows(asked: ResolvedSelection | ResolvedCeoPay, opened: typeof asked): boolean {
  // Without years both choose them: of another evidence others, and of a company that is named however old they are.
  const isLatest = opened.years.length === 0;
  if (isLatest && (choosesYear(asked) !== choosesYear(opened) || asked.onlyNamed !== opened.onlyNamed))
    return false;
  return Object.entries(opened).every(([name, condition]: [string, unknown]) => {
    const own: unknown = Object.entries(asked).find(([other]) => other === name)?.[1];
    if (name === "ciks" || name === "onlyNamed")
      return !opened.onlyNamed || (asked.onlyNamed && new Set(asked.ciks).isSubsetOf(new Set(opened.ciks)));
    if (name === "amounts" || name === "totals") return hasAll(own, condition);
    const isNone =
      condition === null || condition === false || (Array.isArray(condition) && condition.length === 0);
    return (isNone && name !== "years") || Bun.deepEquals(own, condition);
  });
}

function hasAll(own: unknown, bounds: unknown): boolean {
  const has = (one: unknown) => Array.isArray(own) && own.some((other) => Bun.deepEquals(one, other));
  return Array.isArray(bounds) && bounds.every(has);
}
