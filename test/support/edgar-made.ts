/** A generated corpus for tests that must run without the recorded one: any number of registrants, each with yearly proxies. */
import type { Corpus } from "./edgar.ts";

/** A filing of a fictitious registrant. */
export interface MadeFiling {
  accession: string;
  form: string;
  filingDate: string;
  reportDate: string;
  primaryDocument: string;
  /** Null: EDGAR lists it and returns 404. */
  document: string | null;
}

/** A fictitious registrant. */
export interface MadeCompany {
  cik: string;
  name: string;
  ticker: string;
  /** MMDD */
  fiscalYearEnd: string;
  /** Newest first. */
  filings: readonly MadeFiling[];
  /** Number of filings in the main list; the others are on older pages of this size. */
  pageSize?: number;
}

/** A proxy with one executive officer, who has the given salary and no other pay. */
export function madeProxy(
  name: string,
  fiscalYear: number,
  salary: number,
  executive = "Ann B. Example",
): string {
  const years = [0, 1, 2].map((back) => {
    const amount = (salary - back * 1000).toLocaleString("en-US");
    const person = back === 0 ? `<td rowspan="3">${executive}<br>Chief Executive Officer</td>` : "";
    const nothing = "<td>—</td>".repeat(6);
    return `<tr>${person}<td>${fiscalYear - back}</td><td>${amount}</td>${nothing}<td>${amount}</td></tr>`;
  });
  const captions = [
    "Name and Principal Position",
    "Year",
    "Salary ($)",
    "Bonus ($)",
    "Stock Awards ($)",
    "Option Awards ($)",
    "Non-Equity Incentive Plan Compensation ($)",
    "Change in Pension Value and Nonqualified Deferred Compensation Earnings ($)",
    "All Other Compensation ($)",
    "Total ($)",
  ];
  const head = captions.map((caption) => `<th>${caption}</th>`).join("");
  return `<html><body><h1>${name}</h1><p>Proxy statement</p><h2>Summary Compensation Table</h2>
<table><tr>${head}</tr>${years.join("\n")}</table><p>The end.</p></body></html>`;
}

/** A registrant with one proxy per year, newest first. */
export function madeCompany(cik: number, newestYear: number, years: number, salary = 1_000_000): MadeCompany {
  const name = `Made Company ${cik}`;
  const filings = Array.from({ length: years }, (_, back): MadeFiling => {
    const fiscalYear = newestYear - back;
    const filedIn = fiscalYear + 1;
    const serial = String(cik % 1_000_000).padStart(6, "0");
    return {
      accession: `${String(cik).padStart(10, "0")}-${String(filedIn % 100).padStart(2, "0")}-${serial}`,
      form: "DEF 14A",
      filingDate: `${filedIn}-04-01`,
      reportDate: `${filedIn}-05-15`,
      primaryDocument: `proxy${filedIn}.htm`,
      document: madeProxy(name, fiscalYear, salary),
    };
  });
  return { cik: String(cik).padStart(10, "0"), name, ticker: `MC${cik}`, fiscalYearEnd: "1231", filings };
}

/** An EDGAR with only these registrants. */
export function madeCorpus(companies: readonly MadeCompany[]): Corpus {
  const byCik = new Map(companies.map((company) => [company.cik, company]));
  const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const headers = { "content-type": "application/json", "cache-control": "max-age=0, no-cache, no-store" };
  return {
    async submission(file) {
      const match = /^CIK(\d{10})(?:-submissions-(\d{3}))?\.json$/.exec(file);
      const company = byCik.get(match?.[1] ?? "");
      if (company === undefined) return null;
      const size = company.pageSize ?? 1000;
      const page = Number(match?.[2] ?? 0);
      const shown = company.filings.slice(page * size, (page + 1) * size);
      if (page > 0) return shown.length === 0 ? null : { bytes: encode(columnsOf(shown)), headers };
      const pages = Math.ceil(company.filings.length / size) - 1;
      const files = Array.from({ length: Math.max(0, pages) }, (_, at) => {
        const of = company.filings.slice((at + 1) * size, (at + 2) * size);
        return {
          name: `CIK${company.cik}-submissions-${String(at + 1).padStart(3, "0")}.json`,
          filingCount: of.length,
          filingFrom: of.at(-1)?.filingDate,
          filingTo: of[0]?.filingDate,
        };
      });
      const { cik, name, ticker, fiscalYearEnd } = company;
      const value = { cik, name, tickers: [ticker], fiscalYearEnd, formerNames: [] };
      return { bytes: encode({ ...value, filings: { recent: columnsOf(shown), files } }), headers };
    },
    async document(cik, accession, file) {
      const company = byCik.get(cik.padStart(10, "0"));
      const filing = company?.filings.find((one) => one.accession.replaceAll("-", "") === accession);
      if (filing === undefined || filing.document === null || filing.primaryDocument !== file) return null;
      return new TextEncoder().encode(filing.document);
    },
    async master(year, quarter) {
      return companies.flatMap(({ cik, name, filings }) =>
        filings
          .filter(({ filingDate }) => {
            return (
              Number(filingDate.slice(0, 4)) === year &&
              Math.ceil(Number(filingDate.slice(5, 7)) / 3) === quarter
            );
          })
          .map(({ accession, form, filingDate }) => {
            return `${Number(cik)}|${name}|${form}|${filingDate}|edgar/data/${Number(cik)}/${accession}.txt`;
          }),
      );
    },
    async tickers() {
      const data = companies.map(({ cik, name, ticker }) => [Number(cik), name, ticker, "Nasdaq"]);
      return encode({ fields: ["cik", "name", "ticker", "exchange"], data });
    },
  };
}

function columnsOf(filings: readonly MadeFiling[]) {
  return {
    accessionNumber: filings.map(({ accession }) => accession),
    form: filings.map(({ form }) => form),
    filingDate: filings.map(({ filingDate }) => filingDate),
    reportDate: filings.map(({ reportDate }) => reportDate),
    primaryDocument: filings.map(({ primaryDocument }) => primaryDocument),
  };
}
