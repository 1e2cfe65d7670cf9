/**
 * A made dataset of which most is sold: companies with officers over three years, totals that only a tag knows, one company
 * whose newest rows are old, one with a single year, one with a doubtful total, and one whose earlier years were collected.
 * Every paid amount is unique, and each year has an order of its own.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installFile } from "../../src/dataset/installed.ts";
import type { CompanyRecord } from "../../src/dataset/record.ts";
import { writeSnapshot } from "../../src/dataset/writer.ts";
import { NO_OFFICE, OFFICE, testFiling, testRecord, testRow } from "./record.ts";

/** A row of the dataset. */
export interface MadeRow {
  company: number;
  fiscalYear: number;
  office: "peo" | "pfo" | "other";
}

/** The symbols, in order. */
export const SYMBOLS = Array.from({ length: 13 }, (_, at) => `AA${String.fromCodePoint(65 + at)}`);
/** The CIK of the first. */
export const FIRST_CIK = "0000000101";
/** The company with rows of one year. */
const SINGLE_COMPANY = 12;
/** The company with a total before its rows, of which two sources differ. */
const DOUBTFUL_COMPANY = 10;
/** The company of which earlier years were collected, and the latest was not. */
export const COLLECTED_COMPANY = 3;
/** The company whose newest rows are two years older than its newest known total, which only a tag tells. */
export const TAGGED_COMPANY = 11;

/** A company without rows: tags tell its newest total, earlier ones, and one of which two sources differ. */
export const TAGS_ALONE = { company: 13, symbol: "TAGS", cik: "0000000114" } as const;

const OFFICES = ["peo", "pfo", "other"] as const;
const FIRST_NAMES = { peo: "Paul", pfo: "Petra", other: "Oscar" } as const;
const SURNAMES = [
  "Alder",
  "Birch",
  "Cedar",
  "Dogwood",
  "Elm",
  "Fir",
  "Gum",
  "Hazel",
  "Ilex",
  "Juniper",
  "Kauri",
  "Larch",
  "Maple",
  "Nyssa",
];

/** The latest fiscal year of a company's rows. */
export function latestOf(company: number): number {
  return company === TAGGED_COMPANY ? 2023 : 2025;
}

/** A total in cents of a row; paid ones differ with `version`, in size and in order. */
function centsOf({ company, fiscalYear, office }: MadeRow, version: number): number {
  const year = fiscalYear - 2020;
  const place = OFFICES.indexOf(office);
  // Modulo a prime: another order each year, office and version.
  const rank = ((company + 1) * (year + 2 * place + 5 * version + 1)) % 17;
  return (
    (3_000_000 + 1_700_003 * rank + 310_007 * place + 90_011 * year + 7_001 * version + 13 * company) * 100 +
    17
  );
}

function recordOf(company: number, symbol: string, versionOf: (row: MadeRow) => number): CompanyRecord {
  const latest = latestOf(company);
  const years = company === SINGLE_COMPANY ? [latest] : [latest, latest - 1, latest - 2];
  const accessionOf = (fiscalYear: number) =>
    `0000000${101 + company}-${String(fiscalYear + 1).slice(2)}-000001`;
  return testRecord({
    cik: `0000000${101 + company}`,
    name: `${SURNAMES[company]} Trees Inc.`,
    symbols: [symbol],
    filings: years.toReversed().map((fiscalYear) =>
      testFiling({
        year: fiscalYear + 1,
        accession: accessionOf(fiscalYear),
        symbol,
        url: null,
        ...(company === COLLECTED_COMPANY && fiscalYear < latest ? { read: "collected", fiscalYear } : {}),
      }),
    ),
    observations: years.flatMap((fiscalYear) =>
      OFFICES.map((office, at) => {
        const row = { company, fiscalYear, office };
        const total = centsOf(row, fiscalYear === latest ? 0 : versionOf(row));
        const share = Math.floor(total / 10);
        const parts = {
          salary: share,
          stock_awards: 5 * share,
          option_awards: share,
          other_comp: total - 7 * share,
        };
        return testRow(
          {
            accession: accessionOf(fiscalYear),
            position: at + 1,
            fiscalYear,
            name: `${FIRST_NAMES[office]} ${SURNAMES[company]}`,
            role: { peo: "Chief Executive Officer", pfo: "Chief Financial Officer", other: "Secretary" }[
              office
            ],
            peo: office === "peo" ? OFFICE : NO_OFFICE,
            pfo: office === "pfo" ? OFFICE : NO_OFFICE,
          },
          parts,
        );
      }),
    ),
  });
}

