import { elementAt } from "../../../lib/checked-access.ts";
import { buildGrid, type Grid, type Located, type Range, type Region, overlap, textCell } from "./grid.ts";
import { isMoneyLike } from "../../values/amounts.ts";
import { readYear } from "../../values/years.ts";
import { decodeReferences, letters, tidy } from "../../clean-text.ts";
import { PAY, mentionsPayAndTotal } from "../../lexicon/column-headers.ts";
import { FISCAL_YEAR } from "../../lexicon/years.ts";
import { COST } from "../../parsed-filing.ts";

const LINES_ABOVE = 16;
const LINES_BELOW = 220;
/** A shorter line ends its paragraph. */
const MIN_FULL_LINE = 60;
/** Lines above a table whose paragraphs may say what it is. */
const LINES_OF_TEXT = 60;
const MAX_CHARACTERS = 30_000_000;
/** No real table is wider; longer lines are cut so that none is slow to read. */
const MAX_COLUMNS = 2_000;

/**
 * Finds fixed-width tables: in `<pre>`, in `<table>` without rows (old text filings), and in documents without markup; `above` are
 * the paragraphs of its block above its header, back to the previous table.
 */
export function* textGrids(located: Located) {
  const { text, work } = located;
  for (const region of textRegions(located)) {
    const source = text.slice(region.start, Math.min(region.end, region.start + MAX_CHARACTERS));
    work.spend(source.length);
    const lines = linesOf(source);
    let done = -1;
    for (const [at, line] of lines.entries()) {
      if (at <= done || !PAY.test(letters(line))) continue;
      work.spend(COST.header);
      const window = tableAround(lines, at);
      if (window === undefined) continue;
      const above = paragraphsAbove(lines.slice(Math.max(done + 1, at - LINES_OF_TEXT), at));
      done = window.to;
      yield { region, grid: gridOfLines(region, lines.slice(window.from, window.to + 1)), above };
    }
  }
}

/** The paragraphs above a header whose first lines are the last of these. */
function paragraphsAbove(lines: readonly string[]): string[] {
  const top = lines.findLastIndex((line) => line.trim() === "");
  return lines
    .slice(0, Math.max(0, top))
    .map((line) => (line.trim().length < MIN_FULL_LINE ? `${line}\n` : line))
    .join("\n")
    .split(/\n\s*\n/)
    .map(tidy)
    .filter((paragraph) => paragraph !== "");
}

/** The grid of a region of either kind; of a preformatted block as a whole, which may continue the table above it. */
export function gridOf(located: Located, region: Region): Grid {
  if (!isTextual(located.text, region)) return buildGrid(located, region);
  const lines = linesOf(located.text.slice(region.start, Math.min(region.end, region.start + 100_000)));
  return gridOfLines(region, lines.slice(0, LINES_BELOW + 1));
}

/** Whether a region is fixed-width text: a `<pre>`, or a `<table>` without rows (old text filings). */
function isTextual(text: string, region: Region): boolean {
  if (region.kind === "text") return true;
  const start = text.slice(region.start, Math.min(region.end, region.start + 3000));
  return region.inner.length === 0 && !/<t[rdh][\s>]/i.test(start) && start.includes("\n");
}

function textRegions({ text, regions: all }: Located): Region[] {
  const regions = all.filter((region) => isTextual(text, region));
  const leaves = regions.filter((region) => !region.inner.some((inner) => regions.includes(inner)));
  if (leaves.length > 0 || /<(?:html|body|div|p|table|font|pre|tr|td)[\s>]/i.test(text)) return leaves;
  return [{ ordinal: 0, kind: "text", start: 0, end: text.length, inner: [], closed: true }];
}

