/** The selection of rankings and statistics: read from the address, shown as pressed filters, told in words. */
import type { PeerGroup } from "../../accounts/peer-groups.ts";
import { AMOUNT_FIELD, AMOUNTS } from "../../domain/row-fields.ts";
import {
  FILER_CATEGORIES,
  INDEXES,
  SECTORS,
  SELECTION_PARAMETERS,
  SORT_KEYS,
} from "../../domain/selection.ts";
import { type Html, html } from "../../html.ts";
import { readCents, writeCents } from "../../domain/amount.ts";
import { type Dataset, nearestCompany, sectorName } from "../../operations/page-data.ts";
import { type RequestedCompanies, requestedCompanies, showNoGroup } from "../company-lists.ts";
import type { WebDeps } from "../deps.ts";
import { showProblem } from "../show.ts";
import type { Viewer } from "../viewer.ts";
import { type Column, COLUMNS, nameInList, pathOf, readColumns, shortName, UNITS } from "./parts.ts";

/** Filters as the query operation accepts them. */
export type Filters = Readonly<Record<string, string>>;

const AMOUNT = "total_compensation_gte";
/** Filters with a field in the form. */
const FIELDS = [
  "office",
  "fiscal_year",
  "sector",
  "index",
  "state",
  "filer_category",
  "group",
  "companies",
  AMOUNT,
  "one_per_company_year",
];
/** Those that only the address can have. */
const FURTHER = SELECTION_PARAMETERS.map(({ name }) => name).filter((name) => !FIELDS.includes(name));
/** How the page shows its rows; part of no selection. */
const DISPLAY = ["sort", "columns", "unit", "own", "by"];
const KNOWN = new Set([
  ...FIELDS.filter((name) => ["group", "companies"].includes(name) || isParameter(name)),
  ...FURTHER,
  ...DISPLAY,
  "cursor",
]);

function isParameter(name: string): boolean {
  return SELECTION_PARAMETERS.some((one) => one.name === name);
}

/** The selection of an address. */
export interface Selected {
  viewer: Viewer;
  dataset: Dataset;
  /** The parameters that were understood, each once. */
  given: URLSearchParams;
  /** A list or peer group is in `cik`; with `sort` and `cursor`. */
  filters: Filters;
  /** The list or group of the address; null if there is none. */
  companies: RequestedCompanies | null;
  /** What could not be read, for the field it was typed into. */
  problem: { name: string; message: string } | null;
  /** Companies meant by entries that match none. */
  meant: readonly { ticker: string; cik: string; label: string }[];
}

/** Entries that get a suggestion; each takes a search. */
const MAX_SUGGESTED = 3;

/** Reads the selection of an address; returns the page that says why it cannot be used. */
export async function readSelected(
  deps: WebDeps,
  request: Request,
  viewer: Viewer,
): Promise<Selected | Response> {
  const dataset = deps.snapshots.current();
  const { searchParams } = deps.contextOf(request).url;
  const given = new URLSearchParams();
  // Of a repeated parameter the first counts, which is the one the form shows.
  for (const name of new Set(searchParams.keys())) {
    const value = name === "columns" ? searchParams.getAll(name).join(",") : (searchParams.get(name) ?? "");
    if (value !== "" && KNOWN.has(name)) given.set(name, value);
  }
  const { companies: list, group, ...rest }: Record<string, string> = Object.fromEntries(given);
  for (const name of DISPLAY) if (name !== "sort") delete rest[name];
  let problem: Selected["problem"] = null;
  const typed = rest[AMOUNT];
  if (typed !== undefined) {
    const amount = plainAmount(typed);
    if (amount === undefined) {
      problem = {
        name: AMOUNT,
        message: `Cannot read “${typed.slice(0, 30)}”: expected an amount such as 20m or 20,000,000.`,
      };
      delete rest[AMOUNT];
    } else rest[AMOUNT] = amount;
  }
  if (list === undefined && group === undefined)
    return { viewer, dataset, given, filters: rest, companies: null, problem, meant: [] };
  const companies = await requestedCompanies(deps, dataset, viewer, {
    group: group ?? null,
    list: list ?? null,
  });
  if (companies.group === undefined) return showNoGroup(viewer);
  const guesses = await Promise.all(
    companies.unknown.slice(0, MAX_SUGGESTED).map((one) => nearestCompany(dataset, one)),
  );
  if (companies.found.length === 0) {
    const [meant] = guesses;
    const hint =
      meant &&
      html` Did you mean <a href="?companies=${meant.ticker || `CIK${meant.cik}`}">${meant.label}</a>?`;
    return showProblem(viewer, 404, "Not found", html`None of the companies in this list was found.${hint}`);
  }
  const cik = companies.found.map(({ company }) => company.cik).join(",");
  const meant = guesses.filter((one) => one !== undefined);
  return { viewer, dataset, given, filters: { ...rest, cik }, companies, problem, meant };
}

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(k|thousand)$/, 1e3],
  [/^(m|mm|mn|million|millions)$/, 1e6],
  [/^(b|bn|billion|billions)$/, 1e9],
];

