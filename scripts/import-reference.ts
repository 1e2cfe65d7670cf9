/**
 * Converts a folder of collected lists into the compact files of `data/reference`. `data/README.md`
 * says what each list is, how reliable it is and its licence. Run by hand when a list is replaced.
 *
 *     bun scripts/import-reference.ts [FOLDER]
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { normalizeSymbol } from "../src/domain/company.ts";
import { displayName } from "../src/domain/executive.ts";
import { readSymbolFile } from "../src/dataset/reference-file.ts";

/** Alphabet has been the successor of Google Inc., another registrant, since then; no list says so. */
const GOOGLE = ["0001652044", "GOOGLE INC.", "", "2015-10-02"];

/**
 * Registrants whose company files under another CIK now. Of each pair the lists have one name, and one symbol that was the first's
 * in its proxies and is the second's today; the day is that of BlackRock's change of name.
 */
const SUCCESSORS = [
  ["0001058057", "0001835632", ""],
  ["0001364742", "0002012383", "2024-10-01"],
  ["0001411494", "0001858681", ""],
];

const ROOT = join(import.meta.dir, "..");
const OUT = join(ROOT, "data/reference");
/** EDGAR's codes of states of incorporation that the list lacks, by CIK (AVGO, CHTR, CMG, GM, ORCL, PLTR, PYPL; MDT in Ireland). */
const INCORPORATED: Readonly<Record<string, string>> = {
  "0001730168": "DE",
  "0001091667": "DE",
  "0001058090": "DE",
  "0001467858": "DE",
  "0001341439": "DE",
  "0001321655": "DE",
  "0001633917": "DE",
  "0001613103": "L2",
};

/** The only registrant whose current symbol belongs to another registrant in this list. */
const EXXON = { inMembership: "0002115436", cik: "0000034088" };

/** The columns of a registrant besides its name. */
const FACTS = ["sic", "filer_category", "fiscal_year_end", "state_of_incorporation", "business_state"];

type Line = Readonly<Record<string, string>>;

/** The lines of a CSV file as records by header. Quoted cells may contain commas and doubled quotes. */
export function readCsv(text: string): Line[] {
  const [head = "", ...lines] = text.replaceAll("\r", "").trimEnd().split("\n");
  const cells = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
    );
  const names = cells(head);
  return lines.map((line) => {
    const values = cells(line);
    if (values.length !== names.length) throw new Error(`${values.length} cells of ${names.length}: ${line}`);
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""]));
  });
}

function write(name: string, columns: readonly string[], lines: readonly (readonly string[])[]): void {
  const clean = (cell: string) => cell.replaceAll(/\s+/g, " ").trim();
  const text = [columns, ...lines].map((line) => line.map(clean).join("\t")).join("\n");
  writeFileSync(join(OUT, name), `${text}\n`);
  console.log(`data/reference/${name}: ${lines.length} lines`);
}

