/** The figures of a selection by office, an own company measured against them, medians over the years. Totals of CEOs are of rows and tags. */
import { BY_FAMILY } from "../../charts/frame.ts";
import { type AmountField, byAmount } from "../../domain/row-fields.ts";
import { GROUPINGS, valueName } from "../../domain/selection.ts";
import { stateName } from "../../domain/states.ts";
import { writeCents } from "../../domain/amount.ts";
import type { CeoPayGroup } from "../../analysis/ceo-pay-questions.ts";
import type { FiguresQuestion } from "../../analysis/index.ts";
import type { GroupStatistics, Rank } from "../../analysis/statistics.ts";
import type { CeoPayGrouping } from "../../domain/ceo-pay-selection.ts";
import { leftOut, resolvedCeoPay } from "../../operations/ceo-pay.ts";
import { MAX_VALUES, MIN_RANKED, selectionOf } from "../../operations/rankings.ts";
import { isCovered, type Sight } from "../../analysis/sight.ts";
import { ceoPayFilters, type Filters, leavingOut, SHOWN } from "../filters.ts";
import { readCeoTotals } from "./ceo-totals.ts";
import type { Selected } from "./selected.ts";

/** The offices of the table: a row with both flags counts in both. */
export const OFFICES = [
  ["peo", "CEO"],
  ["pfo", "CFO"],
  ["other", "Other named officers"],
] as const;
/** One of them. */
export type Office = (typeof OFFICES)[number][0];

/** The lines of the table. */
export const FIELDS: readonly AmountField[] = [
  ...BY_FAMILY.filter((name) => name !== "unknown_component"),
  "total_compensation",
];
const TOTAL = { field: "total_compensation", groupBy: [], rankCik: null } as const;

/** Who asks about which rows. */
type Asker = Selected & { sight: Sight | null };

/** Figures of a group: of rows, or of one total a company. */
export type GroupFigures = Pick<
  GroupStatistics,
  "group" | "rows" | "companies" | "p10" | "p25" | "median" | "mean" | "p75" | "p90" | "max"
> & { incomplete_company_years?: number };

/** An own amount among those of the group; no rank among fewer than eight. */
export interface OwnFigure {
  value: number;
  rank: number | null;
  percentile: number;
  /** How many it is ranked among, itself included. */
  of: number;
}

/** The filters that all offices share. */
export function peersOf(filters: Filters): Filters {
  return leavingOut(
    filters,
    (name) => SHOWN.has(name) || name === "office" || name === "one_per_company_year",
  );
}

/** How a benchmark is asked. */
export interface BenchmarkAsked {
  /** The CIK of the own company. */
  own: string | null;
  /** Whether it is one of its peers. */
  includesOwn: boolean;
  everyRow: boolean;
  by: string;
}

/** Everything of one office. */
export async function readOffice(asker: Asker, office: Office, asked: BenchmarkAsked) {
  const { own, includesOwn, everyRow, by } = asked;
  const filters = filtersOf(peersOf(asker.filters), office, everyRow);
  const without = own === null || includesOwn ? {} : { without: own };
  const ownOf = own === null ? () => null : await readOwn(asker, office, { cik: own, everyRow });
  const byGroup = GROUPINGS.filter((name) => name === by && office === "peo");
  const questions = [
    ...FIELDS.map((field) => ({ ...TOTAL, field, rankValue: ownOf(field) })),
    ...(byGroup.length > 0 ? [{ ...TOTAL, groupBy: byGroup }] : []),
  ];
  const highest = { by: "total_compensation", descending: true, count: MAX_VALUES } as const;
  const { tables, values, ...found } = await askFigures(asker, filters, {
    without,
    questions,
    values: highest,
  });
  const tableOf = (field: AmountField) => tables[FIELDS.indexOf(field)];
  const rows = {
    of: byAmount((field): GroupFigures | null => tableOf(field)?.statistics[0] ?? null),
    own: byAmount((field) => ownFigure(tableOf(field), includesOwn)),
    groups: tables[FIELDS.length]?.statistics ?? [],
    values,
  };
  const totals = office === "peo" && !everyRow ? await readTotalsOf(asker, asked) : null;
  return {
    ...found,
    ...rows,
    ...(totals === null
      ? {}
      : {
          of: { ...rows.of, total_compensation: totals.of },
          own: { ...rows.own, total_compensation: totals.own },
          groups: totals.groups,
          values: totals.values,
        }),
    /** Whether the total is of rows and tags. */
    isOfAll: totals !== null,
  };
}

function filtersOf(peers: Filters, office: Office, everyRow: boolean): Filters {
  return { ...peers, office, ...(everyRow || office === "other" ? {} : { one_per_company_year: "true" }) };
}

