import { like, readQuery, unreadable, whole } from "../domain/parameters.ts";
import { CURSOR_PARAMETER } from "../domain/selection.ts";
import { ServiceError } from "../errors.ts";
import type {
  ChainEdition,
  ChangeHistory,
  CompanyChanges,
  RecordedChange,
} from "../dataset/changes/chain.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { analysisOperation } from "./analysis.ts";
import { encode, type OperationDeps } from "./operation.ts";

/** Types of the change history, for surfaces. */
export type { ChangeHistory, CompanyChanges };

const DEFAULT_CHANGES = 100;
const MAX_CHANGES = 1000;

/** Formats of `since`: a content hash, its first digits, or the name or date of an edition. */
const SINCE = /^(?:[0-9a-f]{16,64}|\d{4}-\d\d-\d\d(?:\.\d{1,6})?)$/;

/** The parameters of the changes operation. */
export const CHANGES_PARAMETERS = [
  {
    name: "since",
    about:
      "the edition that you have: content_hash of the last answer, or its first 16 digits; or its name; a date is the " +
      "first edition of that day; all recorded changes if absent",
    ...like(SINCE, "the content_hash of an edition (16 to 64 hexadecimal digits), its name or its date"),
  },
  {
    name: "max_rows",
    about: "maximum number of changes per page",
    ...whole(1, MAX_CHANGES, DEFAULT_CHANGES),
  },
  CURSOR_PARAMETER,
] as const;

export interface ChangesDeps extends OperationDeps {
  changes: ChangeHistory;
}

/**
 * What was added or changed since an edition, oldest first. Anonymous callers see companies, fiscal years, filings and
 * how many rows changed; names and totals need a credential. A page with a row earlier than the company's latest fiscal
 * year costs `priceHistory`.
 * @see docs/contract.md, "Changes"
 */
export function changesOperation(deps: ChangesDeps) {
  return analysisOperation(deps, "getChanges", (given, dataset, principal) => {
    const { changes } = deps;
    const { since, max_rows: max = DEFAULT_CHANGES, cursor } = readQuery(given, CHANGES_PARAMETERS);
    const latest = changes.latest();
    const after = readSince(changes, since, latest);
    const from = readCursor(changes, cursor);
    const withRows = principal.kind !== "anonymous";
    const { priceHistory } = deps.prices;
    return {
      priceCredits: withRows ? priceHistory : 0,
      identity: JSON.stringify([latest, changes.oldest().seq, after, from, max, withRows]),
      answer() {
        const found = changes.changesAfter(after, from, max + 1);
        const page = found.slice(0, max);
        const isLast = found.length === page.length;
        const body: ChangeAnswer = {
          edition: latest.edition,
          content_hash: latest.contentHash,
          changes: page.map((one) => changeJson(one, withRows)),
          next_cursor: isLast ? null : writeCursor(page.at(-1)),
        };
        return {
          body: encode(JSON.stringify(body)),
          costCredits: withRows ? priceOf(deps, dataset, page) : 0,
        };
      },
    };
  });
}

/** The sequence number of the edition named by `since`. Refuses with `stale_cursor`. */
function readSince(changes: ChangeHistory, since: string | undefined, latest: ChainEdition): number {
  if (since === undefined) return 0;
  const found = changes.find(since);
  if (found !== null) return found.seq;
  const oldest = changes.oldest();
  throw new ServiceError(
    "stale_cursor",
    `Edition ${since} is not among those that the dataset in use was made from, or no longer. Reload your copy, then query since ${latest.contentHash.slice(0, 16)}; the oldest recorded edition is ${oldest.contentHash.slice(0, 16)} (${oldest.edition}).`,
  );
}

const CURSOR = /^([0-9a-f]{16})\.(\d{1,9})$/;

/** Writes a cursor. It names an edition and a place in it, so every server with that edition in its chain can continue. */
function writeCursor(last: RecordedChange | undefined): string | null {
  if (last === undefined) return null;
  const { contentHash, place } = last;
  return Buffer.from(`${contentHash.slice(0, 16)}.${place}`).toString("base64url");
}

/** The number of the change before the page; 0 without a cursor. Refuses with `invalid_parameter`, `stale_cursor`. */
function readCursor(changes: ChangeHistory, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const found = CURSOR.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  const [, contentHash = "", place = ""] = found ?? [];
  const edition = found === null ? null : changes.find(contentHash);
  const step = edition === null ? null : changes.step(edition);
  if (found === null || (step !== null && Number(place) > step.changes))
    throw unreadable("cursor", cursor, "the next_cursor of the previous page");
  if (step !== null) return step.before + Number(place);
  throw new ServiceError(
    "stale_cursor",
    "The changes after this cursor are not recorded, or no longer. Reload your copy, then query without a cursor.",
  );
}

/** A page of changes. */
export interface ChangeAnswer {
  edition: string;
  content_hash: string;
  changes: ReturnType<typeof changeJson>[];
  next_cursor: string | null;
}

function changeJson(one: RecordedChange, withRows: boolean) {
  const isRow = one.kind === "executive_year";
  return {
    edition: one.edition,
    content_hash: one.contentHash,
    recorded_at: one.recordedAt,
    kind: one.kind,
    change: one.change,
    ticker: one.ticker,
    cik: one.cik,
    company_name: one.company,
    fiscal_year: one.fiscalYear,
    complete: one.complete,
    executive_id: withRows ? one.executiveId : null,
    executive_name: withRows ? one.executiveName : null,
    fields: one.fields,
    reporting_currency: one.currency,
    total_compensation: isRow && withRows ? { before: one.totalBefore, after: one.totalAfter } : null,
    source: {
      form: one.form,
      accession: one.accession,
      filing_date: one.filingDate,
      filing_url: one.url,
    },
  };
}

/**
 * Changes cost as rows do: `priceHistory` if any is of an earlier fiscal year than the company's latest.
 */
function priceOf(
  { prices }: Pick<OperationDeps, "prices">,
  dataset: Dataset,
  page: readonly RecordedChange[],
): number {
  const rows = page.filter(({ kind }) => kind === "executive_year");
  if (rows.length === 0) return 0;
  const latest = new Map(
    dataset
      .all<{ cik: number; year: number }>(
        "select cik, max(fiscal_year) as year from years where cik in (select value from json_each(?)) group by cik",
        JSON.stringify([...new Set(rows.map(({ cik }) => Number(cik)))]),
      )
      .map(({ cik, year }) => [cik, year]),
  );
  const hasHistory = rows.some(({ cik, fiscalYear }) => (fiscalYear ?? 0) < (latest.get(Number(cik)) ?? 0));
  return hasHistory ? prices.priceHistory : 0;
}
