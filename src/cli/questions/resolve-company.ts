import { type Company, normalizeCik, normalizeSymbol } from "../../domain/company.ts";
import { foldedWords } from "../../domain/selection.ts";
import { OperatorError } from "../../errors.ts";
import { requireCompany } from "../../operations/company.ts";
import { readCompanyFacts } from "../../dataset/company-facts.ts";
import type { Dataset } from "../../dataset/dataset.ts";

/** A company named on the command line, and the ticker to show it under. */
export interface ResolvedCompany {
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
export function resolveCompany(dataset: Dataset, input: string): ResolvedCompany {
  const cik = /\d/.test(input) ? normalizeCik(input) : undefined;
  const bySymbol = cik === undefined ? dataset.findBySymbol(normalizeSymbol(input)) : undefined;
  const all = cik === undefined && bySymbol === undefined ? companiesNamed(dataset, input) : [];
  const withRows = all.filter(({ hasRows }) => hasRows);
  const named = withRows.length > 0 ? withRows : all;
  const [first, ...others] = named;
  if (first?.hasRows && others.length === 0) return { company: first, ticker: first.ticker };
  if (first !== undefined && others.length > 0) {
    const listed = named.map(
      ({ name, ticker, cik: number }) => `${name} (${ticker === "" ? number : ticker})`,
    );
    throw new OperatorError(
      `${JSON.stringify(input)} matches ${listed.join(", ")}. Specify one by its ticker.`,
    );
  }
  const known = cik ?? first?.cik;
  const query = known === undefined ? { ticker: normalizeSymbol(input) } : { cik: known };
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

/** Companies whose current name, or a former one, contains all the words. */
function companiesNamed(dataset: Dataset, input: string): Company[] {
  const words = foldedWords(input);
  if (words.length === 0) return [];
  return dataset.search(input, MAX_CANDIDATES).flatMap((cik) => {
    const company = dataset.findByCik(cik);
    if (company === undefined) return [];
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
export function resolveExecutive(dataset: Dataset, { cik, name }: Company, input: string): string {
  const people = dataset.all<{ id: string; spelling: string }>(
    "select executive_id as id, spelling from executives where cik = ? order by executive_id",
    Number(cik),
  );
  if (people.some(({ id }) => id === input)) return input;
  const words = foldedWords(input);
  const fits = (text: string) => {
    const held = foldedWords(text);
    return words.length > 0 && words.every((word) => held.includes(word));
  };
  const ids = [...new Set(people.filter(({ spelling }) => fits(spelling)).map(({ id }) => id))];
  const [only, ...others] = ids;
  if (others.length > 0)
    throw new OperatorError(
      `${JSON.stringify(input)} matches ${ids.join(", ")} at ${name}. Specify one by id.`,
    );
  return only ?? input;
}
