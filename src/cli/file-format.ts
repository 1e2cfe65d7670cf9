/** The format of a file that a command writes: as asked for, otherwise as its ending says. */
import { extname } from "node:path";
import { type Command, UsageError } from "./command.ts";

/** The endings of files by format. A file that ends in `.txt`, or in nothing, may have any format. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  csv: ["csv"],
  json: ["json"],
  jsonl: ["jsonl", "ndjson"],
  md: ["md", "markdown"],
  parquet: ["parquet"],
  xlsx: ["xlsx"],
  sqlite: ["sqlite", "db"],
  "sqlite-views": ["sqlite", "db"],
};

/** ` For xlsx: execcomp data export.`: the commands with a format that another one does not have. */
export function elsewhere(format: string): string {
  const where = ELSEWHERE[format];
  return where === undefined ? "" : ` For ${format}: ${where}.`;
}

const ELSEWHERE: Readonly<Record<string, string>> = {
  parquet: "execcomp sql, or execcomp data export",
  xlsx: "execcomp data export",
  sqlite: "execcomp data export",
};

/**
 * The format in which a command writes a file; undefined for the command's own default.
 *
 * @param out as given with `--out`
 * @param given the format that was asked for, and whether on this command line: other places only set a default
 * @throws UsageError if an ending says another format than `--format`, or one that the command does not have
 */
export function formatOfFile(
  { name, flags }: Command,
  out: string | undefined,
  given: { text: string; origin: string } | undefined,
): string | undefined {
  const choices = flags["format"]?.choices ?? [];
  const ending = extname(out ?? "").slice(1);
  if (out === undefined || out === "-" || ending === "" || /^txt$/i.test(ending)) return given?.text;
  const named = Object.keys(ENDINGS).filter((format) => ENDINGS[format]?.includes(ending.toLowerCase()));
  const isAsked = given?.origin === "flag";
  // A format that the command does not have is refused with its choices.
  if (isAsked && choices.includes(given.text) && named.length > 0 && !named.includes(given.text))
    throw new UsageError(
      `--format ${given.text} contradicts --out ${out}, which ends in .${ending}. Leave out --format, or change the ending.`,
    );
  if (isAsked) return given.text;
  const found = named.find((format) => choices.includes(format));
  if (found !== undefined || (named.length === 0 && given !== undefined)) return found ?? given?.text;
  const endings = choices.flatMap((format) => ENDINGS[format]?.slice(0, 1) ?? []);
  throw new UsageError(
    `"${name}" writes no .${ending} file: --out takes ${[...new Set(endings)].map((one) => `.${one}`).join(", ")}, and any ending with --format.${elsewhere(named[0] ?? "")}`,
  );
}
