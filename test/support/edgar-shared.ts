/** The corpus beside the checkout: recorded EDGAR answers, and real filings under their real addresses. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Corpus } from "./edgar.ts";

const SHARED = join(import.meta.dir, "../../../shared");

/** Why tests on real filings cannot run here, or null if they can. */
export const NO_SHARED = existsSync(join(SHARED, "edgar/submissions"))
  ? null
  : "skipped: ../shared with recorded EDGAR answers is not here";

/** One line of the manifest of real filings. */
export interface SharedFiling {
  file: string;
  cik: string;
  form: string;
  accession: string;
  filingDate: string;
  rows: number;
}

/** The real filings that have an accession and a CIK. */
export function sharedFilings(): SharedFiling[] {
  const [, ...lines] = readFileSync(join(SHARED, "filings/manifest.csv"), "utf8").trim().split("\n");
  return lines.flatMap((line) => {
    const cells = line.match(/("[^"]*"|[^,]*)(,|$)/g)?.map((cell) => cell.replace(/,$/, "")) ?? [];
    const [file = "", cik = "", , , form = "", accession = "", filingDate = "", , rows = ""] = cells;
    return cik === "" || accession === ""
      ? []
      : [{ file, cik, form, accession, filingDate, rows: Number(rows) }];
  });
}

/** Bytes of a real filing. */
export function sharedDocument(file: string): Uint8Array {
  return readFileSync(join(SHARED, "filings", file));
}

/** The real EDGAR, as recorded. */
export function sharedCorpus(): Corpus {
  const documents = new Map(
    sharedFilings().map((one) => [`${Number(one.cik)}/${one.accession.replaceAll("-", "")}`, one]),
  );
  const read = (path: string) => {
    const file = join(SHARED, "edgar", path);
    return existsSync(file) ? new Uint8Array(readFileSync(file)) : null;
  };
  return {
    async submission(name) {
      const bytes = read(`submissions/${name}`);
      if (bytes === null) return null;
      const recorded = read(`submissions/${name}.headers.json`);
      return { bytes, headers: recorded === null ? {} : recordedHeaders(recorded) };
    },
    async document(cik, accession) {
      const found = documents.get(`${cik}/${accession}`);
      return found === undefined ? null : sharedDocument(found.file);
    },
    async master(year, quarter) {
      return [...documents.values()].flatMap(({ cik, form, accession, filingDate }) => {
        const [y, m] = filingDate.split("-").map(Number);
        if (y !== year || Math.ceil((m ?? 0) / 3) !== quarter) return [];
        return [`${Number(cik)}|A COMPANY|${form}|${filingDate}|edgar/data/${Number(cik)}/${accession}.txt`];
      });
    },
    tickers: async () => read("company_tickers_exchange.json"),
  };
}

function recordedHeaders(bytes: Uint8Array): Record<string, string> {
  const { headers } = JSON.parse(new TextDecoder().decode(bytes)) as { headers: Record<string, string> };
  // Properties of that connection, not of the response.
  const left = ["content-length", "connection", "date", "content-encoding", "transfer-encoding"];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !left.includes(name.toLowerCase())));
}