function linesOf(source: string): string[] {
  const bare = decodeReferences(source.replace(/<br\s*\/?>/gi, "\n").replace(/<[^<>]{0,2000}>/g, ""));
  return bare.split(/\r\n?|\n/).map((line) => {
    const visible = line.slice(0, MAX_COLUMNS).replace(/[\u200b-\u200f\u00ad\ufeff]/g, "");
    const spaced = expandTabs(visible.replaceAll("\u00a0", " "));
    return spaced.replace(LEADERS, (dots) => " ".repeat(dots.length)).trimEnd();
  });
}

/** Dots that lead from a name to its amounts; the one after an initial or `Jr` is not one. */
const LEADERS = /(?<=\b(?:jr|sr|[a-z])\.)(?:\s?\.){2,}|(?<!\b(?:jr|sr|[a-z]))(?:\.\s?){2,}/gi;

/** Expands tabs to tab stops every eight characters. */
function expandTabs(line: string): string {
  return line.split("\t").reduce((out, part) => out.padEnd(out.length + 8 - (out.length % 8)) + part);
}

/** Whether a line is running text: words separated by single spaces throughout. */
function isProse(line: string): boolean {
  const bare = line.trim();
  return bare.length > 55 && !/\S\s{3,}\S/.test(bare) && /[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(bare);
}

/** The lines of the table whose column headers are around line `at`; undefined if no rows with years and amounts follow. */
function tableAround(lines: readonly string[], at: number): { from: number; to: number } | undefined {
  if (isProse(elementAt(lines, at))) return undefined;
  let from = at;
  for (let blank = 0; from > 0 && at - from < LINES_ABOVE && blank < 3; from--) {
    const above = elementAt(lines, from - 1);
    if (isProse(above)) break;
    blank = above.trim() === "" ? blank + 1 : 0;
  }
  let to = at;
  let hasData = false;
  for (let prose = 0; to + 1 < lines.length && to - at < LINES_BELOW; to++) {
    const line = elementAt(lines, to + 1);
    const isData = isDataLine(line);
    hasData ||= isData;
    prose = isData ? 0 : prose + Number(isProse(line));
    if (prose >= (hasData ? 2 : 3)) break;
    if (!hasData && to - at > 30) return undefined;
  }
  const headerText = letters(lines.slice(from, at + 12).join(" "));
  return hasData && mentionsPayAndTotal(headerText) ? { from, to } : undefined;
}

function isDataLine(line: string): boolean {
  if (!/\d\d/.test(line) || line.length < 12) return false;
  const pieces = piecesOf(line);
  const year = pieces.findIndex((piece) => readYear(piece.text) !== undefined);
  return year >= 0 && pieces.slice(year + 1).some((piece) => isMoneyLike(tidy(piece.text)));
}

/** A group of words of one line; `touching`: one blank separates it from the next header or amount. */
interface Piece extends Range {
  readonly text: string;
  readonly touching: boolean;
}

function pieceOf(text: string, x0: number, touching = false): Piece {
  return { text, x0, x1: x0 + text.length, touching };
}

function gridOfLines(region: Region, lines: readonly string[]): Grid {
  const pieces = lines.map((line) => (isRule(line) ? [] : piecesOf(line)));
  const rows = cutHeader(lines, pieces).map((row, at) =>
    row.map(({ x0, x1, text, touching }) => ({ ...textCell(at, x0, x1, tidy(text), text), touching })),
  );
  const width = rows.flat().reduce((most, cell) => Math.max(most, cell.x1), 0);
  return { table: region.ordinal, kind: "text", rows, width, cut: null };
}

/** Cuts header lines where columns end: by the rule below the header, else by the header's other lines. */
function cutHeader(lines: readonly string[], rows: readonly (readonly Piece[])[]) {
  const rule = lines.findIndex((line) => isRule(line) && groupsOf(line).length >= 4);
  const end = rule >= 0 ? rule : lines.findIndex(isDataLine);
  // Without a rule, one is drawn below the lines read so far.
  let drawn = rule < 0 ? "" : elementAt(lines, rule);
  const out = [...rows];
  for (let at = end - 1; at >= 0; at--) {
    const row = elementAt(rows, at);
    // A line with one cell is a title over several columns.
    if (row.length < 2) continue;
    const above = rule < 0 ? (rows[at - 1] ?? []) : [];
    const groups = groupsOf(drawn);
    const cut = row.flatMap((piece) => {
      const parts = cutAt(piece, groups);
      return parts.length > 1 ? parts : cutAt(piece, above);
    });
    out[at] = cut;
    for (const { x0, x1 } of rule < 0 ? cut : [])
      drawn = drawn.slice(0, x0).padEnd(x0) + "-".repeat(x1 - x0) + drawn.slice(x1);
  }
  return out;
}

function isRule(line: string): boolean {
  const bare = line.trim();
  return (bare.length >= 3 && /^[-=_\s]+$/.test(bare) && /[-=_]{3}/.test(bare)) || /^<[SC]>/i.test(bare);
}

function groupsOf(line: string): readonly Range[] {
  return [...line.matchAll(/[-=_]+/g)].map(({ 0: rule, index }) => pieceOf(rule, index));
}

/** Splits a line at two or more spaces, and between numbers at one. */
function piecesOf(line: string): Piece[] {
  const out: Piece[] = [];
  for (const match of line.matchAll(/\S+(?: \S+)*/g)) {
    const words = match[0].split(" ");
    if (
      words.filter((word) => /^\$?\(?[\d,]+(?:\.\d+)?\)?$|^[-–—]+(?:0-)?$|^-0-$/.test(word)).length >= 2 &&
      words.every((word) => isMoneyLike(word) || word === "$" || /^\(\d\)$/.test(word))
    ) {
      for (const { 0: text, index } of match[0].matchAll(/(?:\$ )?\S+/g))
        if (text !== "$") out.push(pieceOf(text, match.index + index, true));
    } else out.push(pieceOf(match[0], match.index));
  }
  return out.flatMap(trailingYears);
}

const TRAILING_YEAR = new RegExp(
  `^(?:(.*[a-z.)\\]]\\S*) )?(${FISCAL_YEAR})(?: (\\$? ?[\\d,.—–-]+|\\$))?$`,
  "i",
);

/** Splits off a year that follows a name or title after one space, and an amount that follows a year. */
function trailingYears(piece: Piece): Piece[] {
  const match = readYear(piece.text) === undefined ? TRAILING_YEAR.exec(piece.text) : null;
  if (match === null) return [piece];
  const [, name = "", year = "", amount = ""] = match;
  const yearAt = piece.x0 + (name === "" ? 0 : name.length + 1);
  const parts = [pieceOf(name, piece.x0), pieceOf(year, yearAt), pieceOf(amount, yearAt + year.length + 1)];
  return parts.filter(({ text }) => text !== "");
}

/** Characters between the middle of a word and the column that it heads. */
const MAX_AWAY = 4;

/** Splits a header line at the gaps of the rule below it, unless that would split a word. */
function cutAt(piece: Piece, groups: readonly Range[]): Piece[] {
  const spanned = groups.filter((group) => overlap(group, piece) > 0);
  if (spanned.length < 2) return [piece];
  const words = [...piece.text.matchAll(/\S+/g)].map(({ 0: text, index }) => pieceOf(text, piece.x0 + index));
  const homes = Map.groupBy(words, ({ x0, x1 }) => {
    const middle = (x0 + x1) / 2;
    const away = spanned.map((group) => Math.max(group.x0 - middle, middle - group.x1, 0));
    const least = Math.min(...away);
    return least <= MAX_AWAY ? away.indexOf(least) : -1;
  });
  if (homes.has(-1) || homes.size !== spanned.length) return [piece];
  return [...homes.values()].map((some) =>
    pieceOf(some.map(({ text }) => text).join(" "), some[0]?.x0 ?? piece.x0, true),
  );
}
