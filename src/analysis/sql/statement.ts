/**
 * Which statements may run over the views: one query by its text, on a read-only connection; and of functions and virtual
 * tables only those on a list, found in the program that SQLite compiles the statement to (`EXPLAIN`), because `bun:sqlite`
 * does not expose SQLite's authorizer.
 */
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

/** An instruction of `EXPLAIN`. */
export interface Instruction {
  readonly opcode: string;
  readonly p4: string | null;
}

/** Functions that depend only on their arguments, the clock or randomness, and cannot produce large values from small ones. */
const FUNCTIONS = new Set(
  `-> ->> abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce concat concat_ws cos cosh count
  cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor format
  glob group_concat hex if ifnull iif instr json json_array json_array_length json_extract json_group_array
  json_group_object json_object json_quote json_type json_valid julianday lag last_value lead length like ln log log10
  log2 lower ltrim max median min mod nth_value ntile nullif octet_length percent_rank percentile percentile_cont
  percentile_disc pi pow power printf quote radians random rank replace round row_number rtrim sign sin sinh sqrt strftime
  string_agg substr substring sum tan tanh time timediff total trim trunc typeof unhex unicode unixepoch upper`.split(
    /\s+/,
  ),
);

/** @throws ServiceError `invalid_parameter` naming what is not allowed */
export function requireAllowed(program: readonly Instruction[]): void {
  for (const one of program) {
    // The instruction does not say which virtual table it opens: some of them read files.
    if (one.opcode === "VOpen")
      throw refused(
        `Table-valued functions and virtual tables (pragma_…, json_each, dbstat) are not allowed. Write one SELECT ${OVER_THE_VIEWS}.`,
      );
    if (one.opcode === "Variable")
      throw refused("Parameters (?, :name) are not allowed: write the values into the statement.");
    requireFunction(one);
  }
}

/** `Function`, `PureFunc` and the steps of aggregates name their function in p4, as `upper(1)`. */
function requireFunction({ opcode, p4 }: Instruction): void {
  if (!/^(?:Function|PureFunc|Agg)/.test(opcode)) return;
  const name = /^(.*)\(-?\d+\)$/s.exec(p4 ?? "")?.[1] ?? "";
  if (FUNCTIONS.has(name.toLowerCase())) return;
  throw refused(
    `The function ${name === "" ? "of this statement" : name} is not allowed. Text, number, date, JSON, aggregate and window functions are.`,
  );
}
