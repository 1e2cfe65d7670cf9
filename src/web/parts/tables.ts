/** Tables: in a box that scrolls, of records, of numbers. */
import { type Html, html, type HtmlPart } from "../../lib/html.ts";

/** A table in a box that scrolls where it is too wide. @param isAway whether its caption is for screen readers only @param box attributes of the box */
export function tableBox(
  { kind, caption, isAway = false, box }: { kind: string; caption: string; isAway?: boolean; box?: Html },
  head: HtmlPart,
  body: HtmlPart,
): Html {
  const element = html`<caption${isAway && html` class="away"`}>
    ${caption}
  </caption>`;
  return html`<div class="scroll" ${box}>
    <table class="${kind}">
      ${caption !== "" && element}
      <thead>
        ${head}
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

/** What is not open yet, as a table of outlines, without a cell: the same for every dataset. */
export function outlineTable(heads: readonly string[]): Html {
  const line = html`<tr>
    ${heads.map(() => html`<th><i></i></th>`)}
  </tr>`;
  return html`<div class="outlined screen-only" aria-hidden="true">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th>${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${[line, line, line, line, line, line]}
      </tbody>
    </table>
  </div>`;
}

/** The header of a column, of numbers or of anything else. */
export type Head = HtmlPart | { number: HtmlPart };

/** Kinds of tables that are cards on a phone, each cell with its heading. */
const CARDS: ReadonlySet<string> = new Set(["records", "map"]);

/** A table whose lines begin with their header. @param kind class */
export function plainTable(
  heads: readonly Head[],
  lines: readonly (readonly HtmlPart[])[],
  { caption = "", kind = "" } = {},
): Html {
  const columns = heads.map((head) =>
    typeof head === "object" && head !== null && "number" in head
      ? { text: head.number, isNumber: html` class="number"` }
      : { text: head, isNumber: false as const },
  );
  const labelOf = (at: number) => CARDS.has(kind) && html` data-label="${columns[at]?.text}"`;
  const box = html`${(kind === "records" || caption !== "") && html` tabindex="0" role="region" aria-label="${caption}"`}`;
  return tableBox(
    { kind, caption, box },
    html`<tr>
      ${columns.map(({ text, isNumber }) => html`<th${isNumber} scope="col">${text}</th> `)}
    </tr>`,
    lines.map(
      ([first, ...cells]) =>
        html`<tr>
          <th${columns[0]?.isNumber}${labelOf(0)} scope="row">${first}</th>
          ${cells.map((cell, at) => html`<td${columns[at + 1]?.isNumber}${labelOf(at + 1)}>${cell}</td> `)}
        </tr>`,
    ),
  );
}

/** A small table: columns of text, then columns of numbers. */
export function smallTable(
  texts: readonly string[],
  numbers: readonly HtmlPart[],
  lines: readonly (readonly HtmlPart[])[],
  caption = "",
): Html {
  return plainTable([...texts, ...numbers.map((number) => ({ number }))], lines, { caption });
}
