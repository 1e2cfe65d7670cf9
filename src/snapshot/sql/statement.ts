/** The text of a statement that somebody asks to be run over the views: one, and only a question. */
import { ServiceError } from "../../errors.ts";
import { VIEWS } from "../views.ts";

/** Characters of a statement. */
export const MAX_STATEMENT = 20_000;

const BEGINNINGS = ["SELECT", "WITH", "VALUES"];

/** How every refusal ends: what to write instead. */
export const OVER_THE_VIEWS = `over the views ${VIEWS.map(({ name }) => name).join(", ")}`;

/** What SQLite's tokenizer sees as one piece and in which a semicolon or a word means nothing. */
const PIECES =
  /(?<comment>--[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<literal>'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\])|"(?<name>(?:[^"]|"")*)"|(?<end>;)|(?<word>[A-Za-z_]\w*)|(?<space>\s+)|[^]/g;

/**
 * Reads a statement.
 *
 * @returns it without a last semicolon, with `"names"` in backticks: SQLite takes an unknown name in double quotes for
 *   text, and a misspelled column would be answered with its own name
 * @throws ServiceError `invalid_parameter` for none, several, a long one, and one that does something else than ask
 */
export function readStatement(text: string): string {
  if (text.length > MAX_STATEMENT)
    throw refused(`The statement has ${text.length} characters; at most ${MAX_STATEMENT} are read.`);
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
    if (ended) throw refused(`Only one statement is run at a time: end it before ${shown(piece)}.`);
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

/** A piece of a statement in a message. */
function shown(piece: string): string {
  return /^\w{1,40}$/.test(piece) ? piece : JSON.stringify(piece.slice(0, 40));
}

/** A refusal of a statement. */
export function refused(message: string): ServiceError {
  return new ServiceError("invalid_parameter", message);
}
