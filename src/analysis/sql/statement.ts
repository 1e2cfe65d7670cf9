/** Reads the text of a caller's statement over the views: a single query. */
import { ServiceError } from "../../errors.ts";
import { VIEWS } from "./views.ts";

/** Maximum characters of a statement. */
const MAX_STATEMENT = 20_000;

const BEGINNINGS = ["SELECT", "WITH", "VALUES"];

/** Names the views in refusals. */
export const OVER_THE_VIEWS = `over the views ${VIEWS.map(({ name }) => name).join(", ")}`;

/** The pieces of SQLite's tokenizer inside which semicolons and words have no meaning, and the other pieces. */
const PIECES =
  /(?<comment>--[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<literal>'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\])|"(?<name>(?:[^"]|"")*)"|(?<end>;)|(?<word>[A-Za-z_]\w*)|(?<space>\s+)|[^]/g;

/**
 * Reads a statement.
 *
 * @returns it without a trailing semicolon and with `"names"` in backticks: SQLite treats an unknown name in double quotes as
 *   text, so a misspelled column would return its own name
 * @throws ServiceError `invalid_parameter` if it is empty, too long, more than one statement, or not a query
 */
export function readStatement(text: string): string {
  if (text.length > MAX_STATEMENT)
    throw refused(`The statement has ${text.length} characters; the maximum is ${MAX_STATEMENT}.`);
  if (text.includes("\0")) throw refused("The statement contains a NUL character. Remove it.");
  let sql = "";
  let first: string | undefined;
  let ended = false;
  for (const { 0: piece, groups = {} } of text.matchAll(PIECES)) {
    if (groups["comment"] !== undefined || groups["space"] !== undefined) {
      sql += " ";
      continue;
    }
    if (groups["end"] !== undefined) {
      ended = sql.trim() !== "";
      continue;
    }
    if (ended)
      throw refused(`Only one statement can be run at a time: remove everything from ${shown(piece)} on.`);
    first ??= requireBeginning(piece);
    const name = groups["name"];
    sql += name === undefined ? piece : `\`${name.replaceAll('""', '"').replaceAll("`", "``")}\``;
  }
  if (first === undefined) throw refused(`There is no statement. Write one SELECT ${OVER_THE_VIEWS}.`);
  return sql.trim();
}

function requireBeginning(piece: string): string {
  const word = piece.toUpperCase();
  if (BEGINNINGS.includes(word)) return word;
  throw refused(
    `${shown(word)} is not allowed: write one statement that begins with SELECT, WITH or VALUES ${OVER_THE_VIEWS}.`,
  );
}

/** A piece of a statement, shortened for a message. */
function shown(piece: string): string {
  return /^\w{1,40}$/.test(piece) ? piece : JSON.stringify(piece.slice(0, 40));
}

/** A refusal of a statement. */
export function refused(message: string): ServiceError {
  return new ServiceError("invalid_parameter", message);
}
