import type { Principal } from "../accounts/principal.ts";
import { type Company, COMPANY, labelOf, normalizeSymbol } from "../domain/company.ts";
import type { CompensationQuery } from "../domain/company-parameters.ts";
import { foldedWords } from "../domain/selection.ts";
import { invalid, ServiceError } from "../errors.ts";
import { formerNamesOf, readSuccessor } from "../dataset/company-facts.ts";
import { isLegalForm, ownerOfSymbol } from "../dataset/search.ts";
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
  throw new ServiceError("unknown_company", noRows(dataset, company));
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
      ? `No company with CIK ${cik ?? ""}.${LOOK_UP}`
      : `No ticker ${JSON.stringify(ticker)}.${whatNext(dataset, [ticker])}`;
  throw new ServiceError("unknown_company", unknown);
}

function named(company: Company | undefined): string {
  return company === undefined ? "unknown" : `${company.name} (CIK ${company.cik})`;
}

/** Companies by name, former name, symbol or CIK, best match first. */
export function searchCompanies(dataset: Dataset, words: string, max: number, isForgiving = true): Company[] {
  return dataset.search(words, max, isForgiving).flatMap((cik) => dataset.findByCik(cik) ?? []);
}

/** ` Did you mean Apple Inc. (AAPL)?`: the best match with rows for each unknown symbol; empty without one. */
export function suggestions(dataset: Dataset, unknowns: readonly string[]): string {
  const meant = unknowns.map((words) => nearestWithRows(dataset, words)).filter((one) => one !== undefined);
  const names = new Set(meant.map(labelOf));
  return names.size === 0 ? "" : ` Did you mean ${[...names].join(", ")}?`;
}

/** What to do where no company is similar; REST and commands say how. */
export const LOOK_UP = " Search for words of its name, or list the available tickers.";

/** The companies that may be meant, otherwise how to look for one. */
export function whatNext(dataset: Dataset, unknowns: readonly string[]): string {
  return suggestions(dataset, unknowns) || LOOK_UP;
}

/** Companies that contain the words of a name and are compared with it. */
const MAX_NAMED = 50;

/** The company that a name was resolved to. @see docs/contract.md, "Names" */
export interface Understood {
  given: string;
  ticker: string;
  cik: string;
  company_name: string;
}

/** Its definition in an answer. */
export const UNDERSTOOD = { given: "string", ...COMPANY } as const;

/** A requested company; `understood` is set if it was found by name rather than by symbol. */
export interface MeantCompany {
  company: Company;
  understood: Understood | null;
}

/**
 * The company of a symbol or a name; undefined where no one company is meant. An exact symbol counts before names, but a
 * former symbol of a company without rows after the names of those with rows; a company with rows before one without.
 */
export function companyMeant(dataset: Dataset, text: string): MeantCompany | undefined {
  const bySymbol = dataset.findBySymbol(normalizeSymbol(text));
  const owner = ownerOfSymbol(dataset, text);
  const isSure = owner !== undefined && (!owner.isFormer || bySymbol?.hasRows === true);
  if (isSure && bySymbol !== undefined) return { company: bySymbol, understood: null };
  const ofClasses = owner === undefined ? undefined : dataset.findByCik(owner.cik);
  const named = isSure ? ofClasses : namedCompany(dataset, text);
  const isNamed = named !== undefined && (named.hasRows || bySymbol === undefined);
  const company = isNamed ? named : bySymbol;
  if (company === undefined) return undefined;
  const { ticker, cik, name } = company;
  return {
    company,
    understood: isNamed ? { given: text, ticker, cik, company_name: name } : null,
  };
}

/** The words that are looked for in names. */
interface Sought {
  words: readonly string[];
  /** The words joined, and where an `&` stood in them: `P&G` is not PG&E. */
  joined: string;
  ampersands: readonly number[];
  /** The two letters of `P&G`; null for any other text. */
  initials: string | null;
}

/** Ways in which a name can match, best first: the full name, a former name, its first words, any of its words, its initials. */
const FITS: readonly ((company: Company, sought: Sought, formerNames: FormerNames) => boolean)[] = [
  ({ name }, sought) => isWhole(name, sought),
  ({ cik }, sought, formerNames) =>
    formerNames()
      .get(cik)
      ?.some((former) => isWhole(former, sought)) ?? false,
  ({ name }, sought) => beginsWith(coreOf(name), sought),
  ({ name }, sought) => coreOf(name).some((_word, at, core) => beginsWith(core.slice(at), sought)),
  ({ name }, { initials }) => initials !== null && initialsOf(name) === initials,
];

