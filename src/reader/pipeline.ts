import { openDocument, type SourceDocument } from "./document/submission.ts";
import { isForeignForm, isFundForm, isPreliminary, readFacts, type Known } from "./document/facts.ts";
import { locate } from "./table/locate.ts";
import { observe } from "./observations.ts";
import type { FilingFacts, ParsedFiling } from "./parsed.ts";
import type { RefusalReason } from "./problem.ts";
import { chooseTable } from "./table/choose.ts";

/** What a caller may know beforehand. */
export type { Known } from "./document/facts.ts";

/** The present table is that of fiscal years ending on or after 15 December 2006 (Release 33-8732A). */
const FIRST_YEAR = 2006;

const NO_FACTS: FilingFacts = {
  form: null,
  accession: null,
  cik: null,
  companyName: null,
  filingDate: null,
  fiscalYearEnd: null,
  ticker: null,
};

/**
 * Reads the Summary Compensation Table of one document: HTML, inline XBRL, text, or a full submission with its SGML header.
 * Never throws; the same bytes always give the same result. The steps, in order:
 *
 * document (bytes to text) -> facts (what filing is it) -> locate (stretches worth a look) -> grid (a table's cells in place)
 * -> columns (column headers to meanings) -> slots and people (rows, names) -> choose (which table) -> reconcile (amounts, sums)
 * -> offices (who was PEO and PFO) -> observations (rows with provenance, checks and problems)
 */
export function parseFiling(bytes: Uint8Array, known: Known = {}): ParsedFiling {
  try {
    const opened = openDocument(bytes);
    if (opened.kind === "refused") return refuse(opened.reason, opened.detail, NO_FACTS);
    let refusal: ParsedFiling | undefined;
    for (const document of opened.documents) {
      const read = parseDocument(document, known);
      if (read.status === "parsed") return read;
      refusal ??= read;
      if (read.reason === "foreign_form" || read.reason === "fund_form") return read;
    }
    return refusal ?? refuse("empty", "no document in the submission", NO_FACTS);
  } catch (error) {
    return refuse("internal", error instanceof Error ? error.message : String(error), NO_FACTS);
  }
}

function parseDocument(document: SourceDocument, known: Known): ParsedFiling {
  const facts = readFacts(document, known);
  if (isForeignForm(facts.form)) return refuse("foreign_form", `form ${facts.form ?? ""}`, facts);
  if (isFundForm(facts.form)) return refuse("fund_form", `form ${facts.form ?? ""}`, facts);
  if (isPreliminary(facts.form)) return refuse("preliminary_form", `form ${facts.form ?? ""}`, facts);
  const located = locate(document.text);
  const chosen = chooseTable(document.text, located);
  if (chosen.kind === "refused") return refuse(chosen.reason, chosen.detail, facts);
  const read = observe(document.text, chosen.tables, facts, document.header?.fiscalYearEnd ?? null);
  const problems = [...chosen.problems, ...read.problems];
  if (!read.rows.some((row) => !row.placeholder)) {
    return {
      ...refuse("rows_unreadable", problems[0]?.message ?? "no row could be read", facts),
      problems,
      tables: read.tables,
    };
  }
  const newest = Math.max(...read.rows.map((row) => row.fiscal_year));
  if (newest < FIRST_YEAR)
    return { ...refuse("old_layout", `the newest year is ${newest}`, facts), problems, tables: read.tables };
  // What puts every amount in doubt is said by each row itself.
  const doubt = problems.filter(({ code }) => code === "several_tables" || code === "units_unclear");
  const rows =
    doubt.length === 0
      ? read.rows
      : read.rows.map((row) => ({ ...row, problems: [...row.problems, ...doubt] }));
  return { status: "parsed", reason: null, reasonDetail: null, facts, ...read, rows, problems };
}

function refuse(reason: RefusalReason, detail: string, facts: FilingFacts): ParsedFiling {
  return {
    status: "refused",
    reason,
    reasonDetail: detail,
    facts,
    regime: null,
    rows: [],
    offices: [],
    problems: [],
    tables: [],
  };
}
