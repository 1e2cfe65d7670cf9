/** The selection of rankings, statistics and totals: read from the address, told in words. */
import { readCents, writeCents } from "../../domain/amount.ts";
import { type Parameter, wordMeant } from "../../domain/parameters.ts";
import { SELECTION_PARAMETERS, valueName } from "../../domain/selection.ts";
import { stateName } from "../../domain/states.ts";
import { html } from "../../lib/html.ts";
import { plural } from "../../lib/text.ts";
import { lookUpsOf, meantBy, noGroup, type RequestedCompanies, requestedCompanies } from "./groups.ts";
import type { PageVisit } from "../page-visit.ts";
import { noPage } from "../refusals.ts";
import { type OwnCompany, readOwn } from "./own-company.ts";
import { namesOf } from "../parts/names.ts";
import { money } from "../parts/amounts.ts";
import { type Filters, selectedCurrency } from "../filters.ts";

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

const PARAMETERS: readonly Parameter[] = SELECTION_PARAMETERS;

/** The selection of an address. */
export interface Selected extends PageVisit, Omit<OwnCompany, "includesOwn"> {
  /** The parameters that were understood, each once. */
  given: URLSearchParams;
  /** A list or peer group is in `cik`; with `sort` and `cursor`. */
  filters: Filters;
  /** The list or group of the address; null if there is none. */
  companies: RequestedCompanies | null;
  /** Why the amount that was typed could not be read. */
  problem: string | null;
  /** The CIK of the own company where it is not one of them: it is left out. */
  without: string | null;
  /** Companies meant by entries that match none. */
  meant: readonly { ticker: string; cik: string; label: string }[];
}

/** Reads the selection of an address; refuses one that cannot be used. */
export async function readSelected(visit: PageVisit): Promise<Selected> {
  const { searchParams } = visit.url;
  const given = new URLSearchParams();
  // Of a repeated parameter the first counts, which is the one the form shows.
  for (const name of new Set(searchParams.keys())) {
    const value = name === "columns" ? searchParams.getAll(name).join(",") : (searchParams.get(name) ?? "");
    if (value !== "" && KNOWN.has(name)) given.set(name, value);
  }
  for (const { name, words, kind } of PARAMETERS) {
    const value = given.get(name);
    if (words !== undefined && kind === "text" && value !== null)
      given.set(name, wordMeant(words, value) ?? value);
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
  const { own, ownUnknown, includesOwn } = readOwn(visit, given);
  const ownCik = own?.company.cik ?? null;
  const measured = { own, ownUnknown, without: includesOwn ? null : ownCik };
  const selected = { ...visit, given, filters, companies: null, problem, meant: [], ...measured };
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
    throw noPage("Not found", html`None of the companies in this list was found.${hint}`);
  }
  const ciks = new Set(companies.found.map(({ company }) => company.cik));
  if (includesOwn && ownCik !== null) ciks.add(ownCik);
  filters["cik"] = [...ciks].join(",");
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
    state === undefined ? "" : ` based in ${stateName(state)}`,
    filer === undefined ? "" : `, ${plural(valueName(filer).toLowerCase())}`,
    amount === undefined ? "" : ` with at least ${money(Number(amount), selectedCurrency(filters))}`,
  ];
  const bounds = ["gte", "lte", "gt", "lt"].flatMap((bound) => {
    const limit = filters[`fiscal_year_${bound}`];
    const word = { gte: "from", lte: "to", gt: "after", lt: "before" }[bound] ?? "";
    return limit === undefined ? [] : [`${word} ${limit}`];
  });
  const when =
    year !== undefined
      ? `fiscal ${year}`
      : bounds.length > 0
        ? `fiscal years ${bounds.join(" ")}`
        : "latest year";
  return `${words.join("")}, ${when}`;
}
