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
import { type FlagValues, type Given, type Io, UsageError } from "../command.ts";
import { readDay, numberFlag } from "../output.ts";

/** The flags of the command. */
export const INGEST_FLAGS = {
  ticker: { value: "T,…", about: "These companies, by symbol." },
  cik: { value: "C,…", about: "These companies, by CIK." },
  since: {
    value: "DATE",
    reads: readDay,
    about:
      "Companies that filed since that date (YYYY-MM-DD); with --ticker or --cik, only filings since then.",
  },
  year: {
    value: "Y",
    about: "Companies that filed in that calendar year; with --ticker or --cik, only filings of that year.",
  },
  all: { about: "Every company in the SEC's symbol list." },
  pending: {
    about:
      "Every known filing that is not loaded yet, including the 2017 to 2021 proxies of 5,810 companies.",
  },
  frames: {
    value: "Y-Y",
    about: "Totals of CEOs as tagged, from the SEC's frames of these years: 2022-2025, two requests a year.",
  },
  index: { value: "sp500", choices: INDEXES, about: "With --pending: members of the index at that time." },
  limit: { value: "N", about: "With --pending: maximum number of filings, newest first." },
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
      "Where to write the report, as JSON; default reports/ingest.json in the data folder, which has that of the last run to end.",
  },
} as const;

/** The request on the command line. */
export interface IngestArguments {
  flags: FlagValues<typeof INGEST_FLAGS>;
  /** From `--ticker` and the operands. */
  symbols: readonly string[];
  bounds: Bounds;
}

/** @throws UsageError if the request is malformed, empty or contradictory */
export function readIngestArguments(
  { flags, operands }: Given<typeof INGEST_FLAGS>,
  io: Io,
): IngestArguments {
  const bounds = readBounds(flags, io);
  const request = { flags, symbols: [...words(flags.ticker), ...operands], bounds };
  refuseWhatExcludes(request);
  return request;
}

/** Whether the request names companies. */
export function isNamed({ flags, symbols }: IngestArguments): boolean {
  return symbols.length > 0 || flags.cik !== undefined;
}

/** @throws UsageError if there is nothing to ingest, if selections conflict, or if a filter lacks its selection */
function refuseWhatExcludes(request: IngestArguments): void {
  const { flags } = request;
  const named = isNamed(request);
  const kinds = [
    named,
    flags.all,
    flags.pending,
    flags.fromDir !== undefined,
    flags.frames !== undefined,
  ].filter(Boolean).length;
  const open = flags.since !== undefined || flags.year !== undefined;
  const noCik = words(flags.cik).find((cik) => normalizeCik(cik) === undefined);
  if (noCik !== undefined) {
    throw new UsageError(`Cannot read --cik ${JSON.stringify(noCik)}: expected 1 to 10 digits.`);
  }
  // Named companies can be combined with --pending; all other selections exclude each other.
  if (kinds > (flags.pending && named ? 2 : 1))
    throw new UsageError("Use only one of --ticker or --cik, --all, --pending, --from-dir, --frames.");
  if (!flags.pending && (flags.index !== undefined || flags.limit !== undefined))
    throw new UsageError("--index and --limit require --pending.");
  if (flags.frames !== undefined && (open || flags.dryRun))
    throw new UsageError("--frames takes years only: leave out --since, --year and --dry-run.");
  if (kinds === 0 && !open) {
    throw new UsageError(
      "Specify what to ingest with --ticker, --cik, --since, --year, --all, --pending, --from-dir or --frames. See: execcomp help ingest",
    );
  }
}

/** The companies to fetch, with their bounds. Refuses like `namedCompanies`. */
export async function wantedOf(
  dataset: Dataset,
  edgar: Edgar,
  request: IngestArguments,
): Promise<readonly WantedCompany[]> {
  const { flags, symbols, bounds } = request;
  const named = isNamed(request)
    ? await namedCompanies(dataset, edgar, symbols, words(flags.cik), bounds)
    : null;
  if (flags.pending) {
    const ciks = (named ?? []).map(({ cik }) => cik);
    const narrowed = { ciks, index: flags.index ?? null, limit: readLimit(flags.limit) };
    return pendingFilings(dataset, bounds, narrowed, embeddedKnownProxies());
  }
  if (named !== null) return named;
  return flags.all ? allRegistrants(dataset, bounds) : filersBetween(dataset, edgar, bounds);
}

function readLimit(limit: string | undefined): number | null {
  if (limit === undefined) return null;
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit);
  throw new UsageError(`Cannot read --limit ${JSON.stringify(limit)}: expected a whole number from 1.`);
}

function readBounds({ years = 1, since, year }: FlagValues<typeof INGEST_FLAGS>, io: Io): Bounds {
  if (year !== undefined && !/^(19|20)\d\d$/.test(year)) {
    throw new UsageError(`Cannot read --year ${JSON.stringify(year)}: expected a calendar year.`);
  }
  if (since !== undefined && year !== undefined) throw new UsageError("Use --since or --year, not both.");
  const today = new Date(io.runtime.now()).toISOString().slice(0, 10);
  if (since !== undefined) return { years, from: since, until: today };
  if (year !== undefined) return { years, from: `${year}-01-01`, until: `${year}-12-31` };
  return { years, from: "", until: "" };
}

function words(list: string | undefined): string[] {
  return (list ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
