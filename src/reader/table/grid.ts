import { Tokenizer } from "htmlparser2";
import { isFootnoteMarker } from "./footnote-markers.ts";
import { MAX_TABLE, type Located, type Region } from "./locate.ts";
import { readStyle, type ClassStyles, type TextStyle } from "../document/styles.ts";
import { tidy } from "../document/text.ts";

/** A line of a cell: what stands between two breaks. */
export interface Line {
  readonly text: string;
  readonly bold: boolean;
  /** The line's stretches of one weight, in order: a name in bold before a title in plain. */
  readonly parts: readonly { readonly text: string; readonly bold: boolean }[];
}

/** One cell of the expanded grid, or one word group of preformatted text. */
export interface Cell {
  readonly row: number;
  readonly rowEnd: number;
  /** First and one past the last grid column; characters in preformatted text. */
  readonly x0: number;
  readonly x1: number;
  /** Visible text without raised footnote markers, lines joined by a blank. */
  readonly text: string;
  readonly lines: readonly Line[];
  /** Visible text, raised marks included. */
  readonly raw: string;
  /** The text of each paragraph, where some are empty: in a cell that stacks years each keeps its line. */
  readonly paragraphs?: readonly string[];
}

/** A table as rows of cells; a cell that spans rows stands in each of them. */
export interface Grid {
  readonly table: number;
  readonly kind: "table" | "text";
  readonly rows: readonly (readonly Cell[])[];
  readonly width: number;
  /** The end of the table was cut off, by the document's end or by our bounds. */
  readonly cut: "document" | "bounds" | null;
}

/** The cells that begin in a row, without the blank ones. */
export function ownCells(row: readonly Cell[] | undefined, at: number): Cell[] {
  return row?.filter((cell) => cell.row === at && cell.text !== "") ?? [];
}

const MAX_ROWS = 4000;
/** The widest real tables have some 3,000 cells, width rows and spacers counted. */
const MAX_CELLS = 20_000;
/** Characters of one cell that are kept. */
const MAX_CELL = 20_000;
const MAX_WIDTH = 600;
const MAX_SPAN = 300;
const PIECE = 65_536;
const MAX_DEPTH = 400;
/** Paragraphs of one cell that are told apart. */
const MAX_PARAGRAPHS = 40;

interface Run {
  text: string;
  raised: boolean;
  bold: boolean;
  white: boolean;
  size: number;
}
interface RawCell {
  colspan: number;
  rowspan: number;
  lines: Run[][];
  /** Innermost paragraphs, each with the line that it begins. */
  paragraphs: { line: number; open: boolean }[];
  shaded: boolean;
  blank: boolean;
}
interface Frame {
  tag: string;
  hidden: boolean;
  raised: boolean;
  bold: boolean;
  white: boolean;
  shaded: boolean;
  size: number;
}

const BLOCKS = new Set("p div li ul ol h1 h2 h3 h4 h5 h6 center blockquote hr dd dt".split(" "));
const VOID = new Set("br hr img input meta link col wbr area base".split(" "));
const FONT_SIZES = [6, 7.5, 10, 12, 13.5, 18, 24, 36];

/** Expands one table into a grid. Anything but tags and text is left out; what is hidden is not there. */
export function buildGrid({ text, styles, work }: Located, region: Region): Grid {
  const end = Math.min(region.end, region.start + MAX_TABLE);
  work.spend(end - region.start);
  const builder = new TableBuilder(text.slice(region.start, end), styles);
  const rows = expand(builder.rows);
  let width = 0;
  for (const row of rows) for (const cell of row) width = Math.max(width, cell.x1);
  const bounded = end < region.end || builder.full;
  return {
    table: region.ordinal,
    kind: "table",
    rows,
    width,
    cut: bounded ? "bounds" : region.closed ? null : "document",
  };
}

class TableBuilder {
  readonly rows: RawCell[][] = [];
  private readonly frames: Frame[] = [];
  private readonly source: string;
  private readonly styles: ClassStyles;
  private row: RawCell[] | null = null;
  private cell: RawCell | null = null;
  private rowHidden = false;
  private rowShaded = false;
  private depth = 0;
  private cells = 0;
  /** Characters written into the cell that is open. */
  private written = 0;
  /** Frames below this one belong to the cell's surroundings. */
  private base = 0;
  private tag = "";
  private readonly attributes = new Map<string, string>();
  private attribute = "";
  /** Inline styles that were read: a document writes the same few over and over. */
  private readonly inline = new Map<string, TextStyle>();
  private value = "";

