/** Search by name, ticker, CIK or person, and the suggestions while typing. */
import { companyName } from "../../domain/company-name.ts";
import { type Html, html } from "../../lib/html.ts";
import { redirectTo } from "../../http/html-responses.ts";
import { readSearch } from "../../operations/document-search.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { ownerOfSymbol } from "../../dataset/search.ts";
import { findCompanies, findCompany, type FoundCompany } from "../../operations/companies.ts";
import { findTypedPeople, MAX_PEOPLE, type TypedPerson } from "../../operations/people.ts";
import { type PageVisit, visitOf } from "../page-visit.ts";
import type { WebDeps } from "../deps.ts";
import { show } from "../page-response.ts";
import type { Viewer } from "../viewer.ts";
import { companyPath, pathOf } from "../parts/addresses.ts";
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
  const find = async (text: string) => ({
    companies: findCompanies(dataset, text, MAX_FOUND),
    people: await findTypedPeople(dataset, deps.analyst, text, MAX_PEOPLE),
  });
  let found = await find(words);
  // `starbucks ceo pay 2024`: no name contains all of these words, so search for the names among them.
  const names = readSearch(words).names;
  if (found.companies.length + found.people.length === 0 && names.length > 0) {
    found = await find(names.join(" "));
    // `jane frazer citi`: the last name alone, if nothing has all of the words.
    const last = names.at(-1) ?? "";
    if (found.companies.length + found.people.length === 0 && last.length > 2) found = await find(last);
  }
  const pathOfPerson = (person: TypedPerson) => personPath(dataset, viewer, person);
  const isCut = (url.searchParams.get("q") ?? "").trim().split(/\s+/).join(" ") !== words;
  const main = html`${searchMain(words, found, pathOfPerson)}
  ${isCut && html`<p class="soft">Only the first ${MAX_WORDS} words and ${MAX_LETTERS} letters are looked up.</p>`}`;
  return show(viewer, { title: `Search: ${words}`, main });
}

/** The page of a person: of the newest year; for visitors, who see the company's latest only, else the company's page. */
function personPath(dataset: Dataset, viewer: Viewer, person: TypedPerson): string {
  const [newest] = person.years;
  const latest = dataset.years(person.cik)[0]?.fiscalYear;
  const path = companyPath(person);
  return person.executiveId === null || (viewer.kind === "visitor" && newest !== latest)
    ? path
    : `${path}/${newest ?? ""}/${person.executiveId}`;
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
      ? [{ ticker: company.ticker, cik, company_name: companyName(company.name) }]
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

/** The search page. */
function searchMain(
  words: string,
  { companies, people }: { companies: readonly FoundCompany[]; people: readonly TypedPerson[] },
  pathOfPerson: (person: TypedPerson) => string,
): Html {
  const companyList = html`<h2>Companies</h2>
    ${companies.length === 0 && html`<p>No companies match “${words}”.</p>`}
    ${linkList(
      companies.map((company) => {
        const { company_name: name, ticker, fiscal_years: years } = company;
        const rows = years.length === 0 ? "no pay by component yet" : `fiscal ${yearRange(years)}`;
        const facts = [ticker, rows, formerly(company.former_names, name)].filter((part) => part !== "");
        return [companyPath(company), companyName(name), facts.join(" · ")];
      }),
    )}
    ${companies.length === MAX_FOUND && firstOnly(MAX_FOUND)}`;
  const personList = html`<h2>Executives</h2>
    ${people.length === 0 && html`<p>No executives match “${words}”.</p>`}
    ${linkList(people.map((person) => [pathOfPerson(person), person.name, `${companyName(person.companyName)}, fiscal ${yearRange(person.years)}`]))}
    ${people.length === MAX_PEOPLE && firstOnly(MAX_PEOPLE)}`;
  // What has data comes first: `cook` is a person, and part of the names of companies without rows. `WHLT` is a symbol.
  const [first] = companies;
  const isMeant = first !== undefined && (first.fiscal_years.length > 0 || first.ticker === words);
  const peopleFirst = people.length > 0 && !isMeant;
  return html`<h1>Search</h1>
    ${searchForm(words, false)} ${peopleFirst ? [personList, companyList] : [companyList, personList]}`;
}

function firstOnly(count: number): Html {
  return html`<p class="soft">Showing the first ${count}. Add a word to narrow the search.</p>`;
}
