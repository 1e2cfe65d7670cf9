/** The report of a run: as an HTML page for people, and as JSON for scripts. */
import { html, type HtmlPart } from "../html.ts";
import { counted } from "../domain/text.ts";
import { PROBLEMS } from "../reader/parsed.ts";
import type { IngestedFiling } from "./ingested-filing.ts";
import type { Committed } from "./context.ts";

/** A filing without rows, and the reason. */
export interface Refused {
  /** Accession number, or the path of a file. */
  filing: string;
  cik: string;
  company: string;
  form: string;
  filingDate: string;
  status: "refused" | "failed" | "pending" | "unplaced";
  reason: string;
}

/** The report of a run. */
export interface IngestReport {
  /** The request in words. */
  asked: string;
  startedAt: string;
  seconds: number;
  companies: { asked: number; withRows: number; changed: number };
  documents: { seen: number; parsed: number; refused: number; failed: number; fromDisk: number };
  bytes: number;
  megabytesPerSecond: number;
  documentsPerSecond: number;
  rows: number;
  placeholders: number;
  /** Number of rows that passed each check. */
  checks: Record<string, number>;
  problems: Record<string, number>;
  rowsWithProblems: number;
  refused: readonly Refused[];
  /** Companies for which nothing could be fetched. */
  failures: readonly { cik: string; company: string; why: string }[];
  /** Filings that would violate an invariant. */
  left: Committed["left"];
  /** Content hash of the snapshot in use afterwards; null if nothing was new. */
  snapshot: string | null;
}

/** Counts the results of a run while it is in progress. */
export interface Tally {
  document(ingested: IngestedFiling, bytes: number, fromDisk: boolean): void;
  /** Counts a file that was read but cannot be assigned to a company or filing. */
  unplaced(path: string, bytes: number, rows: number, why: string): void;
  failure(cik: string, company: string, why: string): void;
  /** Counts for the progress line. */
  readonly now: { documents: number; rows: number; problems: number; bytes: number };
  report(
    run: Pick<IngestReport, "asked" | "startedAt" | "seconds"> & { companies: number },
    done: Committed,
  ): IngestReport;
}

/** Creates an empty tally. */
// oxlint-disable-next-line max-lines-per-function -- its methods share the counts
export function createTally(): Tally {
  const refused: Refused[] = [];
  const failures: { cik: string; company: string; why: string }[] = [];
  const checks = new Map<string, number>();
  const problems = new Map<string, number>();
  const withRows = new Set<string>();
  const count = { parsed: 0, refused: 0, failed: 0, fromDisk: 0, placeholders: 0, rowsWithProblems: 0 };
  const now = { documents: 0, rows: 0, problems: 0, bytes: 0 };
  const bump = (counts: Map<string, number>, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1);

  return {
    now,
    document({ company, filing, observations, problems: met }, bytes, fromDisk) {
      now.documents++;
      now.bytes += bytes;
      now.rows += observations.length;
      now.problems += met.length;
      if (fromDisk) count.fromDisk++;
      for (const { code } of met) bump(problems, code);
      for (const check of observations.flatMap((row) => row.checks)) bump(checks, check);
      count.placeholders += observations.filter(({ placeholder }) => placeholder).length;
      count.rowsWithProblems += new Set(met.flatMap(({ position }) => position ?? [])).size;
      if (observations.length > 0) withRows.add(company.cik);
      const { status } = filing;
      if (status === "parsed") count.parsed++;
      else if (status === "refused") count.refused++;
      else count.failed++;
      if (status === "parsed") return;
      const { accession, form, filingDate, reason } = filing;
      const about = { filing: accession, cik: company.cik, company: company.name, form: form ?? "" };
      refused.push({ ...about, filingDate: filingDate ?? "", status, reason: reason ?? "failed" });
    },
    unplaced(path, bytes, rows, why) {
      now.documents++;
      now.bytes += bytes;
      now.rows += rows;
      count.failed++;
      const unknown = { cik: "", company: "", form: "", filingDate: "" };
      refused.push({ filing: path, ...unknown, status: "unplaced", reason: why });
    },
    failure: (cik, company, why) => void failures.push({ cik, company, why }),
    report({ asked, startedAt, seconds, companies }, done) {
      const perSecond = (amount: number) => Math.round((amount / Math.max(seconds, 0.001)) * 10) / 10;
      const { placeholders, rowsWithProblems, ...documents } = count;
      return {
        asked,
        startedAt,
        seconds: Math.round(seconds * 10) / 10,
        companies: { asked: companies, withRows: withRows.size, changed: done.changed },
        documents: { seen: now.documents, ...documents },
        bytes: now.bytes,
        megabytesPerSecond: perSecond(now.bytes / 1e6),
        documentsPerSecond: perSecond(now.documents),
        rows: now.rows,
        placeholders,
        checks: sorted(checks),
        problems: sorted(problems),
        rowsWithProblems,
        refused,
        failures,
        left: done.left,
        snapshot: done.contentHash,
      };
    },
  };
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}

