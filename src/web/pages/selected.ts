/** The selection of rankings, statistics and totals: read from the address, told in words. */
import { readCents, writeCents } from "../../domain/amount.ts";
import { SELECTION_PARAMETERS } from "../../domain/selection.ts";
import { html } from "../../lib/html.ts";
import { lookUpsOf, meantBy, noGroup, type RequestedCompanies, requestedCompanies } from "./groups.ts";
import type { PageVisit } from "../deps.ts";
import { noPage } from "../show.ts";
import { namesOf } from "../parts/names.ts";

/** Filters as the query operation accepts them. */
export type Filters = Readonly<Record<string, string>>;

/** The smallest total. */
export const AMOUNT = "total_compensation_gte";
/** Filters with a field in the form. */
const FIELDS =
  "office fiscal_year sector index state filer_category group companies one_per_company_year".split(" ");
/** Those that only the address can have. */
export const FURTHER = SELECTION_PARAMETERS.map(({ name }) => name).filter(
  (name) => name !== AMOUNT && !FIELDS.includes(name),
);
/** How the page shows its rows; part of no selection. */
export const DISPLAY = ["sort", "columns", "unit", "own", "include_own", "same", "by"];
const KNOWN = new Set([AMOUNT, "cursor", ...FIELDS, ...FURTHER, ...DISPLAY]);

/** The selection of an address. */
export interface Selected extends PageVisit {
  /** The parameters that were understood, each once. */
  given: URLSearchParams;
  /** A list or peer group is in `cik`; with `sort` and `cursor`. */
  filters: Filters;
  /** The list or group of the address; null if there is none. */
  companies: RequestedCompanies | null;
  /** Why the amount that was typed could not be read. */
  problem: string | null;
  /** Companies meant by entries that match none. */
  meant: readonly { ticker: string; cik: string; label: string }[];
}

/** Reads the selection of an address; throws the page that says why it cannot be used. */
export async function readSelected(visit: PageVisit): Promise<Selected> {
  const { searchParams } = visit.url;
  const given = new URLSearchParams();
  // Of a repeated parameter the first counts, which is the one the form shows.
  for (const name of new Set(searchParams.keys())) {
    const value = name === "columns" ? searchParams.getAll(name).join(",") : (searchParams.get(name) ?? "");
    if (value !== "" && KNOWN.has(name)) given.set(name, value);
  }
  const filters: Record<string, string> = Object.fromEntries(given);
  for (const name of ["companies", "group", ...DISPLAY]) if (name !== "sort") delete filters[name];
  const typed = given.get(AMOUNT);
  const amount = typed === null ? undefined : plainAmount(typed);
  if (amount === undefined) delete filters[AMOUNT];
  else filters[AMOUNT] = amount;
  const problem =
    typed === null || amount !== undefined
      ? null
      : `Cannot read “${typed.slice(0, 30)}”: expected an amount such as 20m or 20,000,000.`;
  const selected = { ...visit, given, filters, companies: null, problem, meant: [] };
  if (!given.has("companies") && !given.has("group")) return selected;
  const companies = await requestedCompanies(visit, {
    group: given.get("group"),
    list: given.get("companies"),
  });
  if (companies.group === undefined) throw noGroup();
  const meant = meantBy(visit.dataset, companies.unknown, lookUpsOf(visit));
  if (companies.found.length === 0) {
    const [first] = meant;
    const hint =
      first &&
      html` Did you mean <a href="?companies=${first.ticker || `CIK${first.cik}`}">${first.label}</a>?`;
    throw noPage(404, "Not found", html`None of the companies in this list was found.${hint}`);
  }
  filters["cik"] = companies.found.map(({ company }) => company.cik).join(",");
  return { ...selected, companies, meant };
}

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(k|thousand)$/, 1e3],
  [/^(m|mm|mn|million|millions)$/, 1e6],
  [/^(b|bn|billion|billions)$/, 1e9],
];

/** Longest amount that is read, in characters. */
const MAX_TYPED = 40;