function main(folder: string): void {
  const read = (name: string) => readCsv(readFileSync(join(folder, name), "utf8"));
  const get = (line: Line, name: string) => line[name] ?? "";
  const sec = readSymbolFile(readFileSync(join(ROOT, "data/symbols.tsv"), "utf8"), "data/symbols.tsv");
  const listed = new Set(sec.map(({ cik }) => cik));
  const current = new Set(sec.flatMap(({ symbols }) => symbols.map(({ symbol }) => normalizeSymbol(symbol))));
  mkdirSync(OUT, { recursive: true });

  const registrants = read("registrants.csv");
  const proxies = read("proxies-2017-2021.csv");
  const members = read("sp500-membership.csv").map((line) =>
    get(line, "cik") === EXXON.inMembership ? { ...line, cik: EXXON.cik } : line,
  );
  // The newest name of a registrant that is no longer in the SEC's list.
  const names = new Map<string, string>();
  const byAccessionYear = (a: Line, b: Line) =>
    get(a, "accession").slice(11) < get(b, "accession").slice(11) ? -1 : 1;
  for (const line of proxies.toSorted(byAccessionYear))
    names.set(get(line, "cik"), get(line, "company_name"));
  const newest = read("proxies-2025-2026.csv");
  const payTags = read("pay-versus-performance.csv");
  for (const line of newest) names.set(get(line, "cik"), get(line, "company_name"));
  for (const line of [...members, ...payTags])
    names.getOrInsert(get(line, "cik"), line["name"] ?? get(line, "company_name"));

  const facts = new Map(registrants.map((line) => [get(line, "cik"), line]));
  const ciks = [...new Set([...facts.keys(), ...names.keys()])].sort();
  write(
    "registrants.tsv",
    ["cik", "name", ...FACTS],
    ciks.map((cik) => {
      const line = { ...facts.get(cik) };
      line["state_of_incorporation"] ||= INCORPORATED[cik] ?? "";
      const name = listed.has(cik) ? "" : (names.get(cik) ?? get(line, "name"));
      return [cik, name, ...FACTS.map((column) => get(line, column))];
    }),
  );
  const codes = new Map(registrants.map((line) => [get(line, "sic"), get(line, "sic_description")]));
  codes.delete("");
  write("sic-codes.tsv", ["sic", "description"], [...codes].sort(byFirst));
  const formerNames = [...read("former-names.csv").map((line) => Object.values(line)), GOOGLE];
  write("former-names.tsv", ["cik", "former_name", "used_from", "used_until"], formerNames.sort(byFirst));
  write("successors.tsv", ["cik", "successor", "since"], SUCCESSORS);
  const stays = members.map((line) => Object.values(line)).sort(byLine);
  write("sp500.tsv", ["cik", "symbol", "name", "sector", "added", "removed"], stays);

  // A former symbol belongs to its latest holder, unless the SEC's list assigns it to a registrant today.
  const holders = new Map<string, { cik: string; until: string }>();
  const claim = (symbol: string, cik: string, until: string) => {
    const key = normalizeSymbol(symbol);
    const held = holders.get(key);
    if (key === "" || key === "NONE" || current.has(key) || (held !== undefined && held.until > until))
      return;
    holders.set(key, { cik, until });
  };
  for (const line of members) {
    claim(get(line, "symbol"), get(line, "cik"), get(line, "removed").replace("*", "") || "9999");
  }
  for (const line of proxies) {
    claim(get(line, "ticker"), get(line, "cik"), `20${get(line, "accession").slice(11, 13)}-12-31`);
  }
  const symbols = [...holders].map(([symbol, { cik, until }]) => [symbol, cik, until]).sort(byFirst);
  write("former-symbols.tsv", ["symbol", "cik", "held_until"], symbols);
  const address = ["cik", "accession", "document"];
  write("known-proxies.tsv", address, proxies.map(addressOf).sort(byLine));
  const dated = newest.map((line) => [...addressOf(line), get(line, "filing_date")]).sort(byLine);
  write("newest-proxies.tsv", [...address, "filing_date"], dated);
  const totals = read("peo-totals-2021-2026.csv").map((line) => [
    ...["cik", "fiscal_year", "peo_name", "peo_total", "others_average", "accession", "filing_date"].map(
      (name) => get(line, name),
    ),
    documentOf(line),
    get(line, "note"),
  ]);
  write(
    "ceo-totals.tsv",
    [
      "cik",
      "fiscal_year",
      "peo_name",
      "peo_total",
      "others_average",
      "accession",
      "filing_date",
      "document",
      "note",
    ],
    totals.sort(byLine),
  );
  const fullNames = new Map(
    read("peo-names.csv").map((line) => [tagKey(line, "peo_total"), get(line, "peo_name")]),
  );
  // PAA and PAGP tag the same person's total: it is counted once, with the lower CIK.
  const counted = new Map<string, string>();
  const tagged = payTags.flatMap((line) => {
    const [cik, frame, total] = [get(line, "cik"), get(line, "period"), get(line, "peo_total")];
    const average = get(line, "other_neo_average_total");
    // A zero is unknown.
    if (!(Number(total) > 0)) return [];
    const holder = Number(average) > 0 ? counted.getOrInsert(`${frame} ${total} ${average}`, cik) : cik;
    const name = fullNames.get(tagKey(line, "peo_total")) ?? taggedName(get(line, "peo_name"));
    return [[cik, frame, name, total, average, holder === cik ? "" : holder, get(line, "source")]];
  });
  write(
    "ceo-pay.tsv",
    ["cik", "frame", "peo_name", "peo_total", "other_average", "same_as", "provider"],
    tagged.sort(byLine),
  );
}

/** The document's file name; a folder may have the number of whoever submitted the filing. @throws Error likewise */
function documentOf({ accession = "", filing_url: url = "" }: Line): string {
  const [, folder, document = ""] =
    /^https:\/\/www\.sec\.gov\/Archives\/edgar\/data\/\d+\/(\d{18})\/([^/]*)$/.exec(url) ?? [];
  if (folder !== accession.replaceAll("-", ""))
    throw new Error(`${url} is not in the folder of ${accession}`);
  return document;
}

const tagKey = (line: Line, total: string) => [line["cik"], line["period"], line[total]].join(" ");

/** A tagged name without honorifics and remarks; empty if it is none. */
export function taggedName(tagged: string): string {
  // A list with years, or the heading of another column.
  if (/[$•:]|\b\d{4}\b|\brow\b/.test(tagged)) return "";
  return displayName(tagged.replace(/\(PEO\)/i, "")).replace(/(?<=\p{L}{3})\.$/u, "");
}

/** CIK, accession and file name of a proxy's document. @throws Error if the URL is not in the filing's folder */
function addressOf(line: Line): string[] {
  const { cik = "", accession = "", url = "" } = line;
  const folder = `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll("-", "")}/`;
  if (!url.startsWith(folder)) throw new Error(`${url} is not in ${folder}`);
  return [cik, accession, url.slice(folder.length)];
}

function byFirst([a = ""]: readonly string[], [b = ""]: readonly string[]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byLine(a: readonly string[], b: readonly string[]): number {
  return a.join("\t") < b.join("\t") ? -1 : 1;
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(ROOT, "../shared/reference");
  if (existsSync(folder)) main(folder);
  else console.log(`${folder} is not here: nothing was imported`);
}
