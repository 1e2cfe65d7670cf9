import { type } from "../../domain/schema.ts";

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
  formerNames: readonly string[];
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
  "formerNames?": type({ name: "string" }).array(),
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
    formerNames: (read.formerNames ?? []).map(({ name }) => name),
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
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
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
