/** People by name, over the rows of all companies. */
import type { ExecutiveCompensation } from "../domain/row-fields.ts";
import type { Company } from "../domain/company.ts";
import { nearest, otherForms } from "../domain/spellings.ts";
import { foldedWords, readSelection } from "../domain/selection.ts";
import type { Analyst } from "../analysis/analyst.ts";
import { MIN_MISTAKEN } from "../dataset/columns/names.ts";
import { taggedNames } from "../dataset/ceo-pay-records.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { nameCompanies } from "./analysis.ts";
import { decodeRows, rowJsonOf } from "./rows.ts";

/** A person found by name. */
export type FoundPerson = ReturnType<typeof personOf>;

/** A person found by what was typed; a chief executive who is known by a total alone has no `executiveId`. */
export type TypedPerson = Omit<FoundPerson, "executiveId"> & { executiveId: string | null };

/** Maximum number of people a search by name returns. */
export const MAX_PEOPLE = 20;

/** People whose names contain the words, once per company, most recent years first, in any currency. */
export async function findPeople(dataset: Dataset, analyst: Analyst, words: string): Promise<FoundPerson[]> {
  const parameters = new Map([
    ["executive", words],
    ["fiscal_year_gte", "0"],
  ]);
  const { resolved } = nameCompanies(dataset, readSelection(parameters));
  const sort = { by: "fiscal_year", descending: true } as const;
  const result = await analyst.ask(dataset, {
    kind: "query",
    selection: { ...resolved, currency: null },
    sort,
    offset: 0,
    count: 200,
    askedAs: new Map(),
  });
  const found = new Map<string, FoundPerson>();
  for (const row of decodeRows(result.rows)) {
    const key = `${row.cik} ${row.executive_id}`;
    if (found.size >= MAX_PEOPLE) break;
    if (!found.has(key)) found.set(key, personOf(dataset, row));
  }
  return [...found.values()];
}

/** The person of a row, with every year at the company: the rows found for a common name may not include all. */
function personOf(dataset: Dataset, row: ExecutiveCompensation) {
  const { executive_name: name, executive_id: executiveId, cik, ticker, company_name: companyName } = row;
  const years = dataset
    .years(cik)
    .filter((year) => rowJsonOf(year, executiveId) !== undefined)
    .map(({ fiscalYear }) => fiscalYear);
  return { name, executiveId, cik, ticker, companyName, years };
}

/**
 * Chief executives known by their total alone, whose names contain the words; once per company, most recent years first.
 * @param words folded
 */
export function chiefsNamed(dataset: Dataset, words: readonly string[]): ChiefNamed[] {
  const last = words.at(-1) ?? "";
  if (last.length < MIN_LAST_WORD) return [];
  return taggedNames(dataset, last, MAX_LOOKED_AT)
    .filter(({ name }) => words.every((word) => foldedWords(name).includes(word)))
    .slice(0, MAX_PEOPLE)
    .flatMap(({ cik, name, years }) => {
      const company = dataset.findByCik(cik);
      return company === undefined ? [] : { company, name, years };
    });
}

/** A chief executive without a row. */
interface ChiefNamed {
  company: Company;
  name: string;
  years: number[];
}

/** Most names that are compared with the words. */
const MAX_LOOKED_AT = 500;

/** Longest name that is looked for, in words. */
const MAX_TYPED = 6;

/**
 * People by what was typed: half words (`nadel`), nicknames (`bob swan`), one typing error a word. Once per company, most
 * recent years first, then by name: the order tells no amount.
 * @param isForgiving whether typing errors are looked for, which takes ten times as long
 */
export async function findTypedPeople(
  dataset: Dataset,
  analyst: Analyst,
  text: string,
  max: number,
  isForgiving = true,
): Promise<TypedPerson[]> {
  const words = foldedWords(text)
    .slice(0, MAX_TYPED)
    .map((word) => ({ begins: word, equals: otherForms(word) }));
  // One letter begins a third of all names.
  if (!words.some(({ begins }) => begins.length > 1)) return [];
  for (const forgiving of isForgiving ? [false, true] : [false]) {
    const { rows } = await analyst.ask(dataset, { kind: "people", words, forgiving, max });
    const found: TypedPerson[] = decodeRows(rows).map((row) => personOf(dataset, row));
    // Somebody with rows is one person, though other years are known by tags; father and son are two.
    const isFound = (cik: string, name: string) =>
      found.some((one) => one.cik === cik && isSameName(foldedWords(one.name), foldedWords(name)));
    if (!forgiving)
      for (const { company, name, years } of chiefsNamed(dataset, foldedWords(text)))
        if (!isFound(company.cik, name))
          found.push({
            name,
            executiveId: null,
            cik: company.cik,
            ticker: company.ticker,
            companyName: company.name,
            years,
          });
    if (found.length > 0) return found.slice(0, max);
  }
  return [];
}

/** Whether two names have the same last word and, where both have more, the same initial. */
function isSameName(one: readonly string[], other: readonly string[]): boolean {
  if (one.at(-1) !== other.at(-1)) return false;
  return one.length === 1 || other.length === 1 || one[0]?.charAt(0) === other[0]?.charAt(0);
}

/** People whose names contain the last of several words: filings print James for Jamie. */
export async function findPeopleOfLastName(
  dataset: Dataset,
  analyst: Analyst,
  words: string,
): Promise<FoundPerson[]> {
  const [last = "", ...others] = foldedWords(words).reverse();
  const isTelling = others.length > 0 && last.length >= MIN_LAST_WORD;
  return isTelling ? findPeople(dataset, analyst, last) : [];
}

/** People whose names contain what the last word, mistyped, may mean; with all other words too, if there are such. */
export async function findPeopleNear(
  dataset: Dataset,
  analyst: Analyst,
  words: string,
): Promise<FoundPerson[]> {
  const named = foldedWords(words);
  const mistyped = named.pop() ?? "";
  if (mistyped.length < MIN_MISTAKEN) return [];
  const { words: nameWords } = await analyst.ask(dataset, { kind: "names", near: mistyped });
  const meant = nearest(mistyped, nameWords);
  if (meant === undefined) return [];
  const all = named.length === 0 ? [] : await findPeople(dataset, analyst, [...named, meant].join(" "));
  return all.length > 0 ? all : findPeople(dataset, analyst, meant);
}

/** A shorter last word would match half of all people. */
const MIN_LAST_WORD = 3;
