import { basename } from "node:path";
import { type } from "../../lib/schema.ts";
import { lastYearEnd, shiftDays } from "../../domain/fiscal-year.ts";
import { parseJson } from "../../lib/text.ts";
import type { Edgar, Fetched, RequestOptions } from "./client.ts";

/** A filing on EDGAR's list of a registrant. */
export interface ListedFiling {
  accession: string;
  /** EDGAR's exact form type. */
  form: string;
  /** YYYY-MM-DD */
  filingDate: string;
  /** The period that the form reports on, or the date of the meeting; empty if EDGAR has none. */
  reportDate: string;
  /** File name of the main document; empty for filings from the 1990s. */
  primaryDocument: string;
}

/** A registrant according to EDGAR. */
export interface Registrant {
  /** Ten digits. */
  cik: string;
  name: string;
  tickers: readonly string[];
  /** MM-DD, or null. */
  fiscalYearEnd: string | null;
  /** Newest first. */
  filings: readonly ListedFiling[];
  /** Pages of older filings, newest first. */
  olderPages: readonly { name: string; newestDate: string }[];
}

const columns = type({
  accessionNumber: "string[]",
  form: "string[]",
  filingDate: "string[]",
  reportDate: "string[]",
  primaryDocument: "string[]",
});

const submissions = type({
  cik: "string | number",
  name: "string",
  "tickers?": "(string | null)[] | null",
  "fiscalYearEnd?": "string | null",
  filings: {
    recent: columns,
    files: type({ name: "/^[A-Za-z0-9-]+\\.json$/", filingTo: "string" }).array(),
  },
});

/**
 * Parses `CIK##########.json`.
 *
 * @returns null if the bytes are not in that format
 */
export function readSubmissions(bytes: Uint8Array): Registrant | null {
  const read = submissions(parse(bytes));
  if (read instanceof type.errors) return null;
  const cik = String(read.cik).padStart(10, "0");
  if (!/^\d{10}$/.test(cik)) return null;
  const end = /^(\d\d)(\d\d)$/.exec(read.fiscalYearEnd ?? "");
  return {
    cik,
    name: read.name,
    tickers: (read.tickers ?? []).flatMap((ticker) => (ticker === null || ticker === "" ? [] : [ticker])),
    fiscalYearEnd: end === null ? null : `${end[1]}-${end[2]}`,
    filings: listed(read.filings.recent),
    olderPages: read.filings.files
      .map(({ name, filingTo }) => ({ name, newestDate: filingTo }))
      .sort((a, b) => (a.newestDate < b.newestDate ? 1 : -1)),
  };
}

/** Parses an older page, `CIK##########-submissions-00N.json`. @returns null if the bytes are not in that format */
export function readOlderPage(bytes: Uint8Array): ListedFiling[] | null {
  const read = columns(parse(bytes));
  return read instanceof type.errors ? null : listed(read);
}

function parse(bytes: Uint8Array): unknown {
  return parseJson(new TextDecoder().decode(bytes));
}

/** Converts EDGAR's columns to filings; leaves out those without a valid accession number, date or plain file name. */
function listed(read: typeof columns.infer): ListedFiling[] {
  return read.accessionNumber.flatMap((accession, at) => {
    const form = read.form[at] ?? "";
    const filingDate = read.filingDate[at] ?? "";
    const primaryDocument = read.primaryDocument[at] ?? "";
    if (!/^\d{10}-\d{2}-\d{6}$/.test(accession) || !/^\d{4}-\d{2}-\d{2}$/.test(filingDate)) return [];
    if (!/^([A-Za-z0-9_.,~()+ -]+(\/[A-Za-z0-9_.,~()+ -]+)*)?$/.test(primaryDocument)) return [];
    if (primaryDocument.split("/").includes("..")) return [];
    return [{ accession, form, filingDate, reportDate: read.reportDate[at] ?? "", primaryDocument }];
  });
}

/** The URL of a filing's main document. The folder is the registrant's, not the accession number's prefix (the filer agent's). */
export function documentUrl(wwwUrl: string, cik: string, filing: ListedFiling): string {
  const folder = `${wwwUrl}/Archives/edgar/data/${Number(cik)}/${filing.accession.replaceAll("-", "")}`;
  // Filings without a named document exist only as one complete text file.
  const file = filing.primaryDocument === "" ? `${filing.accession}.txt` : filing.primaryDocument;
  return `${folder}/${file.split("/").map(encodeURIComponent).join("/")}`;
}

/**
 * The filings of one fiscal year, best forms first: a definitive proxy (or an amended annual report) is expected to contain
 * the table; an annual report usually refers to the proxy, so it is fetched only if nothing better has rows.
 */
export interface FilingYear {
  /** The calendar year in which the fiscal year ends, according to the registrant's nominal year end. */
  endsIn: number;
  /** All are fetched, because each is an observation of its own. Newest first. */
  expected: readonly ListedFiling[];
  /** Fetched in sequence until one has rows. */
  fallback: readonly ListedFiling[];
}

const EXPECTED_FORMS = ["DEF 14A", "DEF 14A/A", "DEFR14A", "DEFC14A", "DEF 14C", "10-K/A", "10-KT/A"];
const FALLBACK_FORMS = ["10-KT", "10-K", "DEFM14A"];
const OFFERING_FORMS = ["424B4", "424B1", "424B3", "S-1/A", "S-1"];

