import type { Dataset } from "../../src/dataset/dataset.ts";
import { filingsToRead, memberCoverage } from "../../src/dataset/members.ts";
import { compareTexts } from "../../src/lib/text.ts";
import { type MadeCompany, madeProxy } from "./edgar-made.ts";

/**
 * The filings of the S&P 500's members that are to be read, each with a generated document.
 * @param most number of companies
 * @param documentOf replaces the document of the nth filing: null for a 404
 */
export function madeMembers(
  dataset: Dataset,
  most: number,
  documentOf: (nth: number, made: string) => string | null,
): MadeCompany[] {
  const { ciks, since } = memberCoverage(dataset, "sp500");
  const pending = filingsToRead(dataset).filter(({ filingDate }) => filingDate >= since);
  let nth = 0;
  return ciks.slice(0, most).map((cik) => {
    const { name = cik, ticker = "" } = dataset.findByCik(cik) ?? {};
    const known = pending
      .filter((filing) => filing.cik === cik)
      .sort((a, b) => compareTexts(b.filingDate, a.filingDate));
    const filings = known.map(({ accession, form, filingDate: date, url }) => {
      nth += 1;
      const made = madeProxy(name, Number(date.slice(0, 4)) - 1, 1_000_000 + nth);
      return {
        accession,
        form: form ?? "DEF 14A",
        filingDate: date,
        reportDate: date,
        primaryDocument: url.slice(url.lastIndexOf("/") + 1),
        document: documentOf(nth, made),
      };
    });
    return { cik, name, ticker: ticker ?? "", fiscalYearEnd: "1231", filings };
  });
}
