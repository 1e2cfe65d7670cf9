import type { Principal } from "../accounts/principal.ts";
import { type Company, labelOf, normalizeSymbol } from "../domain/company.ts";
import type { CompensationQuery } from "../domain/parameters.ts";
import { foldedWords } from "../domain/selection.ts";
import { invalid, ServiceError } from "../errors.ts";
import { readCompanyFacts } from "../dataset/company-facts.ts";
import { isLegalForm } from "../dataset/search.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { OnDemand } from "./operation.ts";

/**
 * The company of a query; it has rows.
 * Refuses with `invalid_parameter` if ticker and CIK name different companies, with `unknown_company` if there is none
 * or it has no rows, and with `unavailable` while its filing is being fetched.
 */
export function requireCompany(
  dataset: Dataset,
  query: Pick<CompensationQuery, "ticker" | "cik">,
  principal: Principal,
  onDemand: OnDemand | null,
): Company {
  const company = requestedCompany(dataset, query);
  if (company.hasRows) return company;
  const mayStart = principal.kind !== "anonymous";
  const fetching = onDemand?.request(company, mayStart) ?? null;
  if (fetching !== null)
    throw new ServiceError("unavailable", fetching.message, {
      retryAfterSeconds: fetching.retryAfterSeconds,
    });
  throw new ServiceError("unknown_company", noRows(company));
}

function requestedCompany(
  dataset: Dataset,
  { ticker, cik }: Pick<CompensationQuery, "ticker" | "cik">,
): Company {
  const byTicker = ticker === undefined ? undefined : dataset.findBySymbol(ticker);
  const byCik = cik === undefined ? undefined : dataset.findByCik(cik);
  const both = ticker !== undefined && cik !== undefined;
  if (both && byTicker?.cik !== byCik?.cik)
    throw invalid(
      `ticker and cik name different companies: ${ticker} is ${named(byTicker)}, ${cik} is ${named(byCik)}. Send one of them.`,
    );
  const company = byTicker ?? byCik;
  if (company !== undefined) return company;
  const unknown =
    ticker === undefined
      ? `No company with CIK ${cik ?? ""}.`
      : `No ticker ${JSON.stringify(ticker)}.${suggestions(dataset, [ticker])}`;
  throw new ServiceError("unknown_company", unknown);
}

function named(company: Company | undefined): string {
  return company === undefined ? "unknown" : `${company.name} (CIK ${company.cik})`;
}

/** Companies by name, former name, symbol or CIK, best match first. */
export function searchCompanies(dataset: Dataset, words: string, max: number): Company[] {
  return dataset.search(words, max).flatMap((cik) => dataset.findByCik(cik) ?? []);
}

/** ` Did you mean Apple Inc. (AAPL)?`: the best match with rows for each unknown symbol; empty without one. */
export function suggestions(dataset: Dataset, unknowns: readonly string[]): string {
  const meant = unknowns.map((words) => nearestWithRows(dataset, words)).filter((one) => one !== undefined);
  const names = new Set(meant.map(labelOf));
  return names.size === 0 ? "" : ` Did you mean ${[...names].join(", ")}?`;
}

/** Companies that contain the words of a name and are compared with it. */
const MAX_NAMED = 50;

/**
 * The one company with this name, whatever its legal form, or else the one that had it; undefined for a known symbol and
 * where several have it.
 */
export function companyWithExactName(dataset: Dataset, name: string): Company | undefined {
  const core = coreOf(name);
  if (core === "" || dataset.findBySymbol(normalizeSymbol(name)) !== undefined) return undefined;
  const found = searchCompanies(dataset, name, MAX_NAMED);
  const named = found.filter((company) => coreOf(company.name) === core);
  const [only, second] =
    named.length > 0
      ? named
      : found.filter(({ cik }) =>
          readCompanyFacts(dataset, cik).formerNames.some((former) => coreOf(former.name) === core),
        );
  return second === undefined ? only : undefined;
}

/** The words of a name without legal forms. */
function coreOf(name: string): string {
  return foldedWords(name)
    .filter((word) => !isLegalForm(word))
    .join(" ");
}

function nearestWithRows(dataset: Dataset, words: string): Company | undefined {
  return searchCompanies(dataset, words, 5).find(({ hasRows }) => hasRows) ?? dataset.nearestTicker(words);
}

/** Why a company has no rows. */
export function noRows({ name, cik, newestKnown }: Company): string {
  const message = `No rows are available for ${name} (CIK ${cik}) yet.`;
  if (newestKnown === null || newestKnown.isLoaded) return message;
  const form = newestKnown.form ?? "proxy statement";
  return `${message} Its ${form} filed ${newestKnown.filingDate} (${newestKnown.accession}) is not loaded.`;
}