/** `20m`, `$20,000,000`, `1.5 million` as the query operation accepts it; undefined for anything that could mean two things. */
export function plainAmount(typed: string): string | undefined {
  const [, digits = "", unit = ""] = /^\$?\s*([\d., ]*\d)\s*([a-z]*)$/.exec(typed.trim().toLowerCase()) ?? [];
  const isGrouped = /^\d{1,3}([, ]\d{3})+(\.\d+)?$/.test(digits);
  if (!isGrouped && !/^\d+(\.\d{1,3})?$/.test(digits)) return undefined;
  const plain = digits.replaceAll(/[, ]/g, "");
  if (unit === "") return readCents(plain) === undefined ? undefined : plain;
  const scale = SCALES.find(([words]) => words.test(unit))?.[1];
  const units = scale === undefined ? Number.NaN : Number(plain) * scale;
  return Number.isSafeInteger(Math.round(units * 100)) ? writeCents(Math.round(units * 100)) : undefined;
}

/**
 * Whether a selection is of each company's latest year only, which an operator can make public: no year, no further page,
 * nothing that tells another year.
 */
export function isLatest(filters: Filters): boolean {
  const tells = (name: string) =>
    name === "cursor" || name.startsWith("fiscal_year") || name.startsWith("total_change");
  return !Object.keys(filters).some(tells) && !/^-?(total_change|fiscal_year)/.test(filters["sort"] ?? "");
}

/** Longest subject stored in full: longer ones (lists of companies) are stored as a hash. */
const MAX_SUBJECT = 200;

/** What is opened: the selection, in any order of its rows. */
export function subjectOf(kind: string, { sort: _sort, cursor: _cursor, ...filters }: Filters): string {
  const query = new URLSearchParams(filters);
  query.sort();
  const subject = `${kind} ${query}`;
  return subject.length <= MAX_SUBJECT ? subject : `${kind} sha256 ${Bun.SHA256.hash(subject, "hex")}`;
}

