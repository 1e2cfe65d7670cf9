import { type Company, labelOf } from "../domain/company.ts";
import { readQuery, textUpTo, unreadable } from "../domain/parameters.ts";
import { foldedWords } from "../domain/selection.ts";
import { compareTexts } from "../lib/text.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { ownerOfSymbol } from "../dataset/search.ts";
import { type AnalysisDeps, analysisOperation } from "./analysis.ts";
import { searchCompanies } from "./company.ts";
import { encode } from "./operation.ts";
import { chiefsNamed, findPeople, findPeopleNear, findPeopleOfLastName, type FoundPerson } from "./people.ts";
import {
  companySubject,
  type DocumentSubject,
  documentYears,
  executiveSubject,
  yearSubject,
} from "./documents.ts";
import type { PageYear } from "./rows.ts";

/** The parameters of the search operation. */
const MAX_QUERY = 300;
const QUERY_EXPECTED = `a company or executive in at most ${MAX_QUERY} characters`;

export const SEARCH_PARAMETERS = [
  {
    name: "query",
    about: "company, executive, years, in free text",
    ...textUpTo(MAX_QUERY, QUERY_EXPECTED),
  },
] as const;

/** Maximum number of name words; further ones are ignored. */
const MAX_WORDS = 5;
const MAX_COMPANIES = 5;
/** Number of years listed for the best match if the query names none. */
const MAX_YEARS = 5;
const MAX_RESULTS = 20;

/** Words that describe the question rather than its subject. */
const ASKING = new Set(
  (
    "a about all an and annual are at average awards base between biggest bonus by ceo ceos cfo cfos chief company comp companies compensated " +
    "compensation did do does earn earned earns every exec executive executives filing financial fiscal for from get gets got has " +
    "have highest history how in is its largest last latest list lowest made make makes mean median most much named neo of officer officers on options over package " +
    "million more less paid pay payment per percentile percentiles principal proxy rank ranked ranking rankings ranks remuneration report s salaries salary since statement stock summary table than that the " +
    "their to top total trend trends typical versus vs was were what when which who whose year years"
  ).split(" "),
);

/** A parsed query. */
type ReadSearch = ReturnType<typeof readSearch>;

/**
 * Searches documents by free text: companies, their years and executives, best match first. Free, so it never ranks by
 * amounts. Companies without rows are found where none with rows is; their documents say so.
 */
export function searchOperation(deps: AnalysisDeps) {
  return analysisOperation(deps, { id: "search", price: null }, (given, dataset) => {
    const { query = "" } = readQuery(given, SEARCH_PARAMETERS);
    if (query.trim() === "") throw unreadable("query", query, QUERY_EXPECTED);
    return {
      identity: query,
      async answer() {
        const results = await searchDocuments(deps, dataset, query);
        return { body: encode(JSON.stringify({ results })), costCredits: 0 };
      },
    };
  });
}

/** Parses a query into years, offices, and words that may name a company or an executive. */
export function readSearch(query: string) {
  const words = foldedWords(query);
  const years = words.flatMap((word) => {
    const [, short, whole] = /^(?:fy(\d\d)|(?:fy)?((?:19|20)\d\d))$/.exec(word) ?? [];
    if (whole !== undefined) return [Number(whole)];
    return short === undefined ? [] : [2000 + Number(short)];
  });
  const offices = new Set<"peo" | "pfo">();
  if (words.some((word) => /^(ceos?|peo)$/.test(word)) || /chief executive/i.test(query)) offices.add("peo");
  if (words.some((word) => /^(cfos?|pfo)$/.test(word)) || /chief financial/i.test(query)) offices.add("pfo");
  const names = words.filter(
    (word) => !ASKING.has(word) && !/^(\d{1,3}|fy\d\d|(fy)?(19|20)\d\d|peo|pfo)$/.test(word),
  );
  return { names: names.slice(0, MAX_WORDS), years: [...new Set(years)], offices };
}