  constructor(source: string, styles: ClassStyles) {
    this.source = source;
    this.styles = styles;
    const nothing = () => {};
    const tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        onopentagname: (start, stop) => {
          this.tag = this.source.slice(start, stop).toLowerCase();
          this.attributes.clear();
        },
        onattribname: (start, stop) => {
          this.attribute = this.source.slice(start, stop).toLowerCase();
          this.value = "";
        },
        onattribdata: (start, stop) => {
          if (this.value.length < 4000) this.value += this.source.slice(start, stop);
        },
        onattribentity: (code) => {
          this.value += String.fromCodePoint(code);
        },
        onattribend: () => {
          if (!this.attributes.has(this.attribute)) this.attributes.set(this.attribute, this.value);
        },
        onopentagend: () => this.open(false),
        onselfclosingtag: () => this.open(true),
        onclosetag: (start, stop) => this.close(this.source.slice(start, stop).toLowerCase()),
        ontext: (start, stop) => this.write(this.source.slice(start, stop)),
        ontextentity: (code) => this.write(String.fromCodePoint(code)),
        oncdata: nothing,
        oncomment: nothing,
        ondeclaration: nothing,
        onprocessinginstruction: nothing,
        onend: nothing,
      },
    );
    // In pieces, so that a table of a million cells stops costing where it stops being read.
    for (let at = 0; at < source.length && !this.full; at += PIECE)
      tokenizer.write(source.slice(at, at + PIECE));
    tokenizer.end();
    this.endRow();
  }

  /** Whether no more rows or cells are kept. */
  get full(): boolean {
    return this.rows.length >= MAX_ROWS || this.cells >= MAX_CELLS;
  }

  private get top(): Frame | undefined {
    return this.frames.at(-1);
  }

  private frame(tag: string): Frame {
    const parent = this.top;
    const style = this.styleOf();
    const element = elementStyle(tag, this.attributes);
    const size = style.size ?? element.size ?? parent?.size ?? 0;
    const hide = style.hidden ?? element.hidden ?? false;
    return {
      tag,
      hidden: (parent?.hidden ?? false) || hide || style.struck === true,
      raised:
        (parent?.raised ?? false) ||
        (element.raised ?? false) ||
        (style.raised === true && tag !== "td" && tag !== "th" && tag !== "tr"),
      bold: style.bold ?? element.bold ?? parent?.bold ?? false,
      white: style.white ?? element.white ?? parent?.white ?? false,
      shaded: style.shaded === true || element.shaded === true || (parent?.shaded ?? false),
      size,
    };
  }

  private styleOf(): TextStyle {
    const names = this.attributes.get("class");
    const inline = this.attributes.get("style");
    let style: TextStyle = {};
    if (names !== undefined && this.styles.size > 0) {
      for (const name of names.split(/\s+/)) style = { ...style, ...this.styles.get(name) };
    }
    if (inline === undefined) return style;
    const read = this.inline.get(inline) ?? readStyle(inline);
    this.inline.set(inline, read);
    return { ...style, ...read };
  }

  private open(closed: boolean): void {
    const tag = this.tag;
    if (tag === "br") return this.newLine();
    if (tag === "table") return this.openTable();
    if (this.depth <= 1) {
      if (tag === "tr") return this.openRow();
      if (tag === "td" || tag === "th") return this.openCell(tag);
    } else if (tag === "tr") return this.newLine();
    else if (tag === "td" || tag === "th") return this.write(" ");
    if (BLOCKS.has(tag)) this.newLine();
    if (tag === "p" || tag === "div") this.openParagraph();
    if (VOID.has(tag) || (closed && !BLOCKS.has(tag) && tag !== "font" && tag !== "span")) return;
    if (tag === "p") this.closeTo("p");
    if (this.frames.length < MAX_DEPTH) this.frames.push(this.frame(tag));
  }

  /** One that holds another is no paragraph of its own. */
  private openParagraph(): void {
    if (this.cell === null) return;
    const { paragraphs, lines } = this.cell;
    const line = lines.length - 1;
    if (paragraphs.at(-1)?.open === true && paragraphs.at(-1)?.line === line) paragraphs.pop();
    if (paragraphs.length < MAX_PARAGRAPHS) paragraphs.push({ line, open: true });
  }

  private openTable(): void {
    this.depth++;
    if (this.depth === 1) this.frames.push(this.frame("table"));
    else this.newLine();
  }

  private openRow(): void {
    this.endRow();
    const row = this.frame("tr");
    this.rowHidden = row.hidden;
    this.rowShaded = row.shaded;
    this.row = [];
  }

  private openCell(tag: string): void {
    this.endCell();
    if (this.full) return;
    this.row ??= [];
    this.base = this.frames.length;
    const frame = this.frame(tag);
    const hidden =
      this.styleOf().hidden === true &&
      /display\s*:\s*none/i.test(this.attributes.get("style") ?? "display:none");
    frame.shaded ||= this.rowShaded;
    this.frames.push(frame);
    this.written = 0;
    this.cell = {
      colspan: span(this.attributes.get("colspan")),
      rowspan: span(this.attributes.get("rowspan")),
      lines: [[]],
      paragraphs: [],
      shaded: frame.shaded,
      blank: hidden,
    };
  }

  private endCell(): void {
    if (this.cell === null) return;
    if (!this.cell.blank && this.row !== null && this.row.length < MAX_WIDTH && !this.full) {
      this.cells++;
      this.row.push(this.cell);
    }
    this.cell = null;
    this.frames.length = Math.min(this.frames.length, this.base);
  }

  private endRow(): void {
    this.endCell();
    if (this.row !== null && !this.rowHidden && !this.full) this.rows.push(this.row);
    this.row = null;
    this.rowHidden = false;
  }

  private close(tag: string): void {
    if (tag === "table") {
      if (this.depth > 1) this.newLine();
      else this.endRow();
      this.depth = Math.max(0, this.depth - 1);
      return;
    }
    if (this.depth <= 1) {
      if (tag === "tr") return this.endRow();
      if (tag === "td" || tag === "th") return this.endCell();
    }
    if (BLOCKS.has(tag)) this.newLine();
    const paragraph = this.cell?.paragraphs.at(-1);
    if (paragraph !== undefined && (tag === "p" || tag === "div")) paragraph.open = false;
    this.closeTo(tag);
  }

  /** Closes the innermost element of that name inside the cell, if there is one. */
  private closeTo(tag: string): void {
    const floor = this.cell === null ? 1 : this.base + 1;
    for (let at = this.frames.length - 1; at >= floor; at--) {
      if (this.frames[at]?.tag === tag) {
        this.frames.length = at;
        return;
      }
    }
  }

  private newLine(): void {
    const lines = this.cell?.lines;
    if (lines !== undefined && (lines.at(-1)?.length ?? 0) > 0 && lines.length < 400) lines.push([]);
  }

  private write(all: string): void {
    const frame = this.top;
    if (
      this.cell === null ||
      this.written >= MAX_CELL ||
      frame === undefined ||
      frame.hidden ||
      frame.tag === "script" ||
      frame.tag === "style"
    )
      return;
    const line = this.cell.lines.at(-1);
    if (line === undefined) return;
    const text = all.slice(0, MAX_CELL - this.written);
    this.written += text.length;
    const last = line.at(-1);
    if (
      last !== undefined &&
      last.raised === frame.raised &&
      last.bold === frame.bold &&
      last.size === frame.size &&
      last.white === frame.white
    ) {
      last.text += text;
      return;
    }
    line.push({ text, raised: frame.raised, bold: frame.bold, white: frame.white, size: frame.size });
  }
}

