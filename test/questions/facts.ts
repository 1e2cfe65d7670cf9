/**
 * The facts in `data/`, read by simple code that shares nothing with the program, to compute the right answers from.
 * One row per person and fiscal year, from the newest filing; the officeholder follows from the strongest evidence in
 * any filing.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const DATA = join(import.meta.dir, "../../data");

/** Amounts of a row, in units of the currency. */
export type Amounts = Record<
  | "salary"
  | "bonus"
  | "stock_awards"
  | "option_awards"
  | "non_equity_incentive"
  | "pension_change"
  | "other_comp"
  | "unknown_component"
  | "total_compensation",
  number
>;

/** One executive in one fiscal year. */
export interface Fact extends Amounts {
  cik: string;
  ticker: string;
  company: string;
  year: number;
  person: string;
  name: string;
  currency: string;
  isCeo: boolean;
  isCfo: boolean;
  filingUrl: string;
  /** Whether the filing of that year is among those read. */
  complete: boolean;
  /** The company's sector, if it was ever in the index. */
  sector: string | null;
  sic: string | null;
  /** In the S&P 500 on the last day of the fiscal year. */
  inIndex: boolean;
}

type Line = Record<string, string>;

/** Tab-separated lines below a header line. */
function table(text: string): Line[] {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const names = head.split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""]));
  });
}

function reference(name: string): Line[] {
  return table(readFileSync(join(DATA, "reference", `${name}.tsv`), "utf8"));
}

/** What the lines of a company's file hold. */
interface Filing {
  accession: string;
  filingDate?: string;
  periodEnd?: string;
  currency?: string;
  status: string;
  symbol?: string;
  url?: string;
}

interface Row {
  accession: string;
  name: string;
  fiscalYear: number;
  placeholder: boolean;
  amounts: Amounts;
  peo: { held?: boolean; evidence: string };
  pfo: { held?: boolean; evidence: string };
}

interface Company {
  company?: { cik: string; name: string; fiscalYearEnd?: string };
  executive?: { executiveId: string; spelling: string };
  filing?: Filing;
  row?: Row;
}

/** The precedence of each kind of evidence. */
const STRENGTH: Readonly<Record<string, number>> = { none: 0, weak: 1, title: 2, tag: 3, dated: 4 };

/** A printed name as in the list of spellings: capitals, order, honorifics and marks do not matter. */
function folded(name: string): string {
  return name
    .toLowerCase()
    .replace(/^([^,]+), (?!(?:jr|sr|i+)\b)([^,.]+)$/, "$2 $1")
    .replace(/^(dr|mr|mrs|ms)\.? /, "")
    .replaceAll(/[^\p{L}]+/gu, " ")
    .trim();
}

function personOf(name: string, ids: ReadonlyMap<string, string>): string {
  const asked = folded(name);
  return ids.get(asked) ?? [...ids].find(([spelling]) => asked.startsWith(`${spelling} `))?.[1] ?? name;
}

/** A row of one filing. */
interface Printed {
  filing: Filing;
  row: Row;
  person: string;
  year: number;
}

function officeOf(rows: readonly Printed[], office: "peo" | "pfo"): boolean {
  let best = -1;
  let holds = false;
  for (const { row } of rows) {
    const { held, evidence } = row[office];
    const strength = STRENGTH[evidence] ?? 0;
    if (strength > best) [best, holds] = [strength, held === true];
  }
  return holds;
}

/** How many companies were in the S&P 500 at the end of their fiscal year. */
export function indexMembers(year: number): Set<string> {
  const ends = new Map(reference("registrants").map((one) => [one["cik"], one["fiscal_year_end"] ?? ""]));
  const members = reference("sp500").filter((stay) => {
    const day = `${year}-${ends.get(stay["cik"]) || "12-31"}`;
    return isStay(stay, day);
  });
  return new Set(members.map(({ cik = "" }) => cik));
}

function isStay({ added = "", removed = "" }: Line, day: string): boolean {
  return added.replace("*", "") <= day && (removed === "" || day < removed.replace("*", ""));
}

