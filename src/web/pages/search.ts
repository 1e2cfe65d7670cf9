/** Search by name, ticker, CIK or person, and the suggestions while typing. */
import { Elysia } from "elysia";
import { foldedWords } from "../../domain/selection.ts";
import { type Html, html } from "../../html.ts";
import { redirectTo } from "../../http/responses.ts";
import { ROUTES } from "../../http/routes.ts";
import { readSearch } from "../../operations/documents/search.ts";
import {
  findCompanies,
  findCompany,
  findPeopleNamed,
  findPeopleNear,
  type FoundCompany,
  type FoundPerson,
  MAX_PEOPLE,
} from "../../operations/page-data.ts";
import type { WebDeps } from "../deps.ts";
import { show, showRefusal } from "../show.ts";
import { companyPath, formerly, searchForm, yearRange } from "./parts.ts";

const SUGGESTED = 8;
const MAX_WORDS = 100;

/** `/search`, `/suggest`, and the former search by ticker at `/t`. */
export function searchPages(deps: WebDeps) {
  return new Elysia({ name: "search-pages" })
    .get(
      ROUTES.search.path,
      deps.conditional((request) => search(deps, request)),
    )
    .get(ROUTES.suggest.path, ({ request }) => suggest(deps, request))
    .get(ROUTES.companySearch.path, ({ request }) => {
      const { url, baseUrls } = deps.contextOf(request);
      const words = url.searchParams.get("ticker")?.trim() ?? "";
      const found = words === "" ? "/" : `${ROUTES.search.path}?q=${encodeURIComponent(words)}`;
      return redirectTo(baseUrls.origin + found, []);
    });
}

async function search(deps: WebDeps, request: Request): Promise<Response> {
  const viewer = await deps.viewers.find(request);
  const { url, baseUrls } = deps.contextOf(request);
  const words = wordsOf(url);
  if (words === "") return redirectTo(`${baseUrls.origin}/`, []);
  const dataset = deps.snapshots.current();
  const exact = /^CIK/i.test(words)
    ? findCompany(dataset, "cik", words.replace(/^CIK\s*/i, ""))
    : findCompany(dataset, "ticker", words);
  if (exact?.company.hasRows) {
    return redirectTo(baseUrls.origin + companyPath({ ticker: exact.ticker, cik: exact.company.cik }), []);
  }
  const seesPeople = viewer.kind !== "visitor";
  try {
    const named = (text: string) => findCompanies(dataset, text, MAX_FOUND);
    const peopleNamed = async (text: string) =>
      seesPeople && /[a-z]/i.test(text) ? await findPeopleNamed(dataset, deps.analyst, text) : null;
    let [companies, found] = [named(words), await peopleNamed(words)];
    // `starbucks ceo pay 2024`: no name contains all of these words, so search for the names among them.
    const names = readSearch(words).names.join(" ");
    const isMeant =
      companies.length > 0 || (found !== null && found.people.length > 0 && found.having === null);
    if (!isMeant && names !== "" && names !== foldedWords(words).join(" "))
      [companies, found] = [named(names), await peopleNamed(names)];
    if (companies.length === 0 && found?.people.length === 0)
      found = await findPeopleNear(dataset, deps.analyst, names === "" ? words : names);
    const main = searchMain({
      words,
      companies,
      people: found?.people ?? null,
      having: found?.having ?? null,
      offer: seesPeople ? null : signInToSearch(url),
    });
    return show(viewer, { title: `Search: ${words}`, main });
  } catch (refused) {
    return showRefusal(viewer, refused);
  }
}

/** Suggests companies only, to any viewer, with a rate limit of its own. */
async function suggest(deps: WebDeps, request: Request): Promise<Response> {
  const { url, address, id } = deps.contextOf(request);
  try {
    await deps.admit({ presented: { kind: "none" }, address, requestId: id }, "any", "handshakes");
  } catch (refused) {
    return showRefusal({ kind: "visitor" }, refused);
  }
  const words = wordsOf(url);
  const dataset = deps.snapshots.current();
  const found = words === "" ? [] : dataset.search(words, SUGGESTED);
  const companies = found.flatMap((cik) => {
    const company = dataset.findByCik(cik);
    return company?.hasRows ? [{ ticker: company.ticker, cik, company_name: company.name }] : [];
  });
  return Response.json({ companies }, { headers: { "cache-control": "public, max-age=300" } });
}

function wordsOf(url: URL): string {
  return (url.searchParams.get("q") ?? "").trim().slice(0, MAX_WORDS);
}

/** Maximum companies in search results. */
const MAX_FOUND = 20;

/** Results of a search. */
interface SearchView {
  words: string;
  companies: readonly FoundCompany[];
  /** Null where the viewer may not see people. */
  people: readonly FoundPerson[] | null;
  /** The one word these people match, when no name contains all the words. */
  having: string | null;
  offer: Html | null;
}

/** The search page. */
function searchMain({ words, companies, people, having, offer }: SearchView): Html {
  return html`<h1>Search</h1>
    ${searchForm(words, false)}
    <h2>Companies</h2>
    ${companies.length === 0 && html`<p>No companies match “${words}”.</p>`}
    <ul class="results">
      ${companies.map(
        (company) =>
          html`<li>
            <a href="${companyPath(company)}">${company.company_name}</a>
            <span class="soft"
              >${[
                company.ticker,
                company.fiscal_years.length === 0
                  ? "no rows yet"
                  : `fiscal ${yearRange(company.fiscal_years)}`,
                formerly(company.former_names, company.company_name),
              ]
                .filter((part) => part !== "")
                .join(" · ")}</span
            >
          </li>`,
      )}
    </ul>
    ${companies.length === MAX_FOUND && firstOnly(MAX_FOUND)}
    ${
      people !== null &&
      html`<h2>Executives</h2>
        ${people.length === 0 && html`<p>No executives match “${words}”.</p>`}
        ${people.length > 0 && having !== null && html`<p>No executive’s name contains all of these words. Names with “${having}”:</p>`}
        <ul class="results">
          ${people.map(
            (person) =>
              html`<li>
                <a href="${companyPath(person)}/${person.years[0] ?? ""}/${person.executiveId}"
                  >${person.name}</a
                >
                <span class="soft">${person.companyName}, fiscal ${yearRange(person.years)}</span>
              </li>`,
          )}
        </ul>
        ${people.length === MAX_PEOPLE && firstOnly(MAX_PEOPLE)}`
    }
    ${offer}`;
}

function firstOnly(count: number): Html {
  return html`<p class="soft">Showing the first ${count}. Add a word to narrow the search.</p>`;
}
/** A note that search by name requires sign-in. */
function signInToSearch(url: URL): Html {
  return html`<p class="note">
    <a href="/sign-in?next=${encodeURIComponent(url.pathname + url.search)}">Sign in</a> to search executives
    by name.
  </p>`;
}