/** All forms that can contain the table. @see docs/reading-filings.md, "Forms" */
export const FORMS: readonly string[] = [...EXPECTED_FORMS, ...FALLBACK_FORMS, ...OFFERING_FORMS];

/** Maximum offering documents to try, best form first, then newest. */
const OFFERINGS_TRIED = 2;
/** No form reports on a fiscal year that ended fewer days ago. */
const SOONEST_DAYS = 10;
/** The nearest nominal year end is the last one before this many days later. */
const HALF_YEAR_DAYS = 182;

/** Groups a registrant's filings by fiscal year, newest first. @param fiscalYearEnd MM-DD; the calendar year's if null */
export function filingYears(filings: readonly ListedFiling[], fiscalYearEnd: string | null): FilingYear[] {
  const carriers = filings.filter(({ form }) => FORMS.includes(form));
  const annual = carriers.filter(({ form }) => !OFFERING_FORMS.includes(form));
  const years = Map.groupBy(annual, (filing) => yearOf(filing, fiscalYearEnd));
  const found = [...years].map(([endsIn, all]) => ({
    endsIn,
    expected: newestFirst(all.filter(({ form }) => EXPECTED_FORMS.includes(form))),
    fallback: ranked(all, FALLBACK_FORMS),
  }));
  if (found.length === 0) {
    // A company that has just gone public: only its prospectus has the table.
    const offering = ranked(carriers, OFFERING_FORMS).slice(0, OFFERINGS_TRIED);
    const [best] = offering;
    if (best !== undefined)
      found.push({ endsIn: yearOf(best, fiscalYearEnd), expected: [], fallback: offering });
  }
  return found.sort((a, b) => b.endsIn - a.endsIn);
}

/** The calendar year in which the fiscal year reported by a filing ended. */
function yearOf({ form, filingDate, reportDate }: ListedFiling, fiscalYearEnd: string | null): number {
  // An annual report's report date is its year end, a few days off the nominal one; a proxy's is the date of the meeting.
  const isYearEnd = form.startsWith("10-K") && /^\d{4}-\d\d-\d\d$/.test(reportDate);
  const until = isYearEnd ? shiftDays(reportDate, HALF_YEAR_DAYS) : shiftDays(filingDate, -SOONEST_DAYS);
  return Number(lastYearEnd(until, fiscalYearEnd ?? "12-31").slice(0, 4));
}

function newestFirst(filings: readonly ListedFiling[]): ListedFiling[] {
  return filings.toSorted((a, b) => {
    if (a.filingDate !== b.filingDate) return a.filingDate < b.filingDate ? 1 : -1;
    return a.accession < b.accession ? 1 : -1;
  });
}

function ranked(filings: readonly ListedFiling[], forms: readonly string[]): ListedFiling[] {
  return forms.flatMap((wanted) => newestFirst(filings.filter(({ form }) => form === wanted)));
}

/**
 * Fetches a complete document. If it ends in the middle of its markup, it is fetched again; if it still does, its length is
 * checked against EDGAR's index of the filing. A truncated document is therefore never mistaken for a short table.
 */
export async function fetchDocument(
  edgar: Edgar,
  url: string,
  options: Omit<RequestOptions, "expect">,
): Promise<Fetched> {
  const first = await edgar.get(url, { ...options, expect: "document" });
  if (first.kind !== "ok" || hasEnd(first.bytes)) return first;
  const second = await edgar.get(url, { ...options, expect: "document" });
  if (second.kind !== "ok" || hasEnd(second.bytes)) return second;
  const size = await sizeByIndex(edgar, url, options);
  const { length } = second.bytes;
  const expected = size ?? first.bytes.length;
  if (length === expected) return second;
  return { kind: "unavailable", why: `${url} is truncated: ${length} bytes of ${expected}` };
}

/** Whether the document ends with a closing tag; plain text has none and always counts as complete. */
function hasEnd(bytes: Uint8Array): boolean {
  const latin1 = new TextDecoder("latin1");
  const isMarkup = /<html|<body|<document>|<table/i.test(latin1.decode(bytes.subarray(0, 4096)));
  if (!isMarkup) return true;
  return /<\/(html|body|document|text|sec-document)\s*>/i.test(latin1.decode(bytes.subarray(-2048)));
}

/** The file's length according to `index.json` of its folder; null if EDGAR does not say. */
async function sizeByIndex(
  edgar: Edgar,
  url: string,
  options: Omit<RequestOptions, "expect">,
): Promise<number | null> {
  const { signal } = options;
  const got = await edgar.get(new URL("index.json", url).href, { expect: "json", signal });
  if (got.kind !== "ok") return null;
  const text = new TextDecoder().decode(got.bytes);
  const found = [...text.matchAll(/"name"\s*:\s*"([^"]*)"[^}]*"size"\s*:\s*"(\d+)"/g)];
  const name = decodeURIComponent(basename(new URL(url).pathname));
  const size = found.find((match) => match[1] === name)?.[2];
  return size === undefined ? null : Number(size);
}