/** Those of the companies found, by CIK; read when first needed. */
type FormerNames = () => ReturnType<typeof formerNamesOf>;

/** There are too many companies without rows for a few words to identify one. */
const FITS_WITHOUT_ROWS = 3;

function namedCompany(dataset: Dataset, text: string): Company | undefined {
  const sought = soughtIn(text);
  if (sought.words.length === 0) return undefined;
  // Mistakes would match none of `FITS`, and take ten times as long to look for.
  const found = searchCompanies(dataset, text, MAX_NAMED, false);
  let names: ReturnType<FormerNames> | undefined;
  const formerNames = () =>
    (names ??= formerNamesOf(
      dataset,
      found.map(({ cik }) => cik),
    ));
  for (const hasRows of [true, false]) {
    const companies = found.filter((company) => company.hasRows === hasRows);
    for (const fits of hasRows ? FITS : FITS.slice(0, FITS_WITHOUT_ROWS)) {
      const [only, second] = companies.filter((company) => fits(company, sought, formerNames));
      if (only !== undefined) return second === undefined ? only : undefined;
    }
  }
  return undefined;
}

function soughtIn(text: string): Sought {
  const words = coreOf(text);
  const ampersands: number[] = [];
  let place = 0;
  for (const part of text.split("&").slice(0, -1)) ampersands.push((place += coreOf(part).join("").length));
  const initials = words.length === 2 && words.every(({ length }) => length === 1) && ampersands.length === 1;
  return { words, joined: words.join(""), ampersands, initials: initials ? words.join("") : null };
}

/** `pg` of Procter & Gamble; undefined for a name that is not two words around an `&`. */
function initialsOf(name: string): string | undefined {
  const [first, second, ...more] = coreOf(name);
  const isPair = name.includes("&") && second !== undefined && more.length === 0;
  return first === undefined || !isPair ? undefined : first.charAt(0) + second.charAt(0);
}

function isWhole(name: string, sought: Sought): boolean {
  const core = coreOf(name);
  return core.join("") === sought.joined && beginsWith(core, sought);
}

/** Whether the words are the first ones of a name, however spaced: `JP Morgan` are those of JPMorgan Chase. */
function beginsWith(core: readonly string[], { joined, ampersands }: Sought): boolean {
  let length = 0;
  const ends = core.map((word) => (length += word.length));
  const isBegun = core.some((_, at) => core.slice(0, at + 1).join("") === joined);
  return isBegun && ampersands.every((place) => place === 0 || ends.includes(place));
}

/** The words of a name without legal forms. */
export function coreOf(name: string): string[] {
  return foldedWords(name).filter((word) => !isLegalForm(word));
}

function nearestWithRows(dataset: Dataset, words: string): Company | undefined {
  // APPL is a mistyped AAPL before it begins Applied Materials.
  const symbol = /^[A-Z]{1,5}$/.test(words) ? dataset.nearestTicker(words) : undefined;
  if (symbol !== undefined) return symbol;
  // Hundreds of companies have `Inc.`.
  const found = coreOf(words).length === 0 ? [] : searchCompanies(dataset, words, 5);
  return found.find(({ hasRows }) => hasRows) ?? dataset.nearestTicker(words);
}

/** Why a company has no rows, and under which CIK it has some, if it is another one today. */
export function noRows(dataset: Dataset, { name, cik, newestKnown }: Company): string {
  const message = `No rows are available for ${name} (CIK ${cik}) yet.${successorText(dataset, cik)}`;
  if (newestKnown === null || newestKnown.isLoaded) return message;
  const form = newestKnown.form ?? "proxy statement";
  return `${message} Its ${form} filed ${newestKnown.filingDate} (${newestKnown.accession}) has not been read yet.`;
}

/** ` It has filed under another CIK since 2024-10-01: ask for BlackRock, Inc. (BLK), CIK 0002012383.`; empty without a successor. */
function successorText(dataset: Dataset, cik: string): string {
  const found = readSuccessor(dataset, cik);
  const company = found === null ? undefined : dataset.findByCik(found.successor);
  if (found === null || company === undefined) return "";
  const files =
    found.since === null ? "now files under another CIK" : `has filed under another CIK since ${found.since}`;
  return ` It ${files}: ask for ${labelOf(company)}, CIK ${company.cik}.`;
}