async function searchDocuments(
  { analyst }: AnalysisDeps,
  dataset: Dataset,
  query: string,
): Promise<DocumentSubject[]> {
  const search = readSearch(query);
  const symbol = bySymbol(dataset, query, search.names);
  if (search.names.length === 0 && symbol === undefined) return [];
  const { companies, rest } = symbol ?? companiesOf(dataset, search.names);
  // A person of the whole query comes before a company that only some of its words name.
  const words = rest.length > 0 ? rest : search.names;
  let named: FoundPerson[] = [];
  for (const asked of new Set([search.names.join(" "), words.join(" ")]))
    if (named.length === 0 && asked !== "") named = await findPeople(dataset, analyst, asked);
  const chiefs = named.length > 0 ? [] : chiefsNamed(dataset, words);
  const isMistyped = words.length > 0 && named.length + chiefs.length + companies.length === 0;
  const people = isMistyped ? await peopleNear(dataset, analyst, words.join(" ")) : named;
  const found = new Map<string, DocumentSubject>();
  const add = (subject: DocumentSubject) => found.set(subject.id, found.get(subject.id) ?? subject);
  const ofPeople = people.flatMap(({ cik, executiveId }) => {
    const company = dataset.findByCik(cik);
    return company === undefined ? [] : personSubjects(dataset, company, executiveId);
  });
  for (const { company, name } of chiefs) {
    const subject = companySubject(company, documentYears(dataset, company));
    add({ ...subject, title: `${name}, CEO of ${labelOf(company)}: the total is known, ask query_ceo_pay` });
  }
  const [first] = companies;
  // People whose names match the remaining words come before companies that match only in part, or only by a name without rows.
  const isUnsure = symbol === undefined && companies.every(({ hasRows }) => !hasRows);
  if (first === undefined || rest.length > 0 || isUnsure) {
    const employed = ofPeople.filter(({ cik }) => companies.some((company) => company.cik === cik));
    (employed.length > 0 ? employed : ofPeople).forEach(add);
  }
  companies.forEach((company, at) => {
    const years = documentYears(dataset, company);
    for (const subject of narrowed(company, years, search)) add(subject);
    add(companySubject(company, years));
    if (at > 0 || search.years.length > 0) return;
    for (const year of years.slice(0, MAX_YEARS)) add(yearSubject(company, year));
  });
  ofPeople.forEach(add);
  if (companies.length === 0) {
    for (const company of companiesOf(dataset, search.names, true).companies)
      add(companySubject(company, documentYears(dataset, company)));
  }
  return [...found.values()].slice(0, MAX_RESULTS);
}

/** Where nobody has all these names: people of the last name alone, or of a mistyped one. */
async function peopleNear(
  dataset: Dataset,
  analyst: AnalysisDeps["analyst"],
  words: string,
): Promise<FoundPerson[]> {
  const named = await findPeopleOfLastName(dataset, analyst, words);
  return named.length > 0 ? named : findPeopleNear(dataset, analyst, words);
}

/** The documents of a company that match the query's years and offices. */
function narrowed(company: Company, years: readonly PageYear[], search: ReadSearch): DocumentSubject[] {
  const meant = years.filter(({ fiscalYear }) => search.years.includes(fiscalYear));
  const holders = (meant.length > 0 ? meant : years.slice(0, 1)).flatMap(({ rows }) =>
    rows
      .filter((row) => (search.offices.has("peo") && row.is_peo) || (search.offices.has("pfo") && row.is_pfo))
      // In a year's own order the higher total comes first, which is not free to know.
      .sort((a, b) => compareTexts(a.executive_id, b.executive_id)),
  );
  return [
    ...meant.map((year) => yearSubject(company, year)),
    ...holders.map((row) => executiveSubject(company, row)),
  ];
}

/** Companies that words name, and the words that are left over. */
interface Named {
  companies: Company[];
  rest: string[];
}

/**
 * The companies that the words name: all words, or the longest run from the first or to the last word that matches; the rest
 * is left over. Of companies without rows, one word means one only where it is its symbol or all that was asked. Inner runs
 * are not tried: a run without a match takes 0.6 ms, and searching is free.
 */
function companiesOf(dataset: Dataset, names: readonly string[], isLastResort = false): Named {
  for (let length = names.length; length > 0; length--) {
    for (const from of new Set([0, names.length - length])) {
      const words = names.slice(from, from + length);
      const isSpecific = length > 1 || names.length === 1 || isLastResort;
      const companies = companiesNamed(dataset, words.join(" "), isSpecific);
      if (companies.length > 0)
        return { companies, rest: [...names.slice(0, from), ...names.slice(from + length)] };
    }
  }
  return { companies: [], rest: [...names] };
}

/** @param withoutRows whether companies without rows may be meant: by the beginning of their name, as there are many of them */
function companiesNamed(dataset: Dataset, named: string, withoutRows: boolean): Company[] {
  const owner = ownerOfSymbol(dataset, named);
  const found = searchCompanies(dataset, named, MAX_COMPANIES);
  // An exact symbol means one company.
  const [first] = found;
  if (owner !== undefined && first?.cik === owner.cik) return [first];
  const withRows = found.filter(({ hasRows }) => hasRows);
  if (withRows.length > 0 || !withoutRows) return withRows;
  return found.filter(({ name }) => `${foldedWords(name).join(" ")} `.startsWith(`${named} `));
}

/** The company of a symbol that is the whole query, or that only a symbol can be: `BRK.B`. */
function bySymbol(dataset: Dataset, query: string, names: readonly string[]): Named | undefined {
  const words = query.trim().split(/[\s,?!;:()"]+/);
  const symbol = words.find((word) => words.length === 1 || /^[a-z]{1,5}[./-][a-z]{1,2}$/i.test(word));
  const owner = symbol === undefined ? undefined : ownerOfSymbol(dataset, symbol);
  const [company] = symbol === undefined ? [] : searchCompanies(dataset, symbol, 1);
  if (owner === undefined || company?.cik !== owner.cik) return undefined;
  const own = foldedWords(symbol ?? "");
  return { companies: [company], rest: names.filter((name) => !own.includes(name)) };
}

function personSubjects(dataset: Dataset, company: Company, executiveId: string): DocumentSubject[] {
  const rows = documentYears(dataset, company).flatMap((year) => year.rows);
  const newest = rows.find((row) => row.executive_id === executiveId);
  return newest === undefined ? [] : [executiveSubject(company, newest)];
}