/** Every fact, company by company. */
export function readFacts(): Fact[] {
  const stays = Map.groupBy(reference("sp500"), (stay) => stay["cik"] ?? "");
  const sics = new Map(reference("registrants").map((one) => [one["cik"], one["sic"] ?? ""]));
  const symbols = new Map(
    table(readFileSync(join(DATA, "symbols.tsv"), "utf8")).map((one) => [
      one["cik"],
      (one["symbols"] ?? "").split(/[ ,;]/)[0]?.split(":")[0] ?? "",
    ]),
  );
  const facts: Fact[] = [];
  for (const folder of readdirSync(join(DATA, "companies"))) {
    for (const file of readdirSync(join(DATA, "companies", folder))) {
      const text = readFileSync(join(DATA, "companies", folder, file), "utf8");
      // The lines are those of data/README.md.
      const lines = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Company);
      const all = Map.groupBy(
        lines.flatMap(({ row }) => row ?? []),
        ({ accession }) => accession,
      );
      const [{ cik, name: companyName, fiscalYearEnd = "" } = { cik: "", name: "" }] = lines.flatMap(
        ({ company }) => company ?? [],
      );
      const ids = new Map(
        lines.flatMap(({ executive: one }) =>
          one ? [[folded(one.spelling), one.executiveId] as const] : [],
        ),
      );
      const filings = lines
        .flatMap(({ filing }) => filing ?? [])
        .filter(({ status }) => status === "parsed")
        .sort((a, b) => ((a.filingDate ?? "") < (b.filingDate ?? "") ? 1 : -1));
      const printed = filings.flatMap((filing) =>
        (all.get(filing.accession) ?? []).map((row): Printed => ({
          filing,
          row,
          person: personOf(row.name, ids),
          year: row.fiscalYear,
        })),
      );
      // The newest year that a filing prints is its own.
      const ownYears = new Map<string, number>();
      for (const { filing, year } of printed) {
        ownYears.set(filing.accession, Math.max(year, ownYears.get(filing.accession) ?? 0));
      }
      const complete = new Set(ownYears.values());
      const ofCompany = stays.get(cik) ?? [];
      const newestStay = ofCompany.toSorted((a, b) =>
        (a["removed"] || "9999") < (b["removed"] || "9999") ? 1 : -1,
      )[0];
      for (const rows of Map.groupBy(printed, ({ person, year }) => `${person} ${year}`).values()) {
        const served = rows.filter(({ row }) => !row.placeholder);
        const [newest] = served.length > 0 ? served : rows;
        if (newest === undefined) continue;
        const isCeo = officeOf(rows, "peo");
        const isCfo = officeOf(rows, "pfo");
        if (served.length === 0 && !isCeo && !isCfo) continue;
        const { filing, row, person, year } = newest;
        const own = ownYears.get(filing.accession) ?? year;
        const day = lastDay(filing.periodEnd ?? "", own - year, year, fiscalYearEnd);
        facts.push({
          cik,
          ticker: symbols.get(cik) || filing.symbol || "",
          company: companyName,
          year,
          person,
          name: row.name,
          currency: filing.currency ?? "USD",
          isCeo,
          isCfo,
          filingUrl: filing.url ?? "",
          complete: complete.has(year),
          sector: newestStay?.["sector"] ?? null,
          sic: sics.get(cik) || null,
          inIndex: ofCompany.some((stay) => isStay(stay, day)),
          ...row.amounts,
        });
      }
    }
  }
  return facts;
}

/** The last day of a fiscal year: the filing's period end, that many years earlier. */
function lastDay(periodEnd: string, yearsBack: number, year: number, fiscalYearEnd: string): string {
  if (periodEnd === "") return `${year}-${fiscalYearEnd === "" ? "12-31" : fiscalYearEnd}`;
  return `${Number(periodEnd.slice(0, 4)) - yearsBack}${periodEnd.slice(4)}`;
}

/** The totals of a company's CEO as its newest proxy prints and tags them, by fiscal year, from 2024 on. */
export function taggedTotals(cik: string): [year: number, total: number][] {
  return reference("ceo-totals")
    .filter((line) => line["cik"] === cik && Number(line["fiscal_year"]) >= 2024)
    .map((line): [number, number] => [Number(line["fiscal_year"]), Number(line["peo_total"])])
    .sort();
}
