import { type Company, normalizeCik, normalizeSymbol } from "../domain/company.ts";
import { foldedWords } from "../domain/selection.ts";
import { OperatorError } from "../errors.ts";
import { requireCompany } from "../operations/company.ts";
import { readCompanyFacts } from "../snapshot/company-facts.ts";
import type { Dataset } from "../snapshot/dataset.ts";

/** A company named on the command line, and the ticker to show it under. */
export interface NamedCompany {
  company: Company;
  ticker: string;
}

/**
 * Finds a company by current or former ticker, by CIK, or by words of its name. All words must be in the current or a former
 * name: a mistyped ticker must never show another company's rows.
 *
 * @throws OperatorError listing the companies if the words match several
 * @throws ServiceError `unknown_company`
 */
export function companyAsked(dataset: Dataset, asked: string): NamedCompany {
  const cik = /\d/.test(asked) ? normalizeCik(asked) : undefined;
  const bySymbol = cik === undefined ? dataset.findBySymbol(normalizeSymbol(asked)) : undefined;
  const named = cik === undefined && bySymbol === undefined ? companiesNamed(dataset, asked) : [];
  const [first, ...others] = named;
  if (first !== undefined && others.length === 0) return { company: first, ticker: first.ticker };
  if (first !== undefined) {
    const listed = named.map(
      ({ name, ticker, cik: number }) => `${name} (${ticker === "" ? number : ticker})`,
    );
    throw new OperatorError(
      `${JSON.stringify(asked)} matches ${listed.join(", ")}. Specify one by its ticker.`,
    );
  }
  const query = cik === undefined ? { ticker: normalizeSymbol(asked) } : { cik };
  // A command serves no one else, so the search index for the hint is built in one go.
  const company = requireCompany(
    { ...dataset, searchReady: () => undefined },
    query,
    { kind: "operator" },
    null,
  );
  return { company, ticker: query.ticker ?? company.ticker };
}

const MAX_CANDIDATES = 20;

/** Companies with rows whose current name, or a former one, contains all the words. */
function companiesNamed(dataset: Dataset, asked: string): Company[] {
  const words = foldedWords(asked);
  if (words.length === 0) return [];
  return dataset.search(asked, MAX_CANDIDATES).flatMap((cik) => {
    const company = dataset.findByCik(cik);
    if (company === undefined || !company.hasRows) return [];
    const names = [company.name, ...readCompanyFacts(dataset, cik).formerNames.map(({ name }) => name)];
    const fits = names.some((name) => {
      const held = foldedWords(name);
      return words.every((word) => held.includes(word));
    });
    return fits ? [company] : [];
  });
}

/**
 * Finds the id of an executive: the id itself, or words of a name printed in the company's filings. Text that matches no one
 * is returned unchanged, for the command to refuse.
 *
 * @throws OperatorError listing the ids if the words match several people
 */
export function executiveAsked(dataset: Dataset, { cik, name }: Company, asked: string): string {
  const people = dataset.all<{ id: string; spelling: string }>(
    "select executive_id as id, spelling from executives where cik = ? order by executive_id",
    Number(cik),
  );
  if (people.some(({ id }) => id === asked)) return asked;
  const words = foldedWords(asked);
  const fits = (text: string) => {
    const held = foldedWords(text);
    return words.length > 0 && words.every((word) => held.includes(word));
  };
  const ids = [...new Set(people.filter(({ spelling }) => fits(spelling)).map(({ id }) => id))];
  const [only, ...others] = ids;
  if (others.length > 0)
    throw new OperatorError(
      `${JSON.stringify(asked)} matches ${ids.join(", ")} at ${name}. Specify one by id.`,
    );
  return only ?? asked;
}
