/** The effect of a style on text; undefined properties have none. */
export interface TextStyle {
  readonly hidden?: boolean;
  readonly raised?: boolean;
  readonly bold?: boolean;
  readonly white?: boolean;
  readonly shaded?: boolean;
  readonly struck?: boolean;
  /** Its characters are shown from right to left. */
  readonly reversed?: boolean;
  /** Points. */
  readonly size?: number;
}

/** The effect of each class in the document's own style sheet. */
export type ClassStyles = ReadonlyMap<string, TextStyle>;

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
/** Declarations that hide an element; `mso-hide` is Word's. */
const HIDING =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|opacity\s*:\s*0(?:\.0*)?\s*(?:;|!|$)|(?:^|[;\s])color\s*:\s*(?:transparent|rgba\([^()]*,\s*0(?:\.0*)?\s*\))/i;

/** Reads an inline style or the body of a CSS rule. Keeps only what matters for reading a table. */
export function readStyle(css: string): TextStyle {
  const style: { -readonly [K in keyof TextStyle]: TextStyle[K] } = {};
  const isMoved =
    OFF_SCREEN.test(css) && (!PLACED.test(css) || /position\s*:\s*(?:absolute|fixed)/i.test(css));
  const hasNoRoom = NO_ROOM.test(css) && /overflow(?:-[xy])?\s*:\s*hidden/i.test(css);
  if (HIDING.test(css) || isMoved || hasNoRoom) style.hidden = true;
  if (/unicode-bidi\s*:\s*\S*override/i.test(css) && /direction\s*:\s*rtl/i.test(css)) style.reversed = true;
  const align = /vertical-align\s*:\s*([\w.%-]+)/i.exec(css)?.[1]?.toLowerCase() ?? "";
  if (/^(?:super|sub|text-top|\d*\.?[1-9]\d*(?:pt|px|em|%|ex))$/.test(align)) style.raised = true;
  if (/position\s*:\s*relative/i.test(css) && /(?:top\s*:\s*-|bottom\s*:\s*)[.\d]*[1-9]/i.test(css))
    style.raised = true;
  const weight = /font-weight\s*:\s*(\w+)/i.exec(css)?.[1]?.toLowerCase();
  if (weight !== undefined) style.bold = weight === "bold" || weight === "bolder" || Number(weight) >= 600;
  else if (/font\s*:[^;]*\bbold\b/i.test(css)) style.bold = true;
  const size = /font(?:-size)?\s*:[^;]*?(?<![\w.])(\d*\.?\d+)\s*(pt|px|r?em|%|in|pc)/i.exec(css);
  if (size !== null) {
    style.size = Number(size[1]) * (POINTS[size[2]?.toLowerCase() ?? "pt"] ?? 1);
    if (style.size < 0.5) style.hidden = true;
  } else if (/font-size\s*:\s*0(?:\s*;|\s*$)/i.test(css)) style.hidden = true;
  const color = /(?:^|[;\s{])color\s*:\s*([^;]+)/i.exec(css)?.[1]?.trim().toLowerCase();
  if (color !== undefined) style.white = isWhite(color);
  const ground = /background(?:-color)?\s*:\s*([^;]+)/i.exec(css)?.[1]?.trim().toLowerCase();
  if (ground !== undefined && !isWhite(ground) && !/^(?:none|transparent|inherit)/.test(ground))
    style.shaded = true;
  if (/text-decoration[\w-]*\s*:[^;]*line-through/i.test(css)) style.struck = true;
  return style;
}

function isWhite(color: string): boolean {
  return /^(?:white|#?fff(?:fff)?|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))$/i.test(color);
}

/** Points of `<font>` sizes 0 to 7. */
const FONT_SIZES = [6, 7.5, 10, 12, 13.5, 18, 24, 36];

/** The effect of elements on their text, whatever their attributes. */
const ELEMENTS: ReadonlyMap<string, TextStyle> = new Map([
  ...styled({ raised: true }, "sup sub"),
  ...styled({ size: 7 }, "small"),
  ...styled({ bold: true }, "b strong th"),
  ...styled(
    { hidden: true },
    "s strike del ix:header ix:hidden script style title textarea xmp iframe select",
  ),
  ...styled({ hidden: true }, "datalist template noscript noframes canvas audio video dialog"),
]);

function styled(style: TextStyle, tags: string): [string, TextStyle][] {
  return tags.split(" ").map((tag) => [tag, style]);
}

/** The effect of an element on its text, from its name and attributes. */
export function elementStyle(tag: string, attributes: ReadonlyMap<string, string>): TextStyle {
  if (attributes.has("hidden")) return { hidden: true };
  if (tag === "bdo" && attributes.get("dir")?.toLowerCase() === "rtl") return { reversed: true };
  const own = ELEMENTS.get(tag);
  if (own !== undefined) return own;
  const ground = attributes.get("bgcolor");
  if (tag !== "font") return ground !== undefined && !isWhite(ground) ? { shaded: true } : {};
  // parseInt, since Number("") would be 0, the smallest size; without a size the element inherits its parent's.
  const size = FONT_SIZES[Number.parseInt(attributes.get("size") ?? "", 10)];
  const white = isWhite(attributes.get("color") ?? "");
  return { ...(size === undefined ? {} : { size }), ...(white ? { white } : {}) };
}

/** Reads the classes of a style sheet that affect text, from its first 5,000 rules. */
export function readStyleSheet(css: string, into: Map<string, TextStyle>): void {
  let rules = 0;
  const bare = css.replace(/<!--|-->|\/\*[^*/]{0,300}\*\//g, " ");
  for (const rule of bare.matchAll(/([^{}]{1,400})\{([^{}]*)\}/g)) {
    if (++rules > 5000) return;
    const style = readStyle(rule[2] ?? "");
    if (Object.keys(style).length === 0) continue;
    for (const selector of (rule[1] ?? "").split(",")) {
      const name = /^\s*(?:[a-z]\w*)?\.([\w-]+)\s*$/i.exec(selector)?.[1];
      if (name !== undefined) into.set(name, { ...into.get(name), ...style });
    }
  }
}
