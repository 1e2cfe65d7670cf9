/** The title of a page with its buttons, how to cite it, and its foot on paper. */
import type { ExecutiveCompensation as Row } from "../domain/row-fields.ts";
import { companyName } from "../domain/company-name.ts";
import type { CeoPayRecord } from "../dataset/ceo-pay-records.ts";
import { type Html, html } from "../lib/html.ts";
import type { PageVisit } from "./page-visit.ts";

/** `Source: SEC proxy statements as printed; execcomp, edition 2026-11-21.` */
export function sourceLine({ dataset }: PageVisit, filings = "SEC proxy statements"): string {
  return `Source: ${filings}, Summary Compensation Table as printed; execcomp, edition ${dataset.info.edition}.`;
}

/** What a page is cited by. @param detail the filing, or how many rows */
export function citation(title: string, detail: string, edition: string, address: string): string {
  return `${title}. ${detail} Read with execcomp, edition ${edition}. ${address}`;
}

/** What is cited of one filing: where it is at sec.gov, then where it is here. */
export function filingCitation(
  { company_name: name, cik, source }: Pick<Row, "company_name" | "cik"> & { source: CeoPayRecord["source"] },
  title: string,
  edition: string,
  address: string,
): string {
  const { form, filing_date: date, accession, filing_url: url } = source ?? {};
  const filing = [
    form === undefined || form === null ? "" : `Form ${form} `,
    date === undefined || date === null ? "" : `filed ${date}, `,
    accession === undefined ? "" : `accession ${accession}, `,
  ];
  const detail = `${filing.join("")}CIK ${cik}.${url === undefined || url === null ? "" : ` ${url}`}`;
  return citation(`${companyName(name)}, ${title}`, detail, edition, address);
}

/** The heading of a page beside its buttons, which are folded on a phone: its own, a link for a colleague, the printer, how to cite. */
export function titleRow(heading: Html, buttons: Html, cited: string): Html {
  return html`<div class="title">
    ${heading}
    <details class="folded buttons">
      <summary>Save, share, cite</summary>
      <div class="actions">
        ${buttons}
        <button type="button" data-copy-link hidden>Copy link</button>
        <button type="button" data-print hidden>Print</button>
        <details class="fold">
          <summary>Cite</summary>
          <div>
            <div class="cite" id="citation">${cited}</div>
            <button type="button" data-copy-from="citation" hidden>Copy text</button>
          </div>
        </details>
      </div>
    </details>
  </div>`;
}

/** Longest address at the foot of a printed page, two lines of small print. */
const MAX_PRINTED = 300;

/** The foot of a printed page: when, where, which data. */
export function paperFoot(address: string, edition: string): Html {
  // As people read it: a comma is one in a query, too.
  const whole = address.replaceAll("%2C", ",");
  const printed = whole.length > MAX_PRINTED ? `${whole.slice(0, MAX_PRINTED)}… (shortened)` : whole;
  return html`<p class="foot paper-only">
    <span data-printed></span>${printed} · dataset edition ${edition}
  </p>`;
}
