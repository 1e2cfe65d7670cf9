/** The filters of a selection as a form: fields that look like chips. */
import { loadColumns } from "../../dataset/columns/columns.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import type { PeerGroup } from "../../accounts/peer-groups.ts";
import { AMOUNT_FIELD, AMOUNTS } from "../../domain/row-fields.ts";
import { FILER_CATEGORIES, INDEXES, valueName, SECTORS } from "../../domain/selection.ts";
import { stateName } from "../../domain/states.ts";
import { type Html, html } from "../../lib/html.ts";
import { type Choices, checkbox, chip, hiddenFields, SUGGESTED, typedChip } from "../fields.ts";
import { selectedCurrency } from "../filters.ts";
import { nameInList } from "../parts/addresses.ts";
import { unitLabel } from "../parts/amounts.ts";
import { pick } from "../parts/elements.ts";
import { type ColumnName, COLUMNS, readColumns } from "../parts/pay-table.ts";
import { withQuery } from "../downloads.ts";
import { AMOUNT, DISPLAY, FURTHER, type Selected } from "./selected.ts";

/** A selection with what its filters are drawn from. */
export interface Filtered extends Selected {
  /** Peer groups that the viewer can choose from. */
  groups: readonly PeerGroup[];
  /** Fiscal years that the dataset has, newest first. */
  years: readonly number[];
}

/** What is particular to the filters of one page. */
export interface ParticularFilters {
  /** In place of office and sorting. */
  fields?: Html;
  /** Which of the others stand in the row. */
  shown?: readonly string[];
  /** What stands at the end. */
  end?: Html;
}

const SORTS: Choices = [
  ["", "Highest total"],
  ["total_compensation", "Lowest total"],
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

const OFFICES: Choices = [
  ["", "All officers"],
  ["peo", "CEO"],
  ["pfo", "CFO"],
];

function choicesOf(none: string, names: readonly string[]): Choices {
  return [["", none], ...names.map((name) => [name, valueName(name)] as const)];
}

/** The filters of a selection: some in a row, the others behind a button with how many of them are set. */
export function filterForm(
  view: Filtered,
  path: string,
  { fields, shown = USUAL_FILTERS, end }: ParticularFilters,
): Html {
  const { given } = view;
  const fieldOf = fieldsOf(view);
  const names = Object.keys(fieldOf).filter((name) => fields === undefined || !OF_ROWS.includes(name));
  const more = names.filter((name) => !shown.includes(name));
  const set = more.filter((name) => given.has(name));
  const all = [...given].filter(([name]) => name !== "cursor" && !DISPLAY.includes(name)).length;
  return html`<details class="folded">
    <summary>Filters and sorting${all > 0 && ` (${all})`}</summary>
    <form class="chips" method="get" action="${path}">
      ${shown.filter((name) => names.includes(name)).map((name) => fieldOf[name])} ${fields}
      <details class="fold more-filters" ${view.problem !== null && html`open`}>
        <summary class="${set.length > 0 && "set"}">
          More filters${set.length > 0 && ` (${set.length})`} ▾
        </summary>
        <div>
          ${more.map((name) => fieldOf[name])}
          <button>Apply</button>
        </div>
      </details>
      ${hiddenFields(Object.fromEntries([...FURTHER, "unit", "by", "same", ...(fields === undefined ? ["own", "include_own"] : [])].map((name) => [name, given.get(name)])))}
      <span class="end">
        ${fields === undefined && chip("sort", "Sort by", given.get("sort"), SORTS)} ${end}
      </span>
      <button class="primary">Show</button>
    </form>
  </details>`;
}

/** The filters that stand in a row, in this order. */
const USUAL_FILTERS: readonly string[] = ["fiscal_year", "office", "sector", "state"];
/** Filters on which of the rows of a company-year; statistics and totals have their own. */
const OF_ROWS: readonly string[] = ["office", "one_per_company_year"];

/** The field of each filter, by its name in addresses. */
function fieldsOf({
  given,
  companies,
  problem,
  groups,
  years,
  dataset,
}: Filtered): Record<string, Html | false> {
  const choice = (name: string, label: string, choices: Choices) =>
    chip(name, label, given.get(name), choices);
  const list =
    companies === null ? "" : [...companies.found.map(nameInList), ...companies.unknown].join(", ");
  const isBad = problem !== null;
  const wrong = { "aria-invalid": "true", "aria-describedby": "amount-problem" } as const;
  return {
    fiscal_year: choice("fiscal_year", "Fiscal year", [
      ["", "Latest year"],
      ...years.map((year) => [String(year), `Fiscal ${year}`] as const),
    ]),
    office: choice("office", "Office", OFFICES),
    sector: choice("sector", "Sector", choicesOf("All sectors", SECTORS)),
    state: chip("state", "State", given.get("state")?.toUpperCase() ?? "", [
      ["", "All states"],
      ...statesOf(dataset, given.get("state")),
    ]),
    group:
      groups.length > 0 &&
      choice("group", "Peer group", [
        ["", "No peer group"],
        ...groups.map(({ id, name }) => [id, name] as const),
      ]),
    companies:
      !given.has("group") &&
      typedChip("companies", "Companies, names or tickers", list, "Companies", {
        size: 14,
        maxlength: 4000,
        ...SUGGESTED,
      }),
    index: choice("index", "Index", choicesOf("Any index", INDEXES)),
    filer_category: choice(
      "filer_category",
      "Filer category",
      choicesOf("All filer categories", FILER_CATEGORIES),
    ),
    [AMOUNT]: html`${typedChip(AMOUNT, "Total at least", given.get(AMOUNT), "Total ≥ 20m", { maxlength: 20, size: 12, ...(isBad ? wrong : {}) })}
    ${isBad && html`<span class="error" id="amount-problem" role="alert">${problem}</span>`}`,
    one_per_company_year: checkbox("One per company", {
      name: "one_per_company_year",
      value: "true",
      checked: given.get("one_per_company_year") === "true",
    }),
  };
}

/** The states and countries that companies are based in, by name. @param chosen one that stays in the list */
function statesOf(dataset: Dataset, chosen: string | null): Choices {
  const codes = new Set(loadColumns(dataset).profiles.map(({ state }) => state ?? ""));
  codes.add(chosen?.toUpperCase() ?? "");
  codes.delete("");
  return [...codes]
    .map((code) => [code, stateName(code)] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, "en"));
}

/** The units of amounts, one of them pressed. */
export function unitPicks(
  { given, filters }: Selected,
  path: string,
  units: Readonly<Record<string, string>>,
): Html {
  return html`<span class="units">
    ${Object.entries(units).map(([unit, words]) => pick(withQuery(path, given, { unit, cursor: "" }), unitLabel(words, selectedCurrency(filters)), (given.get("unit") ?? "") === unit && "true"))}
  </span>`;
}

/** The choice of columns. */
export function columnsFold({ given }: Selected, usual: readonly ColumnName[]): Html {
  const shown = readColumns(given.get("columns"), usual);
  return html`<details class="fold" data-usual="${usual.join(",")}">
    <summary class="${given.has("columns") && "set"}">Columns ▾</summary>
    <div>
      ${Object.entries(COLUMNS).map(([name, label]) =>
        checkbox(label, { name: "columns", value: name, checked: [...shown].some((one) => one === name) }),
      )}
      <button>Apply</button>
    </div>
  </details>`;
}
