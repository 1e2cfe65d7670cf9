/** Filters of a selection as addresses have them, and the same in the words of CEO pay. */
/** Filters as the query operation accepts them. */
export type Filters = Readonly<Record<string, string>>;

/** The filters without those that are meant. */
export function leavingOut(filters: Filters, isMeant: (name: string) => boolean): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !isMeant(name)));
}

/** The currency of a selection. */
export function selectedCurrency(filters: Filters): string {
  return filters["reporting_currency"]?.toUpperCase() ?? "USD";
}

/** Which of the rows are shown first; part of no selection. */
export const SHOWN: ReadonlySet<string> = new Set(["sort", "cursor"]);

/** Parameters of a selection that one total a company has too. */
const OF_TOTALS =
  /^(cik|ticker|sector|sic|state|index|filer_category|reporting_currency|cursor|fiscal_year(_[a-z]{2,3})?|peo_total_[a-z]{2,3})$/;

/** The filters of a selection in the words of one total a company; those that it does not have are left out. */
export function ofTotals(filters: Filters): Filters {
  const renamed = Object.entries(filters).map(
    ([name, value]) => [name.replace(/^total_compensation_/, "peo_total_"), value] as const,
  );
  return Object.fromEntries(renamed.filter(([name]) => OF_TOTALS.test(name)));
}

/** The same; null where the selection has a filter that totals do not have. */
export function ceoPayFilters(filters: Filters): Filters | null {
  const shared = leavingOut(filters, (name) => SHOWN.has(name) || OF_OFFICE.has(name));
  const found = ofTotals(shared);
  return Object.keys(found).length === Object.keys(shared).length ? found : null;
}

/** Filters that say which of the rows of a company-year. */
const OF_OFFICE: ReadonlySet<string> = new Set(["office", "one_per_company_year"]);

/** Filters on what is public of companies: which they are, and which years are held. */
const OF_COMPANIES =
  /^(cik|ticker|sector|sic|state|index|filer_category|sort|cursor|fiscal_year(_[a-z]{2,3})?)$/;

/** Whether a selection can be counted before it is opened: all of its filters are on public facts. */
export function isOfPublicFacts(filters: Filters): boolean {
  return Object.keys(filters).every((name) => OF_COMPANIES.test(name));
}