/** Statistics of the rows that filters leave. */
function askFigures(
  { deps, dataset, sight }: Asker,
  filters: Filters,
  {
    without = {},
    values = null,
    ...asked
  }: Pick<FiguresQuestion, "questions" | "sameCompanies"> & {
    without?: { without?: string };
    values?: FiguresQuestion["values"];
  },
) {
  const selection = { ...selectionOf(dataset, filters), ...without };
  return deps.analyst.ask(dataset, { kind: "figures", selection, sight, values, ...asked });
}

/** The amounts of the own company in the same years: its highest row of an office, the average of its other officers. */
async function readOwn(asker: Asker, office: Office, { cik, everyRow }: { cik: string; everyRow: boolean }) {
  const filters = filtersOf({ ...ofYears(asker.filters), cik }, office, everyRow);
  const { tables } = await askFigures(asker, filters, {
    questions: FIELDS.map((field) => ({ ...TOTAL, field })),
  });
  return (field: AmountField): number | null => {
    const group = tables[FIELDS.indexOf(field)]?.statistics[0];
    return group === undefined ? null : office === "other" ? group.mean : group.max;
  };
}

/** The filters that say which years. */
function ofYears(filters: Filters): Filters {
  return leavingOut(filters, (name) => !name.startsWith("fiscal_year") && name !== "reporting_currency");
}

function ownFigure(
  table: { statistics: GroupStatistics[]; ranks: Rank[] } | undefined,
  includesOwn: boolean,
): OwnFigure | null {
  const [rank] = table?.ranks ?? [];
  if (rank === undefined) return null;
  const peers = table?.statistics[0]?.rows ?? 0;
  return placed(rank.value, {
    above: rank.rank - 1,
    below: Math.round(rank.percentile * peers),
    peers,
    includesOwn,
  });
}

/** A value among others. @see https://support.microsoft.com/office/percentrank-inc-function */
function placed(
  value: number,
  { above, below, peers, includesOwn }: { above: number; below: number; peers: number; includesOwn: boolean },
): OwnFigure {
  const of = includesOwn ? peers : peers + 1;
  const percentile = of < 2 ? 1 : below / (of - 1);
  return { value, rank: of < MIN_RANKED ? null : above + 1, percentile, of };
}

const decoder = new TextDecoder();

/** The newest known totals of CEOs, or those of the selection's years; null where it has a filter that totals do not have. */
async function readTotalsOf(asker: Asker, { own, includesOwn, by }: BenchmarkAsked) {
  const { deps, dataset, sight } = asker;
  const peers = ceoPayFilters(peersOf(asker.filters));
  if (peers === null) return null;
  const ask = async (filters: Filters, groupBy: readonly CeoPayGrouping[] = [], isOwn = false) => {
    const without = own === null || includesOwn || isOwn ? {} : { without: own };
    const selection = { ...resolvedCeoPay(dataset, filters), ...without };
    const question = { kind: "ceo_pay_statistics", selection, sight, groupBy, sameCompanies: false } as const;
    return groupsIn((await deps.analyst.ask(dataset, question)).json);
  };
  const byGroup = GROUPINGS.filter((name): name is CeoPayGrouping => name === by);
  const [[of = null], groups, values, [mine]] = await Promise.all([
    ask(peers),
    byGroup.length > 0 ? ask(peers, byGroup) : [],
    totalsIn(asker, peers, own === null || includesOwn ? {} : { without: own }),
    own === null ? [] : ask({ ...ofYears(asker.filters), cik: own }, [], true),
  ]);
  if (mine === undefined || of === null) return { of, groups, values, own: null };
  const bound = writeCents(Math.round(mine.max * 100));
  // A company counts once, with its highest total, so bounds from below alone count companies: of two
  // chief executives one may be above the bound and one below it.
  const [[above], [atLeast]] = await Promise.all([
    ask({ ...peers, peo_total_gt: bound }),
    ask({ ...peers, peo_total_gte: bound }),
  ]);
  const below = of.rows - (atLeast?.rows ?? 0);
  const counts = { above: above?.rows ?? 0, below, peers: of.rows, includesOwn };
  return { of, groups, values, own: placed(mine.max, counts) };
}

/** The totals of CEOs that a selection of rows stands for; null where they are not open, or it has a filter that totals do not have. */
export async function ceoFigures(asker: Asker): Promise<GroupFigures | null> {
  const { deps, dataset, sight } = asker;
  const peers = ceoPayFilters(peersOf(asker.filters));
  if (peers === null) return null;
  const selection = { ...resolvedCeoPay(dataset, peers), ...leftOut(asker.without) };
  if (sight !== null && !isCovered({ kind: "totals", selection }, sight)) return null;
  const question = {
    kind: "ceo_pay_statistics",
    selection,
    sight,
    groupBy: [],
    sameCompanies: false,
  } as const;
  const [group = null] = groupsIn((await deps.analyst.ask(dataset, question)).json);
  return group;
}

