/** How amounts are known, and which filings they come from. */
import { type ExecutiveCompensation as Row, type RowEvidence } from "../../domain/row-fields.ts";
import { companyName } from "../../domain/company-name.ts";
import { type Html, html } from "../../lib/html.ts";
import { linkOut } from "./elements.ts";

/** The mark and the words of each way in which a row is known. */
export const EVIDENCE_MARK: Readonly<Record<RowEvidence, { mark: string; short: string; means: string }>> = {
  linked: { mark: "dot", short: "checked", means: "amounts checked against their cells" },
  typed: { mark: "dot typed", short: "typed", means: "typed from the filing" },
  collected: { mark: "dot collected", short: "collected", means: "collected; components not checked" },
};

/** How an amount is known. A link to the document. */
export function sourceMark({ source }: Row, evidence: RowEvidence): Html {
  const { form, filing_date: date, filing_url: url, accession } = source;
  const { mark: look, means: kind } = EVIDENCE_MARK[evidence];
  const mark = html`<i class="${look}"></i
    ><span class="away">${form} of ${date ?? accession}, ${kind}</span>`;
  return linkOut(url, mark, `${form} of ${date ?? ""}, ${accession}, ${kind}`);
}

/** What the mark of collected rows means. */
export const COLLECTED_MARK = html`<i class="dot collected"></i> collected by others: its total is confirmed
  by the filer's tags, its components are not checked.`;

/** The marks beside the colours of a chart. */
export const MARK_KEYS = html`<p class="foot marks">
  ${Object.values(EVIDENCE_MARK).map(({ mark, means }) => html`<span><i class="${mark}"></i> ${means}</span> `)}
</p>`;

/** What the marks mean. */
export const MARKS = html`<p class="foot">
  <i class="dot"></i> amounts checked against their cells in the filing &#160; <i class="dot typed"></i> typed
  from the filing &#160; ${COLLECTED_MARK}
  <span class="screen-only">Every mark opens the document; select an amount to see where it comes from.</span>
</p>`;

/** The filings of rows as numbered footnotes, for paper only. */
export function paperSources(rows: readonly Row[]): Html {
  const sources = new Map(rows.map(({ source, company_name: name }) => [source.accession, { source, name }]));
  // Of a total whose tag alone was collected.
  sources.delete("");
  // Of many, the accession number alone finds each: a paper for a board is one sheet.
  const isMany = sources.size > 6;
  return html`<ol class="foot sources ${isMany && "many"} paper-only">
    ${[...sources.values()].map(
      ({ source, name }) =>
        html`<li>
          ${companyName(name)}, ${source.form || "proxy statement"}, ${source.filing_date},
          <span class="whole">${source.accession}</span>${!isMany && `, ${source.filing_url}`}
        </li>`,
    )}
  </ol>`;
}
