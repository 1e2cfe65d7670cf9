/** Search by name, ticker, CIK or person, and the suggestions while typing. */
import type { Company } from "../../domain/company.ts";
import { foldedWords } from "../../domain/selection.ts";
import { companyName } from "../../domain/company-name.ts";
import { type Html, html } from "../../lib/html.ts";
import { redirectTo } from "../../http/html-responses.ts";
import { readSearch } from "../../operations/document-search.ts";
import { ROUTES } from "../../http/routes.ts";
import type { Analyst } from "../../analysis/analyst.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { ownerOfSymbol } from "../../dataset/search.ts";
import { findCompanies, findCompany, foundCompany, type FoundCompany } from "../../operations/companies.ts";
import { companyMeant, searchCompanies } from "../../operations/company.ts";
import { findTypedPeople, MAX_PEOPLE, type TypedPerson } from "../../operations/people.ts";
import { type PageVisit, visitOf } from "../page-visit.ts";
import type { WebDeps } from "../deps.ts";
import { show } from "../page-response.ts";
import type { Viewer } from "../viewer.ts";
import { companyPath, pathOf, personYearPath } from "../parts/addresses.ts";
import { linkList, searchForm } from "../parts/elements.ts";
import { formerly } from "../parts/names.ts";
import { yearRange } from "../parts/years.ts";

const SUGGESTED = 8;
/** Most that is looked up, in words and in letters: no name is longer. */
const MAX_WORDS = 12;
const MAX_LETTERS = 100;

/** `/search` */
export async function showSearch({ deps, url, origin, viewer, dataset }: PageVisit): Promise<Response> {
  const words = wordsOf(url);
  if (words === "") return redirectTo(`${origin}/`, []);
  const exact = /^CIK/i.test(words)
    ? findCompany(dataset, "cik", words.replace(/^CIK\s*/i, ""))
    : findCompany(dataset, "ticker", words);
  if (exact?.company.hasRows) return redirectTo(origin + pathOf(exact), []);
  const find = async (text: string): Promise<Found> => ({
    companies: findCompanies(dataset, text, MAX_FOUND),
    people: await findTypedPeople(dataset, deps.analyst, text, MAX_PEOPLE),
  });
  let found = await find(words);
  const { names, years } = readSearch(words);
  // `how much did tim cook earn in 2023`: no name has all of these words, so what is named among them.
  const isAmong = isEmpty(found) && names.length > 0;
  if (isAmong) found = await find(names.join(" "));
  if (isAmong && isEmpty(found)) found = await namedAmong(dataset, deps.analyst, names);
  const pathOfPerson = (person: TypedPerson) => personPath(dataset, viewer, person, years);
  const isCut = (url.searchParams.get("q") ?? "").trim().split(/\s+/).join(" ") !== words;
  const main = html`<h1>Search</h1>
    ${searchForm(words, false)}
    ${isAmong ? amongMain(words, found, pathOfPerson) : searchMain(words, found, pathOfPerson)}
    ${isCut && html`<p class="soft">Only the first ${MAX_WORDS} words and ${MAX_LETTERS} letters are looked up.</p>`}`;
  return show(viewer, { title: `Search: ${words}`, main, ownSearch: true });
}

/**
 * The page of a person: of the newest year, or of one that was asked for; for visitors, who see the company's latest only, else
 * the company's page.
 */
function personPath(
  dataset: Dataset,
  viewer: Viewer,
  person: TypedPerson,
  asked: readonly number[] = [],
): string {
  const newest = person.years.find((year) => asked.includes(year)) ?? person.years[0];
  const latest = dataset.years(person.cik)[0]?.fiscalYear;
  return person.executiveId === null ||
    newest === undefined ||
    (viewer.kind === "visitor" && newest !== latest)
    ? companyPath(person)
    : personYearPath(person, newest, person.executiveId);
}

/** `/suggest`: suggests companies and people, to any viewer, with a rate limit of its own. */
export async function suggest(deps: WebDeps, request: Request): Promise<Response> {
  const visitor = { kind: "visitor" } as const;
  const { dataset, url } = visitOf(deps, request, visitor);
  const { address, id } = deps.contextOf(request);
  await deps.admit({ presented: { kind: "none" }, address, requestId: id }, "any", "handshakes");
  const words = wordsOf(url);
  const companies = (words === "" ? [] : dataset.search(words, SUGGESTED)).flatMap((cik) => {
    const company = dataset.findByCik(cik);
    // Of companies without rows only that of an exact symbol.
    return company?.hasRows || (company && cik === ownerOfSymbol(dataset, words)?.cik)
      ? [{ ticker: company.ticker, cik, company_name: companyName(company.name), path: companyPath(company) }]
      : [];
  });
  const found = await findTypedPeople(dataset, deps.analyst, words, SUGGESTED);
  const people = found.map((person) => ({
    name: person.name,
    company_name: companyName(person.companyName),
    ticker: person.ticker,
    cik: person.cik,
    // The same for everyone, so that it can be cached: what visitors may see.
    path: personPath(dataset, visitor, person),
  }));
  return Response.json({ companies, people }, { headers: { "cache-control": "public, max-age=300" } });
}

/** What is looked up of the text in an address. */
function wordsOf(url: URL): string {
  const words = (url.searchParams.get("q") ?? "").trim().split(/\s+/, MAX_WORDS);
  return words.join(" ").slice(0, MAX_LETTERS);
}

/** Maximum companies in search results. */
const MAX_FOUND = 20;

