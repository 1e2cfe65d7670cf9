import { random, type Random } from "./layouts/random.ts";

/**
 * Damages a document in one to four ways; the same seed does the same damage. The damage is named for failure messages.
 */
export function mutate(text: string, seed: number): { text: string; damage: string[] } {
  const r = random(seed);
  const damage: string[] = [];
  let out = text;
  for (let times = r.int(1, 4); times > 0; times--) {
    const kind = r.pick(KINDS);
    damage.push(kind.name);
    out = kind.apply(out, r);
  }
  return { text: out, damage };
}

interface Damage {
  readonly name: string;
  readonly apply: (text: string, r: Random) => string;
}

const MARKS = [
  "<",
  ">",
  "</td>",
  "<table>",
  "</table>",
  "<tr>",
  "\0",
  "&",
  "&#x",
  "&#99999999;",
  '"',
  "<!--",
  "]]>",
  "<pre>",
  "</pre>",
  "$",
  ")",
  "(",
  "—",
  "\u200b",
  "\ufffd",
  "<td rowspan=99999>",
  "<td colspan=99999>",
  '<div style="display:none">',
  "<sup>",
  "<script>",
  "<textarea>",
  "<plaintext>",
];

/** A range that is as often tiny as long. */
function stretch(text: string, r: Random): [number, number] {
  const start = r.int(0, Math.max(0, text.length - 1));
  return [start, Math.min(text.length, start + 2 ** r.int(0, 13))];
}

/** Removes, or repeats, about every n-th match. */
function some(text: string, r: Random, pattern: RegExp, replace: (match: string) => string): string {
  const every = r.int(1, 30);
  let count = r.int(0, every);
  return text.replace(pattern, (match) => (count++ % every === 0 ? replace(match) : match));
}

const KINDS: readonly Damage[] = [
  {
    name: "cut out",
    apply: (text, r) => {
      const [a, b] = stretch(text, r);
      return text.slice(0, a) + text.slice(b);
    },
  },
  {
    name: "doubled",
    apply: (text, r) => {
      const [a, b] = stretch(text, r);
      return text.slice(0, b) + text.slice(a);
    },
  },
  { name: "truncated", apply: (text, r) => text.slice(0, r.int(0, text.length)) },
  { name: "beheaded", apply: (text, r) => text.slice(r.int(0, text.length)) },
  {
    name: "moved",
    apply: (text, r) => {
      const [a, b] = stretch(text, r);
      const to = r.int(0, a);
      return text.slice(0, to) + text.slice(a, b) + text.slice(to, a) + text.slice(b);
    },
  },
  {
    name: "mark put in",
    apply: (text, r) => {
      const at = r.int(0, text.length);
      return text.slice(0, at) + r.pick(MARKS) + text.slice(at);
    },
  },
  {
    name: "end tags lost",
    apply: (text, r) => some(text, r, /<\/(?:td|tr|table|div|span|p|font)>/gi, () => ""),
  },
  { name: "start tags lost", apply: (text, r) => some(text, r, /<(?:td|tr|table|div)\b[^>]*>/gi, () => "") },
  {
    name: "spans changed",
    apply: (text, r) =>
      some(
        text,
        r,
        /(?:col|row)span="?\d+"?/gi,
        () => `${r.pick(["colspan", "rowspan"])}="${r.pick([0, 1, 2, 3, 7, 65535, -1, 1_000_000])}"`,
      ),
  },
  {
    name: "cells doubled",
    apply: (text, r) => some(text, r, /<td\b[^>]*>[^<]*<\/td>/gi, (cell) => cell + cell),
  },
  { name: "rows doubled", apply: (text, r) => some(text, r, /<tr\b[\s\S]*?<\/tr>/gi, (row) => row + row) },
  { name: "digits lost", apply: (text, r) => some(text, r, /\d/g, () => "") },
  {
    name: "digits to letters",
    apply: (text, r) => some(text, r, /\d/g, () => r.pick(["O", "l", "?", "٣", " "])),
  },
  {
    name: "table in table",
    apply: (text, r) => some(text, r, /<td\b[^>]*>/gi, (cell) => `${cell}<table><tr><td>`),
  },
  {
    name: "bytes noised",
    apply: (text, r) => some(text, r, /[\s\S]/g, () => String.fromCharCode(r.int(0, 255))),
  },
  { name: "hidden", apply: (text, r) => some(text, r, /<td\b/gi, () => "<td style='display:none'") },
];
