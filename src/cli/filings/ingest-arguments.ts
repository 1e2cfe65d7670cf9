/** Reads the command line of `execcomp ingest`, and selects its companies. */
import { normalizeCik } from "../../domain/company.ts";
import { INDEXES } from "../../domain/selection.ts";
import type { Edgar } from "../../ingest/edgar/client.ts";
import type { WantedCompany } from "../../ingest/fetch-filings.ts";
import {
  type Bounds,
  allRegistrants,
  filersBetween,
  namedCompanies,
  pendingFilings,
} from "../../ingest/targets.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { embeddedKnownProxies } from "../../dataset/embedded.ts";
import { byServer } from "../accounts/accounts.ts";
import { type Flag, type FlagValues, type Arguments, type Io, UsageError } from "../command.ts";
import { readDay, numberFlag } from "../output.ts";

/** The flags of the command. */
export const INGEST_FLAGS = {
  ticker: { value: "T,…", about: "These companies, by symbol.", reads: (_, text) => words(text) },
  cik: { value: "C,…", about: "These companies, by CIK.", reads: readCiks },
  since: {
    value: "DATE",
    reads: readDay,
    about:
      "Companies that filed since that date (YYYY-MM-DD); with --ticker or --cik, only filings since then.",
  },
  year: {
    value: "Y",
    about: "Companies that filed in that calendar year; with --ticker or --cik, only filings of that year.",
    reads: readYear,
  },
  all: { about: "Every company in the SEC's symbol list." },
  pending: {
    about:
      "Every known filing that is not loaded yet, including the 2017 to 2021 proxies of 5,810 companies.",
  },
  frames: {
    value: "Y-Y",
    about:
      "CEO totals as tagged, from the SEC's frames for these years, such as 2022-2025; two requests a year.",
  },
  index: { value: "sp500", choices: INDEXES, about: "With --pending: members of the index at that time." },
  limit: numberFlag("With --pending: maximum number of filings, newest first.", 1, 999_999_999),
  fromDir: {
    value: "DIR",
    about: "Read a folder or a mirror of EDGAR instead; no network is used.",
  },
  years: numberFlag("Fiscal years per company, newest first; default 1.", 1, 100),
  dryRun: { about: "List what would be fetched, and stop." },
  byServer,
  report: {
    value: "FILE",
    about:
      "Where to write the report, as JSON; default reports/ingest.json in the data folder, which has that of the last finished run.",
  },
} as const satisfies Readonly<Record<string, Flag>>;

/** The request on the command line. */
export interface IngestArguments {
  flags: FlagValues<typeof INGEST_FLAGS>;
  /** From `--ticker` and the operands. */
  symbols: readonly string[];
  bounds: Bounds;
}

/** @throws UsageError if the request is malformed, empty or contradictory */
export function readIngestArguments(
  { flags, operands }: Arguments<typeof INGEST_FLAGS>,
  io: Io,
): IngestArguments {
  const bounds = readBounds(flags, io);
  const request = { flags, symbols: [...(flags.ticker ?? []), ...operands], bounds };
  refuseWhatExcludes(request);
  return request;
}

/** Whether the request names companies. */
export function isNamed({ flags, symbols }: IngestArguments): boolean {
  return symbols.length > 0 || flags.cik !== undefined;
}

/** @throws UsageError if there is nothing to ingest, if selections conflict, or if a filter lacks its selection */
function refuseWhatExcludes(request: IngestArguments): void {
  const { all, pending, fromDir, frames, since, year, index, limit, dryRun } = request.flags;
  const named = isNamed(request);
  const kinds = [named, all, pending, fromDir !== undefined, frames !== undefined].filter(Boolean).length;
  const open = since !== undefined || year !== undefined;
  // Named companies can be combined with --pending; all other selections exclude each other.
  if (kinds > (pending && named ? 2 : 1))
    throw new UsageError("Use only one of --ticker or --cik, --all, --pending, --from-dir, --frames.");
  if (!pending && (index !== undefined || limit !== undefined))
    throw new UsageError("--index and --limit require --pending.");
  if (frames !== undefined && (open || dryRun))
    throw new UsageError("--frames takes years only: leave out --since, --year and --dry-run.");
  if (kinds === 0 && !open)
    throw new UsageError(
      "Specify what to ingest with --ticker, --cik, --since, --year, --all, --pending, --from-dir or --frames. See: execcomp help ingest",
    );
}

/** The companies to fetch, with their bounds. Refuses like `namedCompanies`. */
export async function wantedOf(
  dataset: Dataset,
  edgar: Edgar,
  request: IngestArguments,
): Promise<readonly WantedCompany[]> {
  const { flags, symbols, bounds } = request;
  const named = isNamed(request)
    ? await namedCompanies(dataset, edgar, symbols, flags.cik ?? [], bounds)
    : null;
  if (flags.pending) {
    const ciks = (named ?? []).map(({ cik }) => cik);
    const narrowed = { ciks, index: flags.index ?? null, limit: flags.limit ?? null };
    return pendingFilings(dataset, bounds, narrowed, embeddedKnownProxies());
  }
  if (named !== null) return named;
  return flags.all ? allRegistrants(dataset, bounds) : filersBetween(dataset, edgar, bounds);
}

function readBounds({ years = 1, since, year }: FlagValues<typeof INGEST_FLAGS>, io: Io): Bounds {
  if (since !== undefined && year !== undefined) throw new UsageError("Use --since or --year, not both.");
  const today = new Date(io.runtime.now()).toISOString().slice(0, 10);
  if (since !== undefined) return { years, from: since, until: today };
  if (year !== undefined) return { years, from: `${year}-01-01`, until: `${year}-12-31` };
  return { years, from: "", until: "" };
}

function readYear(flag: string, text: string): string {
  if (/^(19|20)\d\d$/.test(text)) return text;
  throw new UsageError(`Cannot read ${flag} ${JSON.stringify(text)}: expected a calendar year.`);
}

function readCiks(flag: string, text: string): string[] {
  const ciks = words(text);
  const wrong = ciks.find((cik) => normalizeCik(cik) === undefined);
  if (wrong === undefined) return ciks;
  throw new UsageError(`Cannot read ${flag} ${JSON.stringify(wrong)}: expected 1 to 10 digits.`);
}

function words(list: string): string[] {
  return list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
