/**
 * What a viewer has opened and what a button offers. Everything on a page that ranks, orders, counts, aggregates or draws takes its
 * rows through the `Sight` of its viewer. @see docs/contract.md, "Pages"
 */
import type { ExecutiveCompensation as Row } from "../domain/row-fields.ts";
import { invalid, ServiceError } from "../errors.ts";
import { type Asked, type Opening, type Sight, tellsChanges } from "../analysis/sight.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { resolvedCeoPay } from "../operations/ceo-pay.ts";
import { selectionOf } from "../operations/rankings.ts";
import type { PageVisit } from "./page-visit.ts";
import { ceoPayFilters, type Filters, leavingOut, SHOWN } from "./filters.ts";
import type { PagePrice } from "./viewer.ts";

/** What a button opens, as it is stored and as it is asked about. */
export interface Offer {
  subject: string;
  opening: Opening;
  /** What of it the page shows at once, if not all: nothing is charged where the viewer sees that already. */
  shown?: readonly Opening[];
  /** Whether it opens what the page has beside that: a button pressed twice does not open both. */
  isMore?: boolean;
}

/** Longest subject that a store can index. */
const MAX_SUBJECT = 2500;

/** What the viewer may see; null for everything. @param price what would be charged */
export async function sightOf(
  { deps, viewer, dataset }: Pick<PageVisit, "deps" | "viewer" | "dataset">,
  { costCredits }: Pick<PagePrice, "costCredits">,
): Promise<Sight | null> {
  if (viewer.kind === "operator") return null;
  if (viewer.kind === "visitor") return { latest: deps.publicRankings === "on", opened: [] };
  if (viewer.isUnmetered || costCredits === 0) return null;
  const subjects = await deps.viewers.opened(viewer, dataset.info.contentHash);
  return { latest: true, opened: subjects.flatMap((subject) => readSubject(dataset, subject) ?? []) };
}

/** Which rows of companies the viewer may see. @param sight null for everything */
export async function openRows(
  { deps, dataset }: Pick<PageVisit, "deps" | "dataset">,
  sight: Sight | null,
  ciks: readonly string[],
): Promise<(row: Row) => boolean> {
  if (sight === null) return () => true;
  const { open: rows } = await deps.analyst.ask(dataset, { kind: "open_rows", sight, ciks });
  const keyOf = (row: Pick<Row, "cik" | "fiscal_year" | "executive_id">) =>
    `${row.cik} ${row.fiscal_year} ${row.executive_id}`;
  const open = new Set(rows.map(keyOf));
  return (row) => open.has(keyOf(row));
}

/** Whether every row and total of companies is open. */
export function seesCompanies(sight: Sight | null, ciks: readonly string[]): boolean {
  if (sight === null) return true;
  const open = new Set(sight.opened.flatMap((one) => (one.kind === "companies" ? one.ciks : [])));
  return ciks.every((cik) => open.has(cik));
}

/** Every row and total of companies. */
export function companiesOffered(ciks: readonly string[]): Offer {
  const sorted = ciks.toSorted();
  return {
    subject: `companies ${sorted.map(Number).join(",")}`,
    opening: { kind: "companies", ciks: sorted },
  };
}

/** What a page over a selection asks to show, and stores as opened. @param filters as in addresses */
export function selectionOffered(
  dataset: Dataset,
  kind: Asked["kind"],
  filters: Filters,
): Offer & { opening: Asked } {
  const opening = readSelectionOpening(dataset, kind, filters);
  const { selection } = opening;
  const query = new URLSearchParams(leavingOut(filters, (name) => SHOWN.has(name) || NAMED.has(name)));
  // However the companies were named.
  if (selection.onlyNamed) query.set("cik", selection.ciks.map(Number).join(","));
  query.sort();
  const subject = `${kind} ${query.toString().replaceAll("%2C", ",")}`;
  if (subject.length > MAX_SUBJECT)
    throw invalid("Too many filters for one page: leave out some of the companies or names.");
  return { subject, opening };
}

const NAMED: ReadonlySet<string> = new Set(["ticker", "cik"]);

/** Rows of a ranking: with those of the year before where it is about changes. */
export function rowsKind(dataset: Dataset, filters: Filters): "rows" | "changes" {
  return tellsChanges(
    selectionOf(
      dataset,
      leavingOut(filters, (name) => SHOWN.has(name)),
    ),
    filters["sort"],
  )
    ? "changes"
    : "rows";
}

function readSelectionOpening(dataset: Dataset, kind: Asked["kind"], given: Filters): Asked {
  const filters = leavingOut(given, (name) => SHOWN.has(name));
  if (kind === "totals") return { kind, selection: resolvedCeoPay(dataset, filters) };
  if (kind !== "statistics") return { kind, selection: selectionOf(dataset, filters) };
  const everyYear = {
    ...leavingOut(filters, (name) => name.startsWith("fiscal_year")),
    fiscal_year_gte: "0",
  };
  const totals = ceoPayFilters(everyYear);
  return {
    kind,
    selection: selectionOf(dataset, everyYear),
    totals: totals === null ? null : resolvedCeoPay(dataset, totals),
  };
}

/** What a subject of this dataset stands for; undefined for one that an earlier version wrote. */
function readSubject(dataset: Dataset, subject: string): Opening | undefined {
  const at = subject.indexOf(" ");
  const [kind, query] = [subject.slice(0, at), subject.slice(at + 1)];
  if (kind === "companies")
    return companiesOffered(query.split(",").map((cik) => cik.padStart(10, "0"))).opening;
  if (kind !== "rows" && kind !== "changes" && kind !== "totals" && kind !== "statistics") return undefined;
  try {
    return readSelectionOpening(dataset, kind, Object.fromEntries(new URLSearchParams(query)));
  } catch (refused) {
    if (refused instanceof ServiceError) return undefined;
    throw refused;
  }
}
