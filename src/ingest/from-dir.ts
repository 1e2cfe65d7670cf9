/** Documents in a folder: a mirror of EDGAR, files named by accession number, or files described in a manifest. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { normalizeCik } from "../domain/company.ts";
import { OperatorError } from "../errors.ts";
import { requireFolder } from "../files.ts";
import { readDocument } from "./fetch-filings.ts";
import { EDGAR_WWW } from "./edgar/client.ts";
import type { GivenFacts } from "../reader/pipeline.ts";
import { hashOf } from "./cache.ts";
import { ingestedFiling } from "./ingested-filing.ts";
import type { IngestContext } from "./context.ts";

/** A document of the folder, with what its path or the manifest says about it. */
export interface FoundFile {
  /** Relative to the folder, with `/`. */
  path: string;
  given: GivenFacts;
  ticker: string | null;
  /** What the manifest says of it that cannot be read; null for nothing. */
  unreadable: string | null;
}

const DOCUMENTS = "**/*.{htm,html,txt,HTM,HTML,TXT}";
/** Files that EDGAR adds next to documents. */
const AUXILIARY = /(-index(-headers)?\.html?|readme\.(txt|md))$/i;

/**
 * The documents in a folder and its subfolders, by path. A `manifest.csv` in the folder (with the column `file` and any of `cik,
 * ticker, company_name, form, accession, filing_date`) supplies facts that the files do not contain; so do paths such as
 * `edgar/data/CIK/ACCESSION/document.htm` and names such as `0001463101-26-000026.htm`.
 *
 * @throws OperatorError if the folder does not exist, or its manifest names no files
 */
export function findFiles(folder: string): FoundFile[] {
  requireFolder(folder);
  const manifest = readManifest(join(folder, "manifest.csv"));
  const paths = [...new Bun.Glob(DOCUMENTS).scanSync({ cwd: folder, followSymlinks: true })];
  return paths
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !AUXILIARY.test(path))
    .sort()
    .map((path) => {
      const line = manifest.get(path);
      const given = { ...knownByPath(path), ...line?.given };
      return { path, given, ticker: line?.ticker ?? null, unreadable: line?.unreadable ?? null };
    });
}

/**
 * Reads one document of the folder and stores its bytes. `ingested` is null if a fact needed to serve its rows is unknown;
 * `why` says which.
 *
 * @param nameOf a company's name in the dataset; empty if it has none
 */
export async function readFile(
  context: Pick<IngestContext, "raw" | "parseCache" | "workerPool">,
  folder: string,
  file: FoundFile,
  nameOf: (cik: string) => string,
) {
  const bytes = new Uint8Array(await Bun.file(join(folder, file.path)).arrayBuffer());
  const parsed = await readDocument(context, file.given, hashOf(bytes), bytes);
  const done = { path: file.path, bytes: bytes.length, parsed };
  if (file.unreadable !== null) return { ...done, ingested: null, why: file.unreadable };
  const accession = file.given.accession ?? parsed.facts.accession ?? null;
  const cik = file.given.cik ?? parsed.facts.cik;
  const form = file.given.form ?? parsed.facts.form;
  const missing = [
    ...(accession === null ? ["accession number"] : []),
    ...(cik === null ? ["CIK"] : []),
    ...(form === null && parsed.status === "parsed" ? ["form"] : []),
  ];
  if (accession === null || cik === null || missing.length > 0) {
    const named = missing.join(", ").replace(/, (?=[^,]*$)/, " and ");
    const why = `unknown ${named}; add ${missing.length === 1 ? "it" : "them"} to a manifest.csv in the folder`;
    return { ...done, ingested: null, why };
  }
  const sha256 = await context.raw.put(bytes);
  const name = nameOf(cik) || (file.given.companyName ?? parsed.facts.companyName ?? `CIK ${cik}`);
  const symbols = file.ticker === null ? [] : [file.ticker];
  const company = { cik, name, fiscalYearEnd: parsed.facts.fiscalYearEnd?.slice(5) ?? null, symbols };
  const filingDate = file.given.filingDate ?? parsed.facts.filingDate;
  const facts = { accession, form, filingDate, url: urlOf(cik, accession, file.path) };
  return { ...done, ingested: ingestedFiling(company, facts, sha256, parsed), why: null };
}

/** The URL on EDGAR; known only in a mirror, where files keep their names. */
function urlOf(cik: string, accession: string, path: string): string | null {
  const dashless = accession.replaceAll("-", "");
  const match = new RegExp(`(?:^|/)${Number(cik)}/${dashless}/([^/]+)$`).exec(path);
  return match === null ? null : `${EDGAR_WWW}/Archives/edgar/data/${Number(cik)}/${dashless}/${match[1]}`;
}

function knownByPath(path: string): GivenFacts {
  const mirrored = /(?:^|\/)(\d{1,10})\/(\d{10})(\d{2})(\d{6})\/[^/]+$/.exec(path);
  if (mirrored !== null) {
    const [, cik = "", filer, year, serial] = mirrored;
    return { cik: cik.padStart(10, "0"), accession: `${filer}-${year}-${serial}` };
  }
  const accession = /(?:^|\/)(\d{10}-\d{2}-\d{6})\.\w+$/.exec(path)?.[1];
  return accession === undefined ? {} : { accession };
}

type ManifestLine = Pick<FoundFile, "given" | "ticker" | "unreadable">;

const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Columns of a manifest whose values have a form, and an example of it. */
const FORMS: readonly (readonly [name: string, isOne: (text: string) => boolean, example: string])[] = [
  ["cik", (text) => normalizeCik(text) !== undefined, "1 to 10 digits"],
  ["accession", (text) => /^\d{10}-\d\d-\d{6}$/.test(text), "a number such as 0000950137-08-000001"],
  ["filing_date", isDate, "a date such as 2026-03-31"],
];

function readManifest(file: string): Map<string, ManifestLine> {
  if (!existsSync(file)) return new Map();
  const [head = [], ...lines] = readCsv(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  if (!head.includes("file"))
    throw new OperatorError(
      `${file} has no column file. Begin it with a line such as file,cik,accession,form,filing_date, separated by commas.`,
    );
  const places = lines.map((cells): [string, ManifestLine] => {
    const get = (name: string) => cells[head.indexOf(name)]?.trim() ?? "";
    const facts: Record<keyof GivenFacts, string> = {
      cik: normalizeCik(get("cik")) ?? "",
      form: get("form"),
      accession: get("accession"),
      companyName: get("company_name"),
      filingDate: get("filing_date"),
    };
    const given: GivenFacts = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== ""));
    const [wrong] = FORMS.filter(([name, isOne]) => get(name) !== "" && !isOne(get(name)));
    const unreadable =
      wrong && `manifest.csv has ${wrong[0]} ${JSON.stringify(get(wrong[0]))}: expected ${wrong[2]}`;
    return [get("file"), { given, ticker: get("ticker") || null, unreadable: unreadable ?? null }];
  });
  return new Map(places);
}

/** Parses CSV into lines of cells. @see RFC 4180 */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    cells.push(match[1] === undefined ? (match[2] ?? "") : match[1].replaceAll('""', '"'));
    if (match[3] === ",") continue;
    if (cells.some((cell) => cell !== "")) lines.push(cells);
    cells = [];
    if (match[3] === "") break;
  }
  return lines;
}
