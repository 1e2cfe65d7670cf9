/** Reads the markup of one table into rows of cells. */
import { Tokenizer } from "htmlparser2";
import { elementStyle, readStyle, type ClassStyles, type TextStyle } from "../../document/styles.ts";

const MAX_ROWS = 4000;
/** The largest real tables have some 3,000 cells, spacers included. */
const MAX_CELLS = 20_000;
/** Characters of one cell that are kept. */
const MAX_CELL = 20_000;
/** Columns of the widest grid that is kept. */
export const MAX_WIDTH = 600;
const MAX_SPAN = 300;
const PIECE = 65_536;
const MAX_DEPTH = 400;
/** Paragraphs of one cell that are kept. */
const MAX_PARAGRAPHS = 40;

interface TextLook {
  raised: boolean;
  bold: boolean;
  white: boolean;
  /** Points; 0 if unknown. */
  size: number;
}
export interface Run extends TextLook {
  text: string;
}
/** A cell as in the markup, before its spans are laid out. */
export interface RawCell {
  colspan: number;
  rowspan: number;
  lines: Run[][];
  /** Innermost paragraphs, each with its first line. */
  paragraphs: { line: number; open: boolean }[];
  shaded: boolean;
  blank: boolean;
}
interface Frame extends TextLook {
  tag: string;
  hidden: boolean;
  reversed: boolean;
  shaded: boolean;
}

const BLOCKS = new Set("p div li ul ol h1 h2 h3 h4 h5 h6 center blockquote hr dd dt".split(" "));
const ROW_GROUPS = new Set(["thead", "tbody", "tfoot"]);
const VOID = new Set("br hr img input meta link col wbr area base".split(" "));

/** Collects rows of visible text while the markup is tokenized. */
export class TableBuilder {
  readonly rows: RawCell[][] = [];
  /** First rows of row groups (`<tbody>`); no cell spans beyond its group. */
  readonly groups: number[] = [];
  private readonly frames: Frame[] = [];
  private readonly source: string;
  private readonly styles: ClassStyles;
  private row: RawCell[] | null = null;
  private cell: RawCell | null = null;
  private rowHidden = false;
  private rowShaded = false;
  private depth = 0;
  private cells = 0;
  /** Characters written into the open cell. */
  private written = 0;
  /** Frames below this one are outside the cell. */
  private base = 0;
  private tag = "";
  private readonly attributes = new Map<string, string>();
  private attribute = "";
  /** Inline styles already read; a document repeats the same few. */
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
    // In pieces, so that tokenizing stops when the limits are reached.
    for (let at = 0; at < source.length && !this.full; at += PIECE)
      tokenizer.write(source.slice(at, at + PIECE));
    tokenizer.end();
    this.endRow();
  }

  /** Whether a limit on rows or cells is reached. */
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
      reversed: (parent?.reversed ?? false) || style.reversed === true || element.reversed === true,
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
    if (tag === "table") {
      this.depth++;
      if (this.depth > 1) this.newLine();
      else this.frames.push(this.frame("table"));
      return;
    }
    if (this.depth <= 1) {
      if (tag === "tr") return this.openRow();
      if (tag === "td" || tag === "th") return this.openCell(tag);
      if (ROW_GROUPS.has(tag)) {
        this.endRow();
        this.groups.push(this.rows.length);
      }
    } else if (tag === "tr") return this.newLine();
    else if (tag === "td" || tag === "th") return this.write(" ");
    if (BLOCKS.has(tag)) this.newLine();
    if (tag === "p" || tag === "div") this.openParagraph();
    if (VOID.has(tag) || (closed && !BLOCKS.has(tag) && tag !== "font" && tag !== "span")) return;
    if (tag === "p") this.closeTo("p");
    if (this.frames.length < MAX_DEPTH) this.frames.push(this.frame(tag));
  }

  /** Opens a paragraph. One that directly contains another does not count. */
  private openParagraph(): void {
    if (this.cell === null) return;
    const { paragraphs, lines } = this.cell;
    const line = lines.length - 1;
    if (paragraphs.at(-1)?.open === true && paragraphs.at(-1)?.line === line) paragraphs.pop();
    if (paragraphs.length < MAX_PARAGRAPHS) paragraphs.push({ line, open: true });
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
      this.attributes.has("hidden") ||
      (this.styleOf().hidden === true &&
        /display\s*:\s*none/i.test(this.attributes.get("style") ?? "display:none"));
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

  /** Closes the innermost element with this name inside the cell, if any. */
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
    const line = this.cell?.lines.at(-1);
    if (line === undefined || frame === undefined || frame.hidden || this.written >= MAX_CELL) return;
    const shown = all.slice(0, MAX_CELL - this.written);
    this.written += shown.length;
    // As if the text itself asked for it.
    const text = frame.reversed ? `\u202e${shown}` : shown;
    const { raised, bold, white, size } = frame;
    const last = line.at(-1);
    const sameStyle =
      last?.raised === raised && last.bold === bold && last.size === size && last.white === white;
    if (sameStyle) last.text += text;
    else line.push({ text, raised, bold, white, size });
  }
}

function span(value: string | undefined): number {
  const count = Number.parseInt(value ?? "1", 10);
  if (count === 0) return MAX_SPAN;
  return Number.isFinite(count) && count > 0 ? Math.min(count, MAX_SPAN) : 1;
}
