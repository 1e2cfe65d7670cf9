import { type Company, normalizeCik, normalizeSymbol } from "../domain/company.ts";
import { foldedWords } from "../domain/selection.ts";
import { OperatorError } from "../errors.ts";
import { requireCompany } from "../operations/company.ts";
import { readCompanyFacts } from "../snapshot/company-facts.ts";
import type { Dataset } from "../snapshot/dataset.ts";

/** The company that a command was asked about, and the symbol to show it under. */
export interface AskedCompany {
  company: Company;
  ticker: string;
}

/**
 * By symbol, present or former, by CIK, or by the words of one clear name: every word has to stand in the name or a
 * former one, for a mistyped symbol must never show somebody else's rows.
 *
 * @throws OperatorError that lists the companies where the words fit several
 * @throws ServiceError `unknown_company`
 */
export function companyAsked(dataset: Dataset, asked: string): AskedCompany {
  const cik = /\d/.test(asked) ? normalizeCik(asked) : undefined;
  const bySymbol = cik === undefined ? dataset.findBySymbol(normalizeSymbol(asked)) : undefined;
  const named = cik === undefined && bySymbol === undefined ? companiesNamed(dataset, asked) : [];
  const [first, ...others] = named;
  if (first !== undefined && others.length === 0) return { company: first, ticker: first.ticker };
  if (first !== undefined) {
    const told = named.map(({ name, ticker, cik: number }) => `${name} (${ticker === "" ? number : ticker})`);
    throw new OperatorError(`${JSON.stringify(asked)} fits ${told.join(", ")}. Name one by its symbol.`);
  }
  const query = cik === undefined ? { ticker: normalizeSymbol(asked) } : { cik };
  // A command has nobody else to answer: what the hint of a refusal needs is made in one go.
  const company = requireCompany(
    { ...dataset, searchReady: () => undefined },
    query,
    { kind: "operator" },
    null,
  );
  return { company, ticker: query.ticker ?? company.ticker };
}

const MAX_CANDIDATES = 20;

/** Companies with rows of which the name, or a former one, has all the words. */
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
 * The id of an executive: itself, or words of one name that filings of the company print. What fits nobody is given back for
 * the command to refuse.
 *
 * @throws OperatorError that lists the ids where the words fit several people
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
      `${JSON.stringify(asked)} fits ${ids.join(", ")} at ${name}. Name one by its id.`,
    );
  return only ?? asked;
}
