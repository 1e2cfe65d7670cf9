/** Finds the company or person that words on the command line refer to. */
import { readCompanyFacts } from "../../dataset/company-facts.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { isLegalForm } from "../../dataset/search.ts";
import { currentId, spellingsOf } from "../../dataset/people.ts";
import { type Company, normalizeCik, normalizeSymbol } from "../../domain/company.ts";
import { foldedWords } from "../../domain/selection.ts";
import { OperatorError } from "../../errors.ts";
import { findCompany, type PageCompany } from "../../operations/companies.ts";
import { companyMeant, noRows, requireCompany, suggestions } from "../../operations/company.ts";
import { shellWord } from "../../lib/text.ts";
import { ingestOf } from "./hints.ts";

/**
 * The company with a current or former ticker, a CIK, or words of its name; undefined if there is none. All words
 * must be in the current or a former name: a mistyped ticker must never show another company's rows.
 *
 * @throws OperatorError listing the companies if the words match several
 */
export function lookUpCompany(dataset: Dataset, input: string): PageCompany | undefined {
  if (/\d/.test(input) && normalizeCik(input) !== undefined) return findCompany(dataset, "cik", input);
  const meant = companyMeant(dataset, input);
  if (meant !== undefined) {
    const { company, understood } = meant;
    return { company, ticker: understood === null ? normalizeSymbol(input) : company.ticker };
  }
  const all = companiesWithWords(dataset, input);
  const withRows = all.filter(({ hasRows }) => hasRows);
  const named = withRows.length > 0 ? withRows : all;
  if (named.length > 1) {
    const listed = named.map(({ name, ticker, cik }) => `${name} (${ticker === "" ? cik : ticker})`);
    throw new OperatorError(
      `${JSON.stringify(input)} matches ${listed.join(", ")}. Specify one by its ticker.`,
    );
  }
  const [company] = named;
  return company && { company, ticker: company.ticker };
}

/**
 * Like `lookUpCompany`, for a company with rows.
 *
 * @throws OperatorError likewise
 * @throws ServiceError `unknown_company`
 */
export function resolveCompany(dataset: Dataset, input: string): PageCompany {
  const found = lookUpCompany(dataset, input);
  if (found?.company.hasRows) return found;
  const cik = found?.company.cik ?? (/\d/.test(input) ? normalizeCik(input) : undefined);
  if (cik === undefined && input.includes(","))
    throw new OperatorError(
      `No ticker or company name ${JSON.stringify(input)}. For several companies: execcomp compare ${shellWord(input)}`,
    );
  if (cik === undefined && suggestions(dataset, [input]) === "")
    throw new OperatorError(
      `No ticker or company name ${JSON.stringify(input)}. To search: execcomp find WORDS`,
    );
  if (found !== undefined)
    throw new OperatorError(
      `${noRows(dataset, found.company)} To fetch its filings: ${ingestOf(found.company)}`,
    );
  if (cik !== undefined && dataset.findByCik(cik) === undefined)
    throw new OperatorError(`No company with CIK ${cik}. To search: execcomp find WORDS`);
  const query = cik === undefined ? { ticker: normalizeSymbol(input) } : { cik };
  const company = requireCompany(dataset, query, { kind: "operator" }, null);
  return { company, ticker: company.ticker };
}

const MAX_CANDIDATES = 20;

/** Companies whose current name, or a former one, contains all the words. */
function companiesWithWords(dataset: Dataset, input: string): Company[] {
  const words = foldedWords(input);
  // Hundreds of companies have `Inc.`, and letters may stand for anything.
  if (words.every((word) => isLegalForm(word) || word.length === 1)) return [];
  return dataset.search(input, MAX_CANDIDATES).flatMap((cik) => {
    const company = dataset.findByCik(cik);
    if (company === undefined) return [];
    const names = [company.name, ...readCompanyFacts(dataset, cik).formerNames.map(({ name }) => name)];
    return names.some((name) => hasWords(name, words)) ? [company] : [];
  });
}

function hasWords(text: string, words: readonly string[]): boolean {
  const held = foldedWords(text);
  return words.length > 0 && words.every((word) => held.includes(word));
}

/**
 * Finds the id of an executive: the id itself, or words of a name printed in the company's filings. Text that matches no one
 * is returned unchanged, for the command to refuse.
 *
 * @throws OperatorError listing the ids if the words match several people
 */
export function resolveExecutive(dataset: Dataset, { cik, name }: Company, input: string): string {
  const people = spellingsOf(dataset, cik);
  if (people.some(({ id }) => id === input)) return input;
  const current = currentId(dataset, input, cik);
  if (current !== input) return current;
  const words = foldedWords(input);
  const ids = [...new Set(people.filter(({ spelling }) => hasWords(spelling, words)).map(({ id }) => id))];
  const [only, ...others] = ids;
  if (others.length > 0)
    throw new OperatorError(
      `${JSON.stringify(input)} matches ${ids.join(", ")} at ${name}. Specify one by id.`,
    );
  return only ?? input;
}