function elementStyle(tag: string, attributes: ReadonlyMap<string, string>): TextStyle {
  switch (tag) {
    case "sup":
      return { raised: true };
    case "b":
    case "strong":
    case "th":
      return { bold: true };
    case "s":
    case "strike":
    case "del":
    case "ix:header":
    case "ix:hidden":
    case "script":
    case "style":
      return { hidden: true };
    case "small":
      return { size: 7 };
    case "font": {
      // Without a size the element has its parent's: Number("") would be 0, the smallest.
      const size = FONT_SIZES[Number.parseInt(attributes.get("size") ?? "", 10)];
      const white = /^(?:white|#?fff(?:fff)?)$/i.test(attributes.get("color") ?? "");
      return { ...(size === undefined ? {} : { size }), ...(white ? { white } : {}) };
    }
    default:
      return attributes.has("bgcolor") && !/^(?:white|#?fff(?:fff)?)$/i.test(attributes.get("bgcolor") ?? "")
        ? { shaded: true }
        : {};
  }
}

function span(value: string | undefined): number {
  const count = Number.parseInt(value ?? "1", 10);
  if (count === 0) return MAX_SPAN;
  return Number.isFinite(count) && count > 0 ? Math.min(count, MAX_SPAN) : 1;
}

/** Lays the cells of each row into columns, as a browser does. */
function expand(raw: readonly RawCell[][]): Cell[][] {
  const rows: Cell[][] = raw.map(() => []);
  const taken: number[] = [];
  raw.forEach((cells, row) => {
    let x = 0;
    const place: Cell[] = [];
    for (const source of cells) {
      while ((taken[x] ?? 0) > row) x++;
      if (x >= MAX_WIDTH) break;
      const x1 = Math.min(x + source.colspan, MAX_WIDTH);
      const rowEnd = Math.min(row + source.rowspan, raw.length);
      const cell = finish(source, row, rowEnd, x, x1);
      for (let column = x; column < x1; column++) taken[column] = rowEnd;
      place.push(cell);
      x = x1;
    }
    for (const cell of place) for (let at = row; at < cell.rowEnd; at++) rows[at]?.push(cell);
  });
  for (const row of rows) row.sort((left, right) => left.x0 - right.x0);
  return rows;
}

function finish(source: RawCell, row: number, rowEnd: number, x0: number, x1: number): Cell {
  const runs = source.lines.flat().filter((run) => tidy(run.text) !== "");
  const largest = runs.reduce((most, run) => Math.max(most, run.size), 0);
  const mixed = !source.shaded && runs.some((run) => run.white) && runs.some((run) => !run.white);
  const raw: string[] = [];
  // A line for each line of the source, undefined for those without visible text.
  const all = source.lines.map((line): Line | undefined => {
    const shown = mixed ? line.filter((run) => !run.white) : line;
    const whole = tidy(shown.map((run) => run.text).join(""));
    if (whole === "") return undefined;
    raw.push(whole);
    const kept = shown.filter((run) => {
      const text = tidy(run.text);
      const small = run.size > 0 && largest > 0 && run.size <= largest * 0.75;
      return !((run.raised || small) && text !== "" && isFootnoteMarker(text));
    });
    const text = tidy(kept.map((run) => run.text).join(""));
    const parts = weights(kept);
    return text === "" ? undefined : { text, bold: parts[0]?.bold ?? false, parts };
  });
  const lines = all.filter((line) => line !== undefined);
  const paragraphs = source.paragraphs.length < 2 ? [] : paragraphsOf(source.paragraphs, all);
  return {
    row,
    rowEnd,
    x0,
    x1,
    text: lines.map((line) => line.text).join(" "),
    lines,
    raw: raw.join(" "),
    ...(paragraphs.includes("") ? { paragraphs } : {}),
  };
}

function paragraphsOf(begins: RawCell["paragraphs"], lines: readonly (Line | undefined)[]): string[] {
  return begins.map(({ line }, index) =>
    lines
      .slice(line, begins[index + 1]?.line)
      .map((one) => one?.text ?? "")
      .join(" ")
      .trim(),
  );
}

function weights(runs: readonly Run[]): { text: string; bold: boolean }[] {
  const parts: { text: string; bold: boolean }[] = [];
  for (const run of runs) {
    if (tidy(run.text) === "" && parts.length === 0) continue;
    const last = parts.at(-1);
    if (last !== undefined && (last.bold === run.bold || tidy(run.text) === "")) last.text += run.text;
    else parts.push({ text: run.text, bold: run.bold });
  }
  return parts.map((part) => ({ text: tidy(part.text), bold: part.bold })).filter((part) => part.text !== "");
}