/** `20m`, `$20,000,000`, `1.5 million` as the query operation accepts it; undefined for anything that could mean two things. */
function plainAmount(typed: string): string | undefined {
  if (typed.length > MAX_TYPED) return undefined;
  const [, figures = "", unit = ""] = /^\$?\s*(\d[\d., ]*)([a-z]*)$/.exec(typed.trim().toLowerCase()) ?? [];
  const digits = figures.trim();
  const isGrouped = /^\d{1,3}([, ]\d{3})+(\.\d+)?$/.test(digits);
  if (!isGrouped && !/^\d+(\.\d{1,3})?$/.test(digits)) return undefined;
  const plain = digits.replaceAll(/[, ]/g, "");
  if (unit === "") return readCents(plain) === undefined ? undefined : plain;
  const scale = SCALES.find(([words]) => words.test(unit))?.[1];
  const units = scale === undefined ? Number.NaN : Number(plain) * scale;
  return Number.isSafeInteger(Math.round(units * 100)) ? writeCents(Math.round(units * 100)) : undefined;
}

/** The filters without those that are meant. */
export function leavingOut(filters: Filters, isMeant: (name: string) => boolean): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !isMeant(name)));
}

/** Which of the rows are shown first; part of no selection. */
export const SHOWN: ReadonlySet<string> = new Set(["sort", "cursor"]);

/** Parameters of a selection that one total a company has too. */
const OF_TOTALS =
  /^(cik|ticker|sector|sic|state|index|filer_category|reporting_currency|cursor|fiscal_year(_[a-z]{2,3})?|peo_total_[a-z]{2,3})$/;

/** The filters of a selection in the words of one total a company; those that it does not have are left out. */
export function ofTotals(filters: Filters): Filters {
  const renamed = Object.entries(filters).map(
    ([name, value]) => [name.replace(/^total_compensation_/, "peo_total_"), value] as const,
  );
  return Object.fromEntries(renamed.filter(([name]) => OF_TOTALS.test(name)));
}

/** The same; null where the selection has a filter that totals do not have. */
export function ceoPayFilters(filters: Filters): Filters | null {
  const shared = leavingOut(filters, (name) => SHOWN.has(name) || OF_OFFICE.has(name));
  const found = ofTotals(shared);
  return Object.keys(found).length === Object.keys(shared).length ? found : null;
}

/** Filters that say which of the rows of a company-year. */
const OF_OFFICE: ReadonlySet<string> = new Set(["office", "one_per_company_year"]);

/** Filters on what is public of companies: which they are, and which years are held. */
const OF_COMPANIES =
  /^(cik|ticker|sector|sic|state|index|filer_category|sort|cursor|fiscal_year(_[a-z]{2,3})?)$/;

/** Whether a selection can be counted before it is opened: all of its filters are on public facts. */
export function isOfPublicFacts(filters: Filters): boolean {
  return Object.keys(filters).every((name) => OF_COMPANIES.test(name));
}

/** The rest of a title: ` in energy, fiscal 2024`. */
export function selectionWords(filters: Filters, companies: RequestedCompanies | null): string {
  const { sector, index, state, filer_category: filer, fiscal_year: year } = filters;
  const amount = filters[AMOUNT];
  const words = [
    companies?.group
      ? ` at ${companies.group.name}`
      : companies === null
        ? ""
        : ` at ${namesOf(companies.found, 3)}`,
    sector === undefined ? "" : ` in ${sector.replaceAll("_", " ")}`,
    index === "sp500" ? " of the S&P 500" : "",
    state === undefined ? "" : ` based in ${state}`,
    filer === undefined ? "" : `, ${filer.replaceAll("_", " ")}s`,
    amount === undefined ? "" : ` with at least $${Number(amount).toLocaleString("en-US")}`,
  ];
  const bounds = ["gte", "lte", "gt", "lt"].flatMap((bound) => {
    const limit = filters[`fiscal_year_${bound}`];
    const word = { gte: "from", lte: "to", gt: "after", lt: "before" }[bound] ?? "";
    return limit === undefined ? [] : [`${word} ${limit}`];
  });
  const when =
    year !== undefined ? `fiscal ${year}` : bounds.length > 0 ? `fiscal ${bounds.join(" ")}` : "latest year";
  return `${words.join("")}, ${when}`;
}
