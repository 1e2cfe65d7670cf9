/** What pages are about, in schema.org's terms, for search engines. */
import type { PageCompany } from "../../operations/companies.ts";
import type { PageYear } from "../../operations/rows.ts";

const CONTEXT = "https://schema.org";

/** A page's description of itself. */
interface PageMeta {
  description: string;
  /** Its canonical address. */
  address: string;
}

/** The site and its search address. */
export function siteData(origin: string, description: string): object {
  return {
    "@context": CONTEXT,
    "@type": "WebSite",
    name: "execcomp",
    url: `${origin}/`,
    description,
    potentialAction: {
      "@type": "SearchAction",
      target: { "@type": "EntryPoint", urlTemplate: `${origin}/search?q={search_term_string}` },
      "query-input": "required name=search_term_string",
    },
  };
}

/** A company and the rows that its page shows, as a dataset with the filings it is based on. */
export function companyData(
  { company, ticker }: PageCompany,
  years: readonly PageYear[],
  { description, address }: PageMeta,
): object {
  const [newest, oldest] = [years[0]?.fiscalYear, years.at(-1)?.fiscalYear];
  const filings = years.flatMap(({ rows }) => rows.map(({ source }) => source.filing_url));
  return {
    "@context": CONTEXT,
    "@type": "Dataset",
    name: `${company.name} executive compensation`,
    description,
    url: address,
    temporalCoverage: newest === oldest ? String(newest) : `${oldest}/${newest}`,
    about: {
      "@type": "Corporation",
      name: company.name,
      identifier: `CIK ${company.cik}`,
      ...(ticker === "" ? {} : { tickerSymbol: ticker }),
    },
    isBasedOn: [...new Set(filings)].filter((url) => url !== null),
    distribution: [
      { "@type": "DataDownload", encodingFormat: "text/csv", contentUrl: `${address}/download?format=csv` },
      ...(ticker === ""
        ? []
        : [{ "@type": "DataDownload", encodingFormat: "application/json", contentUrl: `${address}/facts` }]),
    ],
  };
}

/** All coverage, as a dataset. */
export function coverageData(
  origin: string,
  described: { description: string; edition: string; fiscalYears: readonly number[] },
): object {
  const { description, edition, fiscalYears } = described;
  return {
    "@context": CONTEXT,
    "@type": "Dataset",
    name: "Named executive officer compensation",
    description,
    url: `${origin}/coverage`,
    dateModified: edition,
    temporalCoverage: `${fiscalYears.at(-1) ?? ""}/${fiscalYears[0] ?? ""}`,
    isBasedOn: "https://www.sec.gov/edgar",
    variableMeasured: "Item 402(c) of Regulation S-K, Summary Compensation Table",
  };
}
