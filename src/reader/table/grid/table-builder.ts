/** Reads the markup of one table into rows of cells, and the styles that decide which parts are visible. */
import { Tokenizer } from "htmlparser2";

/** How text looks, or the effect of a style on it; undefined properties have none. */
export interface TextStyle {
  readonly hidden?: boolean;
  /** Hidden without a place of its own. */
  readonly gone?: boolean;
  readonly raised?: boolean;
  readonly bold?: boolean;
  readonly white?: boolean;
  readonly shaded?: boolean;
  /** Its characters are shown from right to left. */
  readonly reversed?: boolean;
  /** Points. */
  readonly size?: number;
}

/** The effect of each class in the document's own style sheet. */
export type ClassStyles = ReadonlyMap<string, TextStyle>;

/** Points of a unit of size; relative ones as in text of ten points. */
const POINTS: Readonly<Record<string, number>> = {
  pt: 1,
  px: 0.75,
  em: 10,
  rem: 10,
  "%": 0.1,
  in: 72,
  pc: 12,
};

/** Declarations that move an element off the screen or leave it no room. */
const OFF_SCREEN =
  /(?:^|[;\s])(?:left|right|top|bottom)\s*:\s*-\d{3,}|text-indent\s*:\s*-\d{4,}|clip\s*:\s*rect\(\s*[01](?:px)?[\s,]|clip-path\s*:\s*inset\((?:50|100)%/i;
const PLACED = /(?:left|right|top|bottom)\s*:/i;
const NO_ROOM = /(?:^|[;\s])(?:max-)?(?:height|width)\s*:\s*0(?:px|pt|em)?\s*(?:;|!|$)/i;
/** Declarations that hide an element or exclude its text; `mso-hide` is Word's. */
const HIDING =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|opacity\s*:\s*0(?:\.0*)?\s*(?:;|!|$)|(?:^|[;\s])color\s*:\s*(?:transparent|rgba\([^()]*,\s*0(?:\.0*)?\s*\))|font-size\s*:\s*0\s*(?:;|$)|text-decoration[\w-]*\s*:[^;]*line-through/i;

/** Reads an inline style or the body of a CSS rule. Keeps only what matters for reading a table. */
function readStyle(css: string): TextStyle {
  const style: { -readonly [K in keyof TextStyle]: TextStyle[K] } = {};
  const valueOf = (property: RegExp): string | undefined => property.exec(css)?.[1]?.trim().toLowerCase();
  const isMoved =
    OFF_SCREEN.test(css) && (!PLACED.test(css) || /position\s*:\s*(?:absolute|fixed)/i.test(css));
  const hasNoRoom = NO_ROOM.test(css) && /overflow(?:-[xy])?\s*:\s*hidden/i.test(css);
  if (HIDING.test(css) || isMoved || hasNoRoom) style.hidden = true;
  if (/display\s*:\s*none/i.test(css)) style.gone = true;
  if (/unicode-bidi\s*:\s*\S*override/i.test(css) && /direction\s*:\s*rtl/i.test(css)) style.reversed = true;
  const align = valueOf(/vertical-align\s*:\s*([\w.%-]+)/i) ?? "";
  const isLifted =
    /position\s*:\s*relative/i.test(css) && /(?:top\s*:\s*-|bottom\s*:\s*)[.\d]*[1-9]/i.test(css);
  if (isLifted || /^(?:super|sub|text-top|\d*\.?[1-9]\d*(?:pt|px|em|%|ex))$/.test(align)) style.raised = true;
  const weight = valueOf(/font-weight\s*:\s*(\w+)/i);
  if (weight !== undefined) style.bold = weight === "bold" || weight === "bolder" || Number(weight) >= 600;
  else if (/font\s*:[^;]*\bbold\b/i.test(css)) style.bold = true;
  const size = /font(?:-size)?\s*:[^;]*?(?<![\w.])(\d*\.?\d+)\s*(pt|px|r?em|%|in|pc)/i.exec(css);
  if (size !== null) style.size = Number(size[1]) * (POINTS[size[2]?.toLowerCase() ?? "pt"] ?? 1);
  if (style.size !== undefined && style.size < 0.5) style.hidden = true;
  const color = valueOf(/(?:^|[;\s{])color\s*:\s*([^;]+)/i);
  if (color !== undefined) style.white = isWhite(color);
  const ground = valueOf(/background(?:-color)?\s*:\s*([^;]+)/i) ?? "none";
  if (!isWhite(ground) && !/^(?:none|transparent|inherit)/.test(ground)) style.shaded = true;
  return style;
}

function isWhite(color: string): boolean {
  return /^(?:white|#?fff(?:fff)?|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))$/i.test(color);
}

/** Points of `<font>` sizes 0 to 7. */
const FONT_SIZES = [6, 7.5, 10, 12, 13.5, 18, 24, 36];

/** Elements whose content no browser shows, as alternatives of a pattern. */
export const UNSEEN = "template|noscript|title|textarea|xmp|iframe|select|noframes";
const HIDDEN_TAG = new RegExp(
  `^(?:s|strike|del|ix:header|ix:hidden|script|style|datalist|canvas|audio|video|dialog|${UNSEEN})$`,
);

/** The effect of an element on its text, from its name and attributes. */
function elementStyle(tag: string, attributes: ReadonlyMap<string, string>): TextStyle {
  if (attributes.has("hidden")) return { hidden: true, gone: true };
  if (HIDDEN_TAG.test(tag)) return { hidden: true };
  if (tag === "bdo" && attributes.get("dir")?.toLowerCase() === "rtl") return { reversed: true };
  if (tag === "sup" || tag === "sub") return { raised: true };
  if (tag === "small") return { size: 7 };
  if (tag === "b" || tag === "strong" || tag === "th") return { bold: true };
  const ground = attributes.get("bgcolor");
  if (tag !== "font") return ground !== undefined && !isWhite(ground) ? { shaded: true } : {};
  // parseInt, since Number("") would be 0, the smallest size; without a size the element inherits its parent's.
  const size = FONT_SIZES[Number.parseInt(attributes.get("size") ?? "", 10)];
  const white = isWhite(attributes.get("color") ?? "");
  return { ...(size === undefined ? {} : { size }), ...(white ? { white } : {}) };
}

/** Reads the classes of a style sheet that affect text, from its first 5,000 rules. */
export function readStyleSheet(css: string, into: Map<string, TextStyle>): void {
  const bare = css.replace(/<!--|-->|\/\*[^*/]{0,300}\*\//g, " ");
  const rules = bare.matchAll(/([^{}]{1,400})\{([^{}]*)\}/g).take(5000);
  for (const [, selectors = "", declarations = ""] of rules) {
    const style = readStyle(declarations);
    if (Object.keys(style).length === 0) continue;
    for (const selector of selectors.split(",")) {
      const name = /^\s*(?:[a-z]\w*)?\.([\w-]+)\s*$/i.exec(selector)?.[1];
      if (name !== undefined) into.set(name, { ...into.get(name), ...style });
    }
  }
}

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

/** Text that looks the same throughout; its size is 0 if unknown. */
export interface Run extends Required<Pick<TextStyle, "raised" | "bold" | "white" | "size">> {
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
/** An open element. */
type Frame = TextStyle & { readonly tag: string };

/** Outside all elements. */
const ROOT: Frame = { tag: "" };
const BLOCKS = new Set("p div li ul ol h1 h2 h3 h4 h5 h6 center blockquote hr dd dt".split(" "));
const ROW_GROUPS = new Set(["thead", "tbody", "tfoot"]);
const VOID = new Set("br hr img input meta link col wbr area base".split(" "));

/** Collects rows of visible text while the markup is tokenized. */
export class TableBuilder {
  readonly rows: RawCell[][] = [];
  /** First rows of row groups (`<tbody>`); no cell spans beyond its group. */
  readonly groups: number[] = [];
  private readonly frames: Frame[] = [];
  private row: RawCell[] | null = null;
  private cell: RawCell | null = null;
  private rowLook: TextStyle = ROOT;
  private depth = 0;
  private cells = 0;
  /** Characters written into the open cell. */
  private written = 0;
  /** Frames below this one are outside the cell. */
  private base = 0;
  private readonly attributes = new Map<string, string>();
  /** Inline styles already read; a document repeats the same few. */
  private readonly inline = new Map<string, TextStyle>();

  constructor(
    source: string,
    private readonly styles: ClassStyles,
  ) {
    const nothing = () => {};
    const nameOf = (start: number, stop: number) => source.slice(start, stop).toLowerCase();
    let [tag, attribute, value] = ["", "", ""];
    const tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        onopentagname: (start, stop) => {
          tag = nameOf(start, stop);
          this.attributes.clear();
        },
        onattribname: (start, stop) => {
          attribute = nameOf(start, stop);
          value = "";
        },
        onattribdata: (start, stop) => {
          if (value.length < 4000) value += source.slice(start, stop);
        },
        onattribentity: (code) => {
          value += String.fromCodePoint(code);
        },
        onattribend: () => {
          this.attributes.getOrInsert(attribute, value);
        },
        onopentagend: () => this.open(tag, false),
        onselfclosingtag: () => this.open(tag, true),
        onclosetag: (start, stop) => this.close(nameOf(start, stop)),
        ontext: (start, stop) => this.write(source.slice(start, stop)),
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

  private get top(): Frame {
    return this.frames.at(-1) ?? ROOT;
  }

  private frame(tag: string): Frame {
    const style = this.styleOf();
    const frame = { ...this.top, ...elementStyle(tag, this.attributes), ...style, tag };
    // A cell's vertical alignment raises no text.
    return style.raised === true && /^t[dhr]$/.test(tag)
      ? { ...frame, raised: this.top.raised === true }
      : frame;
  }

  private styleOf(): TextStyle {
    const names = this.attributes.get("class");
    const css = this.attributes.get("style");
    const inline = css === undefined ? {} : this.inline.getOrInsertComputed(css, readStyle);
    if (names === undefined || this.styles.size === 0) return inline;
    return Object.assign({}, ...names.split(/\s+/).map((name) => this.styles.get(name)), inline);
  }

  private open(tag: string, closed: boolean): void {
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
    const last = paragraphs.at(-1);
    if (last?.open === true && last.line === line) paragraphs.pop();
    if (paragraphs.length < MAX_PARAGRAPHS) paragraphs.push({ line, open: true });
  }

  private openRow(): void {
    this.endRow();
    this.rowLook = this.frame("tr");
    this.row = [];
  }

  private openCell(tag: string): void {
    this.endCell();
    if (this.full) return;
    this.row ??= [];
    this.base = this.frames.length;
    const own = this.frame(tag);
    const shaded = own.shaded === true || this.rowLook.shaded === true;
    this.frames.push({ ...own, shaded });
    this.written = 0;
    this.cell = {
      colspan: span(this.attributes.get("colspan")),
      rowspan: span(this.attributes.get("rowspan")),
      lines: [[]],
      paragraphs: [],
      shaded,
      // A cell that is only invisible keeps its place.
      blank: own.gone === true,
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
    if (this.row !== null && this.rowLook.hidden !== true && !this.full) this.rows.push(this.row);
    this.row = null;
    this.rowLook = ROOT;
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
    const at = this.frames.findLastIndex((frame) => frame.tag === tag);
    if (at > (this.cell === null ? 0 : this.base)) this.frames.length = at;
  }

  private newLine(): void {
    const lines = this.cell?.lines;
    if (lines !== undefined && (lines.at(-1)?.length ?? 0) > 0 && lines.length < 400) lines.push([]);
  }

  private write(all: string): void {
    const { hidden, reversed, raised = false, bold = false, white = false, size = 0 } = this.top;
    const line = this.cell?.lines.at(-1);
    if (line === undefined || hidden === true || this.written >= MAX_CELL) return;
    const shown = all.slice(0, MAX_CELL - this.written);
    this.written += shown.length;
    // As if the text itself had the style.
    const text = reversed === true ? `\u202e${shown}` : shown;
    const last = line.at(-1);
    if (last?.raised === raised && last.bold === bold && last.size === size && last.white === white)
      last.text += text;
    else line.push({ text, raised, bold, white, size });
  }
}

/** Rows or columns that a cell spans; 0 means all that follow. */
function span(value = "1"): number {
  const count = Number.parseInt(value, 10);
  if (count === 0) return MAX_SPAN;
  return count > 0 ? Math.min(count, MAX_SPAN) : 1;
}
