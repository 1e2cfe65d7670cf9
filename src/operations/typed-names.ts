/** Names of companies as they are typed: lists that were split at commas, and words that a shell has split. */
import { type Company, labelOf, normalizeSymbol } from "../domain/company.ts";
import { foldedWords } from "../domain/selection.ts";
import { nearest } from "../domain/spellings.ts";
import { ServiceError } from "../errors.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { isLegalForm } from "../dataset/search.ts";
import { companyMeant, coreOf, searchCompanies } from "./company.ts";

/** Legal forms in capitals that nobody takes for a symbol. `CO` may be one, and `de` is Deere's. */
const IN_CAPITALS = /^(INC|CORP|PLC|LTD|LLC|.{6,})$/;

/** Whether a text is the end of a name, as `Inc.` and `& Co.` are. */
function isLegalEnd(dataset: Dataset, text: string): boolean {
  const words = foldedWords(text);
  if (text === "&") return true;
  const isLegal = words.length > 0 && words.every(isLegalForm);
  return isLegal && (/[a-z.]/.test(text) || IN_CAPITALS.test(text)) && !isSymbol(dataset, text);
}

function isSymbol(dataset: Dataset, text: string): boolean {
  return dataset.findBySymbol(normalizeSymbol(text))?.hasRows === true;
}

/** The names of a list that was split at its commas: `Amazon.com` and `Inc.` are one. */
export function wholeNames(dataset: Dataset, entries: readonly string[]): string[] {
  const names: string[] = [];
  for (const entry of entries) {
    const before = names.at(-1);
    const isName = before !== undefined && (/[a-z]/.test(before) || !isSymbol(dataset, before));
    if (isName && isLegalEnd(dataset, entry)) names.splice(-1, 1, `${before}, ${entry.trim()}`);
    else names.push(entry);
  }
  return names;
}

/** Words that stand between names. */
const BETWEEN: ReadonlySet<string> = new Set(["and", "&", "+", "vs", "vs."]);
/** Most words that are tried as one name: each try is a search. */
const MAX_WORDS = 10;

/**
 * The names in the arguments of a command: `Amazon.com, Inc. apple Home Depot` are three. Words are one name where the
 * dataset has it, except symbols, each of which is a company of its own.
 *
 * @throws ServiceError `unknown_company` for words of which only some are known, if together they are a misspelled name
 */
export function namesOfWords(dataset: Dataset, words: readonly string[]): string[] {
  return runsOf(dataset, words).flatMap((run) => {
    const names: string[] = [];
    for (let at = 0; at < run.length;) {
      const length = nameLength(dataset, run.slice(at, at + MAX_WORDS));
      const name = run.slice(at, at + length).join(" ");
      if (!BETWEEN.has(name)) names.push(name);
      at += length;
    }
    const isKnown = names.every((name) => companyMeant(dataset, name)?.company.hasRows);
    const meant = run.length === 1 || isKnown ? undefined : companyMistyped(dataset, run.join(" "));
    if (meant === undefined) return names;
    const typed = JSON.stringify(run.join(" "));
    throw new ServiceError("unknown_company", `No company ${typed}. Did you mean ${labelOf(meant)}?`);
  });
}

/** The words between commas. What ends a name belongs to what is before its comma. */
function runsOf(dataset: Dataset, words: readonly string[]): string[][] {
  const runs: string[][] = [];
  for (const word of words)
    for (const [at, part] of word.split(",").entries()) {
      if (at > 0) runs.push([]);
      const text = part.trim();
      if (text === "") continue;
      if (runs.at(-1)?.length === 0 && isLegalEnd(dataset, text)) runs.splice(-1, 1);
      if (runs.length === 0) runs.push([]);
      runs.at(-1)?.push(text);
    }
  return runs.filter((run) => run.length > 0);
}

/** How many of the words are the first name. */
function nameLength(dataset: Dataset, words: readonly string[]): number {
  for (let length = words.length; length > 1; length--)
    if (isOneName(dataset, words.slice(0, length))) return length;
  // What ends a name is never a company of its own; `The` may begin the next.
  const next = words.findIndex(
    (word, at) => at > 0 && (!isLegalEnd(dataset, word) || /^the$/i.test(word) || BETWEEN.has(word)),
  );
  return next < 0 ? words.length : next;
}

function isOneName(dataset: Dataset, words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  if (BETWEEN.has(last) || /^the$/i.test(last)) return false;
  const own = words.filter((word) => coreOf(word).length > 0);
  if (own.length > 1 && own.every((word) => isSymbol(dataset, word))) return false;
  // A name would not tell whether `DE` is part of it.
  if ([words[0] ?? "", last].some((word) => !own.includes(word) && isSymbol(dataset, word))) return false;
  const text = words.join(" ");
  const meant = companyMeant(dataset, text);
  if (meant === undefined || meant.understood === null) return false;
  // Dow and DuPont were DowDuPont once: a former name is not made of today's.
  const isToday = coreOf(meant.company.name).join("").includes(coreOf(text).join(""));
  return isToday || !own.every((word) => companyMeant(dataset, word) !== undefined);
}

/** The one company with rows that a name with a typing mistake can mean. */
export function companyMistyped(dataset: Dataset, name: string): Company | undefined {
  const [company, other] = searchCompanies(dataset, name, 2);
  const own = foldedWords(company?.name ?? "");
  const isIts = foldedWords(name).every((word) => own.includes(word) || nearest(word, own) !== undefined);
  return company?.hasRows === true && other?.hasRows !== true && isIts ? company : undefined;
}