/** What a search has found. */
interface Found {
  companies: readonly FoundCompany[];
  people: readonly TypedPerson[];
}

function isEmpty({ companies, people }: Found): boolean {
  return companies.length + people.length === 0;
}

/** Most people or companies offered for one word of a sentence: a first name alone is that of many. */
const MAX_OF_WORD = 5;

/**
 * The companies and people named among the words of a sentence, the longest names first; no word counts twice. Names are
 * looked up as they are spelled: five words have fifteen runs, at a millisecond or two each.
 */
async function namedAmong(dataset: Dataset, analyst: Analyst, words: readonly string[]): Promise<Found> {
  const companies = new Map<string, FoundCompany>();
  const people: TypedPerson[] = [];
  /** Of any of whom a word may be the first name: offered where the company is named too. */
  const ofFirstName: TypedPerson[] = [];
  const isUsed = words.map(() => false);
  for (let length = words.length; length > 0; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const run = words.slice(from, from + length).join(" ");
      if (run.length < 3 || isUsed.slice(from, from + length).some(Boolean)) continue;
      const meant = companiesNamed(dataset, run);
      const max = length > 1 ? MAX_PEOPLE : MAX_OF_WORD;
      const named = meant.length === 0 ? await findTypedPeople(dataset, analyst, run, max, false) : [];
      if (meant.length + named.length === 0) continue;
      isUsed.fill(true, from, from + length);
      for (const { cik } of meant) companies.set(cik, foundCompany(dataset, cik));
      for (const person of named)
        (length > 1 || foldedWords(person.name).at(-1) === run ? people : ofFirstName).push(person);
    }
  }
  // `jane fraser citi`: of many people of a name the one who is at that company.
  const there = [...people, ...ofFirstName].filter(({ cik }) => companies.has(cik));
  return { companies: [...companies.values()], people: there.length > 0 ? there : people };
}

/** The company that words mean; where it has no rows, those with rows that begin so: `citi` is Citigroup, too. */
function companiesNamed(dataset: Dataset, words: string): Company[] {
  const meant = companyMeant(dataset, words)?.company;
  if (meant === undefined || meant.hasRows) return meant === undefined ? [] : [meant];
  const withRows = searchCompanies(dataset, words, MAX_OF_WORD, false).filter(({ hasRows }) => hasRows);
  return withRows.length > 0 ? withRows : [meant];
}

/** What was recognized in a sentence, and what can be searched. */
function amongMain(words: string, found: Found, pathOfPerson: (person: TypedPerson) => string): Html {
  const { companies, people } = found;
  return html`<p>
      ${isEmpty(found) ? html`No company or executive is named in “${words}”.` : html`Named in “${words}”:`}
    </p>
    ${
      people.length > 0 &&
      html`<h2>Executives</h2>
        ${peopleList(people, pathOfPerson)}`
    }
    ${
      companies.length > 0 &&
      html`<h2>Companies</h2>
        ${companyList(companies)}`
    }
    ${SEARCHABLE}`;
}

/** What can be searched, and where other questions are asked. */
const SEARCHABLE = html`<p class="soft">
  A company is found by its name, ticker or CIK, an executive by first or last name. Questions across
  companies are for <a href="${ROUTES.rankings.path}">Rankings</a> and
  <a href="${ROUTES.statisticsPage.path}">Statistics</a>; <a href="${ROUTES.coverage.path}">Coverage</a> lists
  every company.
</p>`;

function companyList(companies: readonly FoundCompany[]): Html {
  return linkList(
    companies.map((company) => {
      const { company_name: name, ticker, fiscal_years: years } = company;
      const rows = years.length === 0 ? "no pay by component yet" : `fiscal ${yearRange(years)}`;
      const facts = [ticker, rows, formerly(company.former_names, name)].filter((part) => part !== "");
      return [companyPath(company), companyName(name), facts.join(" · ")];
    }),
  );
}

function peopleList(people: readonly TypedPerson[], pathOfPerson: (person: TypedPerson) => string): Html {
  return linkList(
    people.map((person) => [
      pathOfPerson(person),
      person.name,
      `${companyName(person.companyName)}, fiscal ${yearRange(person.years)}`,
    ]),
  );
}

/** What the search has found. */
function searchMain(words: string, found: Found, pathOfPerson: (person: TypedPerson) => string): Html {
  const { companies, people } = found;
  const byName = html`<h2>Companies</h2>
    ${companies.length === 0 && html`<p>No companies match “${words}”.</p>`} ${companyList(companies)}
    ${companies.length === MAX_FOUND && firstOnly(MAX_FOUND)}`;
  const byPerson = html`<h2>Executives</h2>
    ${people.length === 0 && html`<p>No executives match “${words}”.</p>`} ${peopleList(people, pathOfPerson)}
    ${people.length === MAX_PEOPLE && firstOnly(MAX_PEOPLE)}`;
  // What has data comes first: `cook` is a person, and part of the names of companies without rows. `WHLT` is a symbol.
  const [first] = companies;
  const isMeant = first !== undefined && (first.fiscal_years.length > 0 || first.ticker === words);
  const peopleFirst = people.length > 0 && !isMeant;
  return html`${peopleFirst ? [byPerson, byName] : [byName, byPerson]} ${isEmpty(found) && SEARCHABLE}`;
}

function firstOnly(count: number): Html {
  return html`<p class="soft">Showing the first ${count}. Add a word to narrow the search.</p>`;
}
