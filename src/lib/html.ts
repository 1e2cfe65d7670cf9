/** HTML text, inserted without escaping. */
export class Html {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

/** A value in an `html` template. */
export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters, which terminals interpret, and those that change the direction of surrounding text. */
const UNSEEN = String.raw`\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const ESCAPED = new RegExp(`[&<>"'${UNSEEN}]`, "g");

/** Template tag: escapes every value except `Html`, joins lists, and omits null, undefined and false. */
export function html(strings: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  let out = strings[0] ?? "";
  parts.forEach((part, index) => {
    out += render(part) + (strings[index + 1] ?? "");
  });
  return new Html(out);
}

function render(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(render).join("");
  // For element content and quoted attributes, without invisible characters.
  return String(part).replace(ESCAPED, (mark) => ENTITIES[mark] ?? "");
}