/** The report as a few lines for a terminal. */
export function reportLines(report: IngestReport): string[] {
  const { documents, companies } = report;
  const lines = [
    `${counted(documents.seen, "document")} (${megabytes(report.bytes)}) in ${report.seconds} s: ${documents.parsed} with rows, ${documents.refused} refused, ${documents.failed} failed.`,
    `${counted(report.rows, "row")} for ${counted(companies.withRows, "company")}, ${report.rowsWithProblems} with a problem; ${counted(companies.changed, "company")} changed.`,
  ];
  const reasons = Map.groupBy(report.refused, ({ reason }) => reason);
  for (const [reason, of] of [...reasons].slice(0, 8))
    lines.push(`  ${of.length} × ${reason} (${of[0]?.filing})`);
  for (const { cik, company, why } of report.failures.slice(0, 8))
    lines.push(`  ${company || `CIK ${cik}`}: ${why}`);
  for (const { accession, why } of report.left.slice(0, 8))
    lines.push(`  ${accession} is stored without rows: ${why}`);
  const { snapshot } = report;
  lines.push(
    companies.changed === 0
      ? "No changes: the snapshot in use is up to date."
      : `Snapshot ${snapshot?.slice(0, 16)} is in use; \`execcomp data rollback\` returns to the previous one.`,
  );
  return lines;
}

const STYLE = html`<style>
  body {
    font:
      15px/1.5 system-ui,
      sans-serif;
    margin: 2rem auto;
    max-width: 70rem;
    padding: 0 1rem;
  }
  table {
    border-collapse: collapse;
    margin: 0.5rem 0 2rem;
  }
  th,
  td {
    border-bottom: 1px solid #8884;
    padding: 0.25rem 0.75rem 0.25rem 0;
    text-align: left;
    vertical-align: top;
  }
  td.n {
    text-align: right;
    font-variant-numeric: tabular-nums;
  }
</style>`;

/** The facts at the top of the page. */
function factsOf(report: IngestReport): [string, string | number][] {
  const { documents, companies } = report;
  return [
    ["Request", report.asked],
    ["Started", report.startedAt],
    [
      "Duration",
      `${report.seconds} s, ${report.documentsPerSecond} documents and ${report.megabytesPerSecond} MB per second`,
    ],
    [
      "Companies",
      `${companies.asked} requested, ${companies.withRows} with rows, ${companies.changed} changed`,
    ],
    [
      "Documents",
      `${documents.seen} (${megabytes(report.bytes)}): ${documents.parsed} with rows, ${documents.refused} refused, ${documents.failed} failed; ${documents.fromDisk} from disk`,
    ],
    [
      "Rows",
      `${report.rows}, ${report.placeholders} placeholders, ${report.rowsWithProblems} with a problem`,
    ],
    ["Snapshot", report.snapshot ?? "unchanged"],
  ];
}

/** The report as a self-contained page. */
export function reportPage(report: IngestReport): string {
  const sentence = (code: string) => Object.entries(PROBLEMS).find(([known]) => known === code)?.[1] ?? "";
  const problems = Object.entries(report.problems).map(([code, count]) => [code, sentence(code), count]);
  const refused = report.refused.map(({ filing, cik, company, form, filingDate, status, reason }) => {
    return [filing, cik, company, form, filingDate, status, reason];
  });
  const failures = report.failures.map(({ cik, company, why }) => [cik, company, why]);
  const left = report.left.map(({ cik, accession, why }) => [cik, accession, why]);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Ingest of ${report.startedAt.slice(0, 10)} · execcomp</title>
        ${STYLE}
      </head>
      <body>
        <h1>Ingest</h1>
        ${table([], factsOf(report))}
        ${section("Validation: rows that passed each check", ["Check", "Rows"], Object.entries(report.checks))}
        ${section("Problems", ["Problem", "Meaning", "Count"], problems)}
        ${section("Without rows", ["Filing", "CIK", "Company", "Form", "Filed", "Status", "Reason"], refused)}
        ${section("Companies that failed", ["CIK", "Company", "Reason"], failures)}
        ${section("Stored without rows: the rows would violate an invariant", ["CIK", "Filing", "Invariant"], left)}
      </body>
    </html> `;
  return page.text;
}

function section(title: string, ...lines: Parameters<typeof table>): HtmlPart {
  return html`<h2>${title}</h2>
    ${table(...lines)}`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): HtmlPart {
  if (rows.length === 0) return html`<p>None.</p>`;
  return html`<table>
    ${
      head.length > 0 &&
      html`<tr>
        ${head.map((one) => html`<th>${one}</th>`)}
      </tr>`
    }
    ${rows.map(
      (row) =>
        html`<tr>
          ${row.map((cell) => html`<td class="${typeof cell === "number" ? "n" : ""}">${cell}</td>`)}
        </tr>`,
    )}
  </table>`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
