/**
 * Patterns that see what anybody sends. A pattern with two ways to divide a text takes the square of its length; what may be
 * long is only given to patterns that were looked at, and all others have their length checked first.
 */
import { expect, test } from "bun:test";
import { ROUTE_NAMES, ROUTES } from "../../src/http/routes.ts";
import { SELECTION_PARAMETERS } from "../../src/domain/selection.ts";
import { startTestServer } from "../support/server.ts";

/** Longest text for a pattern that nobody looked at. */
const MAX_LENGTH = 4200;

const LONG = 15_000;
const TEXTS = ["+", "1,", "a", "%20", "%C3%A9", "-", ".", "a%20", "%24", "1%20"].map((part) =>
  part.repeat(Math.floor(LONG / part.length)),
);
const NAMES = [
  ...new Set(
    [
      ...SELECTION_PARAMETERS.map(({ name }) => name),
      ..."q search status page companies t group name own by sort columns unit cursor year who chart format next token".split(
        " ",
      ),
    ].filter((name) => !/_(lte|gt|lt)$/.test(name) && !(name.endsWith("_gte") && !name.startsWith("total"))),
  ),
];

/** Each of them takes time in proportion to the text: one class repeated, or a fixed text. */
const LOOKED_AT: readonly RegExp[] = [
  // Of one class, or begins at one place and ends within a bound.
  /[%+]/,
  /^\?/,
  /\+/g,
  /\s+/y,
  /[,;\n]/y,
  /[^a-z0-9]+/g,
  /^\d{4}$/,
  /^\d{1,4}$/,
  /^[A-Za-z]{3}$/,
  /^[A-Za-z][A-Za-z0-9]$/,
  /^[a-z0-9-]{1,100}$/,
  /^[A-Za-z0-9_-]{1,60}$/,
  /^[^\p{C}[\]"]{0,79}[\p{L}\p{N}][^\p{C}[\]"]{0,79}$/u,
  /^-?\d+(\.\d+)?$/,
  /^(0|-?[1-9]\d*)$/,
  /^\s*([Cc][Ii][Kk])?[0-9]{1,10}\s*$/,
  // The closing bracket ends what may stand before it.
  /^\s*\[.*\]\s*$/s,
  // Over our own pages and documents.
  /[&<>"'\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
  /^# .*\n+/,
  / ?\u25D0/g,
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g,
  /(?=<script src=)/,
  /<script\b/g,
];

test("a long text in an address reaches only patterns that take no longer than the text is", async () => {
  const server = await startTestServer();
  const seen = new Map<string, number>();
  // The built-in one, given back below.
  // oxlint-disable-next-line typescript/unbound-method -- called with the pattern it belongs to
  const { exec } = RegExp.prototype;
  const paths = ROUTE_NAMES.map((name): string => ROUTES[name].path)
    .filter((path) => !path.includes(":") && !path.startsWith("/oauth") && !path.includes("backup"))
    .concat("/t/AAPL", "/t/AAPL/2025/tim-cook", "/c/0000320193", "/t/AAPL/facts", "/nowhere");
  // oxlint-disable-next-line no-extend-native -- only so is every pattern seen that is asked
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const { length } = String(text);
    const from = this.sticky || this.global ? this.lastIndex : 0;
    if (length - from > (seen.get(String(this)) ?? 0)) seen.set(String(this), length - from);
    return exec.call(this, text);
  };
  try {
    for (const [at, path] of paths.entries()) {
      const query = `${NAMES[at % NAMES.length]}=${TEXTS[at % TEXTS.length]}`;
      await server.get(`${path}?${query}`, { headers: { accept: "text/html" } });
    }
    for (const path of [
      "/rankings",
      "/statistics",
      "/ceo-pay",
      "/compare",
      "/search",
      "/coverage",
      "/t/AAPL",
    ])
      for (const [at, name] of NAMES.entries()) {
        const query = `${name}=${TEXTS[at % TEXTS.length]}`;
        await server.get(`${path}?${query}`, { headers: { accept: "text/html" } });
      }
  } finally {
    // oxlint-disable-next-line no-extend-native -- as it was
    RegExp.prototype.exec = exec;
  }
  await server.stop();
  const long = [...seen].filter(([, length]) => length > MAX_LENGTH).map(([pattern]) => pattern);
  const known = new Set(LOOKED_AT.map(String));
  expect(long.filter((pattern) => !known.has(pattern))).toEqual([]);
}, 300_000);
