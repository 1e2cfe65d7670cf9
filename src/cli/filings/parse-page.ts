import { formatAmount, unitsOf } from "../../domain/amount.ts";
import { AMOUNTS, type AmountField } from "../../domain/row-fields.ts";
import { html, type Html } from "../../html.ts";
import { type ParsedFiling, type ParsedRow, REFUSALS, type TableCopy } from "../../reader/parsed.ts";

const COLOURS: Readonly<Record<AmountField, string>> = {
  salary: "#cfe8ff",
  bonus: "#ffe0b3",
  stock_awards: "#d5f0cf",
  option_awards: "#b8e6d8",
  non_equity_incentive: "#fff3a8",
  pension_change: "#e6d6ff",
  other_comp: "#ffd6e7",
  unknown_component: "#ffb3a7",
  total_compensation: "#d9d9d9",
};

const STYLE = html`<style>
  body {
    font:
      15px/1.45 system-ui,
      sans-serif;
    margin: 2rem;
    color: #1c1c1c;
    background: #fff;
  }
  main {
    display: grid;
    grid-template-columns: minmax(0, 3fr) minmax(16rem, 1fr);
    gap: 2rem;
  }
  @media (max-width: 60rem) {
    main {
      display: block;
    }
  }
  table {
    border-collapse: collapse;
    font-size: 13px;
    margin: 0.5rem 0 2rem;
  }
  td,
  th {
    border: 1px solid #ddd;
    padding: 0.2rem 0.4rem;
    text-align: left;
    vertical-align: top;
    font-weight: 400;
  }
  tr.caption td {
    font-weight: 600;
    background: #f4f4f4;
  }
  .wide {
    overflow-x: auto;
  }
  .key span {
    display: inline-block;
    padding: 0.1rem 0.5rem;
    margin: 0.15rem;
  }
  .num {
    text-align: right;
    font-variant-numeric: tabular-nums;
  }
  .checks {
    min-width: 12rem;
    font-size: 12px;
  }
  .refused {
    background: #ffe3de;
    padding: 1rem;
  }
  .problem {
    border-left: 4px solid #d1452b;
    padding-left: 0.6rem;
    margin: 0.5rem 0;
    overflow-wrap: anywhere;
  }
</style>`;

/** A self-contained page: the filer's table with each source cell in the colour of its field, and the problems next to it. */
export function parsePage(file: string, parsed: ParsedFiling): string {
  const used = fieldsByCell(parsed.rows);
  const reason =
    parsed.reason === null
      ? null
      : html`<p class="refused">
          <b>Refused:</b> ${REFUSALS[parsed.reason]} (${parsed.reasonDetail ?? parsed.reason})
        </p>`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${file}</title>
        ${STYLE}
      </head>
      <body>
        <h1>${parsed.facts.companyName ?? file}</h1>
        <p>
          ${[parsed.facts.form, parsed.facts.accession, parsed.facts.fiscalYearEnd, file].filter((part) => part !== null).join(" · ")}
        </p>
        ${reason}
        <p class="key">
          ${AMOUNTS.map((field) => html`<span style="background:${COLOURS[field]}">${field}</span>`)}
        </p>
        <main>
          <section class="wide">
            <h2>The filer's table</h2>
            ${parsed.tables.map((table) => tableOf(table, used))}
          </section>
          <section>
            <h2>Problems</h2>
            ${problemsOf(parsed)}
          </section>
        </main>
        <section class="wide">
          <h2>Rows</h2>
          ${rowsOf(parsed.rows)}
        </section>
      </body>
    </html>`;
  return page.text;
}

type Used = ReadonlyMap<string, { field: AmountField; caption: string }>;

function fieldsByCell(rows: readonly ParsedRow[]): Used {
  const used = new Map<string, { field: AmountField; caption: string }>();
  for (const row of rows) {
    for (const field of AMOUNTS) {
      for (const cell of row.cells[field] ?? [])
        used.set(`${cell.table} ${cell.row} ${cell.column}`, { field, caption: cell.caption.join(" / ") });
    }
  }
  return used;
}

function tableOf(table: TableCopy, used: Used): Html {
  const captions = new Set(table.headerRows);
  const width = Math.max(0, ...table.rows.flatMap((cells) => cells.map(([column]) => column + 1)));
  const rows = table.rows.map((cells, row) => {
    if (cells.length === 0) return null;
    let at = 0;
    const shown = cells.map(([column, text], index) => {
      const gap = column > at ? html`<td colspan="${column - at}"></td>` : null;
      // A cell extends to the next non-empty one, the last cell to the edge of the table.
      const next = cells[index + 1]?.[0] ?? width;
      at = next;
      const field = used.get(`${table.table} ${row} ${column}`);
      const style = field === undefined ? "" : `background:${COLOURS[field.field]}`;
      return html`${gap}
        <td
          colspan="${Math.max(1, next - column)}"
          style="${style}"
          title="${field === undefined ? "" : `${field.field}: ${field.caption}`}"
        >
          ${text}
        </td>`;
    });
    return html`<tr class="${captions.has(row) ? "caption" : ""}">
      ${shown}
    </tr>`;
  });
  return html`<h3>Table ${table.table}</h3>
    <table>
      ${rows}
    </table>`;
}

function rowsOf(rows: readonly ParsedRow[]): Html {
  const head = html`<tr class="caption">
    <td>Year</td>
    <td>Executive</td>
    <td>Role</td>
    ${AMOUNTS.map((field) => html`<td style="background:${COLOURS[field]}">${field.replaceAll("_", " ")}</td>`)}
    <td>Office</td>
    <td>Checks</td>
  </tr>`;
  const body = rows.map(
    (row) =>
      html`<tr>
        <td>${row.fiscal_year}</td>
        <td>${row.executive_name}${row.placeholder ? " (placeholder)" : ""}</td>
        <td>${row.executive_role}</td>
        ${AMOUNTS.map((field) => html`<td class="num">${formatAmount(unitsOf(row.amounts[field]))}</td>`)}
        <td title="${row.peoEvidence.text} ${row.pfoEvidence.text}">
          ${[row.is_peo ? "PEO" : "", row.is_pfo ? "PFO" : ""].join(" ").trim()}
        </td>
        <td class="checks">
          ${row.checks.map((check) => `${check.agrees === true ? "✓" : check.agrees === false ? "✗" : "–"} ${check.check}`).join(", ")}
        </td>
      </tr>`,
  );
  return html`<table>
    ${head}${body}
  </table>`;
}

function problemsOf(parsed: ParsedFiling): Html {
  const all = [
    ...parsed.problems.map((problem) => ({ who: "the filing", problem })),
    ...parsed.rows.flatMap((row) =>
      row.problems.map((problem) => ({ who: `${row.executive_name} ${row.fiscal_year}`, problem })),
    ),
  ];
  if (all.length === 0) return html`<p>None.</p>`;
  return html`${all.map(({ who, problem }) => html`<p class="problem"><b>${problem.code}</b> (${who}): ${problem.message}</p>`)}`;
}