function groupsIn(json: Uint8Array): GroupFigures[] {
  // The analysis wrote exactly these.
  const groups = JSON.parse(`[${decoder.decode(json)}]`) as CeoPayGroup[];
  return groups.map((group) => ({ ...group, rows: group.records }));
}

/** Totals to draw. */
async function totalsIn(asker: Asker, filters: Filters, without: { without?: string }) {
  const records = await readCeoTotals(asker, filters, { count: MAX_VALUES, companies: without });
  return records.map(({ peo_total: total }) => total);
}

/** The median of each office in a year, of how many, and the own CEO's total. */
export interface TrendYear {
  year: number;
  medians: (number | null)[];
  counts: number[];
  own: number | null;
  isPartial: boolean;
}

/** Medians by year, in the order of the offices. @param same whether of companies that have every year; null: where their number differs by more than a tenth */
export async function readTrend(
  asker: Asker,
  { own, includesOwn, everyRow }: BenchmarkAsked,
  same: boolean | null,
): Promise<{ years: TrendYear[]; isSame: boolean }> {
  const { deps, dataset, sight } = asker;
  const without = own === null || includesOwn ? {} : { without: own };
  const shared = leavingOut(peersOf(asker.filters), (name) => name.startsWith("fiscal_year"));
  const totals = everyRow ? null : ceoPayFilters(shared);
  const ofTotals = async (filters: Filters, sameCompanies: boolean, leftOut: { without?: string }) => {
    const selection = { ...resolvedCeoPay(dataset, filters), ...leftOut };
    const groupBy = ["fiscal_year"] as const;
    const question = { kind: "ceo_pay_statistics", selection, sight, groupBy, sameCompanies } as const;
    return groupsIn((await deps.analyst.ask(dataset, question)).json);
  };
  const ofOffice = async (
    office: Office,
    years: Filters,
    sameCompanies: boolean,
  ): Promise<GroupFigures[]> => {
    if (office === "peo" && totals !== null) return ofTotals({ ...totals, ...years }, sameCompanies, without);
    const filters = filtersOf({ ...shared, ...years }, office, everyRow);
    const questions = [{ ...TOTAL, groupBy: ["fiscal_year" as const] }];
    const { tables } = await askFigures(asker, filters, { without, questions, sameCompanies });
    return tables[0]?.statistics ?? [];
  };
  const read = (years: Filters, sameCompanies: boolean) =>
    Promise.all(OFFICES.map(([office]) => ofOffice(office, years, sameCompanies)));
  const all = await read({ fiscal_year_gte: "0" }, false);
  const [ceos = []] = all;
  // A median of a few companies is not one of the group.
  const most = Math.max(0, ...ceos.map(({ companies }) => companies));
  const kept = ceos.filter(({ companies }) => companies * 4 >= most);
  const [first, last] = [Math.min(...kept.map(yearOf)), Math.max(...kept.map(yearOf))];
  if (kept.length === 0) return { years: [], isSame: false };
  const differs = kept.some(({ companies }) => companies * 1.1 < most);
  const bounds = { fiscal_year_gte: String(first), fiscal_year_lte: String(last) };
  const isSame = same ?? differs;
  const found = isSame ? await read(bounds, true) : all;
  const mine = own === null ? [] : await ofTotals({ cik: own, ...bounds }, false, {});
  const years = kept.map(yearOf).toSorted((a, b) => a - b);
  return {
    isSame,
    years: years.flatMap((year): TrendYear[] => {
      const groups = found.map((of) => of.find((one) => yearOf(one) === year));
      if (groups.every((one) => one === undefined)) return [];
      return [
        {
          year,
          medians: groups.map((one) => one?.median ?? null),
          counts: groups.map((one) => one?.companies ?? 0),
          own: mine.find((one) => yearOf(one) === year)?.max ?? null,
          isPartial: groups.slice(1).some(isMostlyPartial),
        },
      ];
    }),
  };
}

function isMostlyPartial(of: Partial<GroupStatistics> | undefined): boolean {
  return (of?.incomplete_company_years ?? 0) * 2 > (of?.company_years ?? 0);
}

function yearOf({ group }: Pick<GroupFigures, "group">): number {
  return Number(group["fiscal_year"] ?? 0);
}

function groupName(by: string, value: string): string {
  if (value === "") return "Not known";
  if (by === "index" && value === "none") return "Not in the S&P 500";
  return by === "state" ? stateName(value) : valueName(value);
}

/** Groups as lines of a table, highest median first. */
export function kindsOf(groups: readonly GroupFigures[], by: string) {
  const kinds = groups.map((of) => {
    const value = String(of.group[by] ?? "");
    return { value, label: groupName(by, value), of };
  });
  return kinds.toSorted((a, b) => b.of.median - a.of.median);
}