/** A data folder with the dataset. @param versionOf of each paid row; paid tags have that of a CEO's row */
export function paidDataset(versionOf: (row: MadeRow) => number, symbols = SYMBOLS): string {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-paid-"));
  const path = join(folder, "made.sqlite");
  const companies = symbols.map((symbol, company) => ({ symbol, company, cik: `0000000${101 + company}` }));
  const tag = (
    company: number,
    fiscalYear: number,
    cents: number,
    provider: "document" | "scorecard" = "document",
  ) => ({
    cik: `0000000${101 + company}`,
    frame: "",
    fiscalYear: null,
    periodEnd: `${fiscalYear}-12-31`,
    name: null,
    cents,
    farBelowOthers: false,
    sameAs: null,
    provider,
    accession: null,
  });
  const listed = [...companies, TAGS_ALONE];
  const ofTags = (fiscalYear: number) => {
    const row = { company: TAGS_ALONE.company, fiscalYear, office: "peo" } as const;
    return centsOf(row, versionOf(row));
  };
  // Two sources differ.
  const doubtful = { company: DOUBTFUL_COMPANY, fiscalYear: 2021, office: "peo" } as const;
  const paidTag = { company: TAGGED_COMPANY, fiscalYear: 2024, office: "peo" } as const;
  writeSnapshot(path, {
    edition: "2026-05-01",
    listed: listed.map(({ symbol, company, cik }) => ({
      cik,
      name: `${SURNAMES[company]} Trees Inc.`,
      symbols: [{ symbol, exchange: "NYSE" }],
    })),
    reference: {
      registrants: listed.map(({ cik, company }) => ({
        cik,
        name: `${SURNAMES[company]} Trees Inc.`,
        sic: "2400",
        filerCategory: null,
        fiscalYearEnd: "12-31",
        stateOfIncorporation: "DE",
        businessState: company % 2 === 0 ? "CA" : "NY",
      })),
      sicCodes: [{ sic: "2400", description: "Lumber" }],
      formerNames: [],
      members: companies.map(({ cik, symbol, company }) => ({
        cik,
        symbol,
        name: `${SURNAMES[company]} Trees Inc.`,
        sector: "materials",
        added: "2001-01-01",
        addedKnown: true,
        removed: null,
      })),
      formerSymbols: [],
      successors: [],
    },
    peoTags: [
      tag(TAGGED_COMPANY, 2025, 1_234_567_800),
      tag(TAGGED_COMPANY, 2024, centsOf(paidTag, versionOf(paidTag))),
      tag(DOUBTFUL_COMPANY, 2021, centsOf(doubtful, versionOf(doubtful))),
      tag(DOUBTFUL_COMPANY, 2021, 7_777_777_00, "scorecard"),
      tag(TAGS_ALONE.company, 2025, 2_222_222_200),
      tag(TAGS_ALONE.company, 2024, ofTags(2024)),
      tag(TAGS_ALONE.company, 2023, ofTags(2023)),
      tag(TAGS_ALONE.company, 2022, ofTags(2022)),
      tag(TAGS_ALONE.company, 2022, 8_888_888_00, "scorecard"),
    ],
    records: symbols.map((symbol, company) => recordOf(company, symbol, versionOf)),
  });
  const dataDir = join(folder, "data");
  installFile(dataDir, path, new Date(0).toISOString());
  return dataDir;
}