/** The address of a page with some parameters changed; empty ones are left out. */
export function addressWith(path: string, given: URLSearchParams, changed: Filters): string {
  const query = new URLSearchParams(given);
  for (const [name, value] of Object.entries(changed)) query.set(name, value);
  for (const name of new Set(query.keys())) if (query.get(name) === "") query.delete(name);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The rest of a title: ` in energy, fiscal 2024`. */
export function selectionWords(
  filters: Filters,
  companies: RequestedCompanies | null,
  _dataset: Dataset,
): string {
  const { sector, index, state, filer_category: filer, fiscal_year: year } = filters;
  const amount = filters[AMOUNT];
  const words = [
    companies?.group ? ` at ${companies.group.name}` : companies === null ? "" : atCompanies(companies),
    sector === undefined ? "" : ` in ${sector.replaceAll("_", " ")}`,
    index === "sp500" ? " of the S&P 500" : "",
    state === undefined ? "" : ` based in ${state}`,
    filer === undefined ? "" : `, ${filer.replaceAll("_", " ")}s`,
    amount === undefined ? "" : ` with at least $${Number(amount).toLocaleString("en-US")}`,
  ];
  const bounds = ["gte", "lte", "gt", "lt"].flatMap((bound) => {
    const asked = filters[`fiscal_year_${bound}`];
    const word = { gte: "from", lte: "to", gt: "after", lt: "before" }[bound] ?? "";
    return asked === undefined ? [] : [`${word} ${asked}`];
  });
  const when =
    year !== undefined ? `fiscal ${year}` : bounds.length > 0 ? `fiscal ${bounds.join(" ")}` : "latest year";
  return `${words.join("")}, ${when}`;
}

function atCompanies({ found }: RequestedCompanies): string {
  const names = found.slice(0, 3).map(({ company }) => shortName(company.name));
  if (found.length > 3) return ` at ${names.slice(0, 2).join(", ")} and ${found.length - 2} more`;
  return ` at ${names.length > 1 ? `${names.slice(0, -1).join(", ")} and ` : ""}${names.at(-1) ?? ""}`;
}

/** The values that a filter offers, each with its label. */
type Choices = readonly (readonly [value: string, label: string])[];

const SORT_CHOICES: Choices = [
  ["", "Total, highest first"],
  ["total_compensation", "Total, lowest first"],
  ["total_change", "Fell most"],
  ["-total_change", "Rose most"],
  ["total_change_percent", "Fell most, in percent"],
  ["-total_change_percent", "Rose most, in percent"],
  ["-equity_share", "Equity share"],
  ["-cash_share", "Cash share"],
  ...AMOUNTS.filter((name) => name !== "total_compensation").map(
    (name) => [`-${name}`, AMOUNT_FIELD[name].label] as const,
  ),
  ["company_name", "Company"],
];

/** What the filters of a page are drawn from. */
export interface FilterView {
  selected: Selected;
  /** Peer groups that the viewer can choose from. */
  groups: readonly PeerGroup[];
  /** Fiscal years that the dataset has, newest first. */
  years: readonly number[];
}

/** A field of the chips: a choice, with its name where nothing is chosen. */
export function chip(given: URLSearchParams, label: string, name: string, choices: Choices): Html {
  const value = given.get(name) ?? "";
  return html`<label
    ><span class="away">${label}</span
    ><select name="${name}" class="${value !== "" && "set"}" data-press>
      ${choices.map(([one, words]) => html`<option value="${one}" ${value === one && html`selected`}>${words}</option>`)}
    </select></label
  >`;
}

/** The filters: pressed with the script, submitted with a button without it. */
// oxlint-disable-next-line max-lines-per-function -- a list of fields
export function filterChips(
  { selected, groups, years }: FilterView,
  path: string,
  more: { fields?: Html; end?: Html } = {},
): Html {
  const { given, companies, problem } = selected;
  const sortable: readonly string[] = ["", ...SORT_KEYS];
  const sorts = SORT_CHOICES.filter(([key]) => sortable.includes(key.replace(/^-/, "")));
  const list =
    companies === null ? "" : [...companies.found.map(nameInList), ...companies.unknown].join(", ");
  const amount = given.get(AMOUNT) ?? "";
  const onePer = given.get("one_per_company_year") === "true";
  const set = [...given].filter(([name, value]) => value !== "" && !DISPLAY.includes(name)).length;
  return html`<details class="folded">
    <summary>Filters and sorting${set > 0 && ` (${set})`}</summary>
    <form class="chips" method="get" action="${path}">
      ${
        more.fields === undefined &&
        chip(given, "Office", "office", [
          ["", "All officers"],
          ["peo", "CEO"],
          ["pfo", "CFO"],
        ])
      }
      ${chip(given, "Fiscal year", "fiscal_year", [["", "Latest year"], ...years.map((year) => [String(year), `Fiscal ${year}`] as const)])}
      ${chip(given, "Sector", "sector", [["", "All sectors"], ...SECTORS.map((name) => [name, sectorName(name)] as const)])}
      ${chip(given, "Index", "index", [["", "Any index"], ...INDEXES.map((name) => [name, name === "sp500" ? "S&P 500" : name] as const)])}
      ${chip(given, "Filer category", "filer_category", [["", "Any filer"], ...FILER_CATEGORIES.map((name) => [name, sectorName(name)] as const)])}
      ${groups.length > 0 && chip(given, "Peer group", "group", [["", "No peer group"], ...groups.map(({ id, name }) => [id, name] as const)])}
      ${
        isParameter("state") &&
        html`<label
          ><span class="away">State</span
          ><input
            name="state"
            class="${given.has("state") && "set"}"
            value="${given.get("state") ?? ""}"
            placeholder="State"
            maxlength="2"
            size="3"
            data-press
        /></label>`
      }
      ${
        !given.has("group") &&
        html`<label
          ><span class="away">Companies, names or tickers</span
          ><input
            name="companies"
            class="${list !== "" && "set"}"
            value="${list}"
            placeholder="Companies"
            size="8"
            maxlength="4000"
            autocomplete="off"
            data-suggest="/suggest"
            data-several
            data-press
        /></label>`
      }
      <label
        ><span class="away">Total at least</span
        ><input
          name="${AMOUNT}"
          class="${amount !== "" && "set"}"
          value="${amount}"
          placeholder="Total ≥ 20m"
          maxlength="20"
          size="9"
          data-press
          ${problem?.name === AMOUNT && html`aria-invalid="true" aria-describedby="amount-problem"`}
      /></label>
      ${problem?.name === AMOUNT && html`<span class="error" id="amount-problem" role="alert">${problem.message}</span>`}
      ${
        more.fields === undefined &&
        html`<label class="choice"
          ><input
            type="checkbox"
            name="one_per_company_year"
            value="true"
            data-press
            ${onePer && html`checked`}
          />
          One per company</label
        >`
      }
      ${more.fields ?? html`${chip(given, "Sort by", "sort", sorts)} ${chip(given, "Units", "unit", Object.entries(UNITS))}`}
      ${FURTHER.map((name) => {
        const value = given.get(name) ?? "";
        return value !== "" && html`<input type="hidden" name="${name}" value="${value}" />`;
      })}
      ${more.end ?? ""}
      <button class="primary">Show</button>
    </form>
  </details>`;
}

/** The choice of columns, for the end of the chips. */
export function columnsFold({ given }: Selected, usual: readonly Column[]): Html {
  const shown = readColumns(given.get("columns"), usual);
  return html`<details class="fold end" data-usual="${usual.join(",")}">
    <summary>Columns</summary>
    <div>
      ${Object.entries(COLUMNS).map(
        ([name, label]) =>
          html`<label class="choice"
            ><input
              type="checkbox"
              name="columns"
              value="${name}"
              ${[...shown].some((one) => one === name) && html`checked`}
            />
            ${label}</label
          >`,
      )}
      <button>Apply</button>
    </div>
  </details>`;
}

/** Filters worded for people. */
const IN_WORDS: Readonly<Record<string, string>> = {
  "complete_only true": "complete fiscal years only",
};

/** What else narrows the selection: a list of companies, filters without a field. */
export function selectionNotes({ given, companies, meant }: Selected, path: string): Html {
  const active = FURTHER.map((name) => [name, given.get(name) ?? ""] as const).filter(
    ([, value]) => value !== "",
  );
  const texts = active.map(([name, value]) => IN_WORDS[`${name} ${value}`] ?? `${name} ${value}`);
  const without = Object.fromEntries(active.map(([name]) => [name, ""]));
  return html`${
    texts.length > 0 &&
    html`<p class="note">
      Also filtered: ${texts.join(", ")}.
      <a href="${addressWith(path, given, { ...without, cursor: "" })}">Remove</a>
    </p>`
  }
  ${companies !== null && narrowedTo(companies, addressWith(path, given, { companies: "", group: "", cursor: "" }))}
  ${meant.length > 0 && html`<p class="note">Did you mean ${meant.map((one, at) => html`${at > 0 && ", "}<a href="${addressWith(path, given, { companies: `${given.get("companies") ?? ""},${one.ticker || `CIK${one.cik}`}`, cursor: "" })}">${one.label}</a>`)}?</p>`}`;
}

/** Which companies a list or peer group narrows the selection to. */
function narrowedTo({ group, found, unknown }: RequestedCompanies, all: string): Html {
  const names = found.slice(0, found.length > 6 ? 5 : 6);
  return html`<p class="soft">
      ${group ? html`Peer group <a href="/groups/${group.id}">${group.name}</a>: ` : "Companies: "}
      ${names.map((one, at) => html`${at > 0 && ", "}<a href="${pathOf(one)}">${one.company.name}</a>`)}${found.length > names.length && ` and ${found.length - names.length} more`}.
      <a class="screen-only" href="${all}">All companies</a>
    </p>
    ${unknown.length > 0 && html`<p class="warning">No company found for ${unknown.slice(0, 20).join(", ")}${unknown.length > 20 && ", …"}.</p>`}`;
}
