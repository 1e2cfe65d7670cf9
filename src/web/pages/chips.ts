/** Pressed filters: with the script a choice is sent at once, without it there is a button. */
import type { PeerGroup } from "../../accounts/peer-groups.ts";
import { AMOUNT_FIELD, AMOUNTS } from "../../domain/row-fields.ts";
import { FILER_CATEGORIES, INDEXES, sectorName, SECTORS } from "../../domain/selection.ts";
import { type Html, html } from "../../html.ts";
import type { RequestedCompanies } from "../company-lists.ts";
import { withQuery } from "../take-away.ts";
import { type Column, COLUMNS, nameInList, notFound, pathOf, readColumns, UNITS } from "./parts.ts";
import { AMOUNT, DISPLAY, FURTHER, type Selected } from "./selected.ts";

/** The values that a filter offers, each with its label. */
type Choices = readonly (readonly [value: string, label: string])[];

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

/** A choice, with its name where nothing is chosen. */
export function chip(name: string, label: string, value: string | null, choices: Choices): Html {
  return html`<label
    ><span class="away">${label}</span
    ><select name="${name}" class="${(value ?? "") !== "" && "set"}" data-press>
      ${choices.map(([one, words]) => html`<option value="${one}" ${value === one && html`selected`}>${words}</option>`)}
    </select></label
  >`;
}

/** A field. @param hint its name where nothing is typed @param attributes its size, and what may be typed */
export function typedChip(
  name: string,
  label: string,
  value: string | null,
  hint: string,
  attributes: Html,
): Html {
  return html`<label
    ><span class="away">${label}</span
    ><input
      name="${name}"
      class="${(value ?? "") !== "" && "set"}"
      value="${value ?? ""}"
      placeholder="${hint}"
      data-press
      ${attributes}
  /></label>`;
}

/** Suggestions for names and tickers, separated by commas. */
export const SUGGESTED = html`autocomplete="off" data-suggest="/suggest" data-several`;

/** What the filters of a page are drawn from. */
export interface FilterView {
  selected: Selected;
  /** Peer groups that the viewer can choose from. */
  groups: readonly PeerGroup[];
  /** Fiscal years that the dataset has, newest first. */
  years: readonly number[];
}

/** Filters of one page: in place of office, rows and sorting, or behind all others. */
export interface OwnFilters {
  fields?: Html;
  end?: Html;
}

function choicesOf(none: string, names: readonly string[]): Choices {
  return [
    ["", none],
    ...names.map((name) => [name, name === "sp500" ? "S&P 500" : sectorName(name)] as const),
  ];
}

/** The filters of a selection. */
export function filterChips(
  { selected: { given, companies, problem }, groups, years }: FilterView,
  path: string,
  { fields, end }: OwnFilters = {},
): Html {
  const choice = (name: string, label: string, choices: Choices) =>
    chip(name, label, given.get(name), choices);
  const list =
    companies === null ? "" : [...companies.found.map(nameInList), ...companies.unknown].join(", ");
  const isBad = problem?.name === AMOUNT;
  const set = [...given].filter(([name]) => !DISPLAY.includes(name)).length;
  return html`<details class="folded">
    <summary>Filters and sorting${set > 0 && ` (${set})`}</summary>
    <form class="chips" method="get" action="${path}">
      ${
        fields === undefined &&
        choice("office", "Office", [
          ["", "All officers"],
          ["peo", "CEO"],
          ["pfo", "CFO"],
        ])
      }
      ${choice("fiscal_year", "Fiscal year", [["", "Latest year"], ...years.map((year) => [String(year), `Fiscal ${year}`] as const)])}
      ${choice("sector", "Sector", choicesOf("All sectors", SECTORS))}
      ${choice("index", "Index", choicesOf("Any index", INDEXES))}
      ${choice("filer_category", "Filer category", choicesOf("Any filer", FILER_CATEGORIES))}
      ${groups.length > 0 && choice("group", "Peer group", [["", "No peer group"], ...groups.map(({ id, name }) => [id, name] as const)])}
      ${typedChip("state", "State", given.get("state"), "State", html`maxlength="2" size="3"`)}
      ${!given.has("group") && typedChip("companies", "Companies, names or tickers", list, "Companies", html`size="8" maxlength="4000" ${SUGGESTED}`)}
      ${typedChip(AMOUNT, "Total at least", given.get(AMOUNT), "Total ≥ 20m", html`maxlength="20" size="9" ${isBad && html`aria-invalid="true" aria-describedby="amount-problem"`}`)}
      ${isBad && html`<span class="error" id="amount-problem" role="alert">${problem.message}</span>`}
      ${
        fields ??
        html`<label class="choice"
            ><input
              type="checkbox"
              name="one_per_company_year"
              value="true"
              data-press
              ${given.get("one_per_company_year") === "true" && html`checked`}
            />
            One per company</label
          >
          ${choice("sort", "Sort by", SORTS)} ${choice("unit", "Units", Object.entries(UNITS))}`
      }
      ${FURTHER.map((name) => given.has(name) && html`<input type="hidden" name="${name}" value="${given.get(name)}" />`)}
      ${end}
      <button class="primary">Show</button>
    </form>
  </details>`;
}

/** The choice of columns. */
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

/** What else narrows the selection: a list of companies, filters without a field. */
export function selectionNotes({ given, companies, meant }: Selected, path: string): Html {
  const active = FURTHER.map((name) => [name, given.get(name) ?? ""] as const).filter(
    ([, value]) => value !== "",
  );
  const texts = active.map(([name, value]) =>
    name === "complete_only" && value === "true" ? "complete fiscal years only" : `${name} ${value}`,
  );
  const without = Object.fromEntries(active.map(([name]) => [name, ""]));
  return html`${
    texts.length > 0 &&
    html`<p class="note">
      Also filtered: ${texts.join(", ")}.
      <a href="${withQuery(path, given, { ...without, cursor: "" })}">Remove</a>
    </p>`
  }
  ${companies !== null && narrowedTo(companies, withQuery(path, given, { companies: "", group: "", cursor: "" }))}
  ${meant.length > 0 && html`<p class="note">Did you mean ${meant.map((one, at) => html`${at > 0 && ", "}<a href="${withQuery(path, given, { companies: `${given.get("companies") ?? ""},${one.ticker || `CIK${one.cik}`}`, cursor: "" })}">${one.label}</a>`)}?</p>`}`;
}

/** Which companies a list or peer group narrows the selection to. */
function narrowedTo({ group, found, unknown }: RequestedCompanies, all: string): Html {
  const names = found.slice(0, found.length > 6 ? 5 : 6);
  return html`<p class="foot">
      ${group ? html`Peer group <a href="/groups/${group.id}">${group.name}</a>: ` : "Companies: "}
      ${names.map((one, at) => html`${at > 0 && ", "}<a href="${pathOf(one)}">${one.company.name}</a>`)}${found.length > names.length && ` and ${found.length - names.length} more`}.
      <a class="screen-only" href="${all}">All companies</a>
    </p>
    ${notFound(unknown)}`;
}
