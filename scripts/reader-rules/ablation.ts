import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { GivenFacts } from "../../src/reader/pipeline.ts";
import type { ParsedFiling } from "../../src/reader/parsed.ts";

const require = createRequire(import.meta.url);
const READER = join(import.meta.dir, "../../src/reader");

/** One lexicon entry and its location. */
export interface Rule {
  readonly lexicon: string;
  readonly at: number;
  readonly means: string;
  readonly pattern: string;
  readonly source: string;
}

/** The reader, with all entries or without one. */
export interface Reader {
  readonly parse: (bytes: Uint8Array, facts?: GivenFacts) => ParsedFiling;
  readonly rules: () => readonly Rule[];
}

/** Builds a reader without one entry, or with all for null; `hit` is called for each entry that matches a text. */
export type MakeReader = (leftOut: Rule | null, hit?: ((rule: string) => void) | null) => Reader;

/** The bundle's exports. */
interface Bundled {
  readonly parseFiling: Reader["parse"];
  readonly LEXICONS: readonly {
    readonly name: string;
    readonly entries: readonly {
      readonly means: string;
      readonly pattern: RegExp;
      readonly source: string;
    }[];
  }[];
}

/**
 * The text of `lexicon/entry.ts` with another `defineLexicon` that refers to two free names: `LEFT_OUT`, the omitted
 * entry as `lexicon#place`, and `HIT`, called with the name of each entry that matches a text, or null. It is called
 * with the name of a lexicon if that lexicon's entries are compiled into other patterns.
 */
export function withLeftOut(source: string): string {
  const changed = source.replace("function defineLexicon<", "function defineWhole<");
  if (changed === source) throw new Error("lexicon/entry.ts has no defineLexicon to leave an entry out of");
  return `${changed}
declare const LEFT_OUT: string | null;
declare const HIT: ((rule: string) => void) | null;
function defineLexicon<Means extends string>(name: string, entries: readonly Entry<Means>[]) {
  const keys = new Map(entries.map((entry, at) => [entry, name + "#" + at]));
  const whole = defineWhole(name, entries.filter((entry) => keys.get(entry) !== LEFT_OUT));
  const hit = HIT;
  if (hit === null) return whole;
  const find: typeof whole.find = (text, ...means) => {
    const found = whole.find(text, ...means);
    if (found !== undefined) hit(keys.get(found) ?? "");
    return found;
  };
  class Recorded extends RegExp {
    override exec(text: string): RegExpExecArray | null {
      const match = super.exec(text);
      if (match !== null)
        for (const [entry, key] of keys) if (new RegExp(entry.pattern.source, this.flags.replace(/[gy]/g, "")).test(match[0])) hit(key);
      return match;
    }
  }
  return {
    name,
    // Code that uses the entries directly builds its own patterns from them; matches of those cannot be observed here.
    get entries() {
      hit(name);
      return whole.entries;
    },
    find,
    has: (text, ...means) => find(text, ...means) !== undefined,
    anyOf: (flags, ...means) => new Recorded(whole.anyOf(flags, ...means).source, flags),
  };
}
`;
}

/**
 * The end of a module next to the lexicons that exports all of them: every export of a file in the folder that has
 * entries.
 */
function lexiconsExported(): string {
  const files = readdirSync(join(READER, "lexicon")).filter((name) => name !== "entry.ts");
  const imports = files.map((name, at) => `import * as lexicon${at} from "./lexicon/${name}";`);
  const modules = files.map((_, at) => `lexicon${at}`).join(", ");
  return `${imports.join("\n")}
export const LEXICONS = [${modules}].flatMap((one) => Object.values(one)).filter((one) => Array.isArray(one.entries));`;
}

/** The name of a rule as `withLeftOut` compares it. */
export function ruleKey(rule: Rule): string {
  return `${rule.lexicon}#${rule.at}`;
}

/**
 * Bundles the reader once. Each call of the returned function runs the bundle again, because patterns are built when
 * modules load.
 */
export async function bundleReader(): Promise<MakeReader> {
  const built = await Bun.build({
    entrypoints: [join(READER, "pipeline.ts")],
    target: "bun",
    format: "cjs",
    plugins: [
      {
        name: "leave one entry out",
        setup(build) {
          build.onLoad({ filter: /src\/reader\/lexicon\/entry\.ts$/ }, async ({ path }) => ({
            contents: withLeftOut(await Bun.file(path).text()),
            loader: "ts",
          }));
          build.onLoad({ filter: /src\/reader\/pipeline\.ts$/ }, async ({ path }) => ({
            contents: `${await Bun.file(path).text()}\n${lexiconsExported()}\n`,
            loader: "ts",
          }));
        },
      },
    ],
  });
  const [output] = built.outputs;
  if (!built.success || output === undefined)
    throw new Error(`cannot bundle the reader: ${built.logs.join("\n")}`);
  const text = (await output.text()).replace(/^\/\/ @bun[^\n]*\n/, "");
  // The bundle is one function expression of CommonJS, or a body that assigns to `module.exports`.
  const body = /^\(function\s*\(exports/.test(text)
    ? `(${text.trim().replace(/;$/, "")})(exports, require, module, "", "");`
    : text;
  const run = new Function("exports", "module", "require", "LEFT_OUT", "HIT", body);
  return (leftOut, hit = null) => {
    const module = { exports: {} };
    run(module.exports, module, require, leftOut === null ? null : ruleKey(leftOut), hit);
    // The bundle's entry point exports these two.
    const { parseFiling, LEXICONS } = module.exports as Bundled;
    const rules = (): Rule[] =>
      LEXICONS.flatMap(({ name, entries }) =>
        entries.map(({ means, pattern, source }, at) => ({
          lexicon: name,
          at,
          means,
          pattern: String(pattern),
          source,
        })),
      );
    return { parse: parseFiling, rules };
  };
}

/**
 * The parts of a result that can be right or wrong: served fields, terms of office, refusals and problems, but not
 * quoted evidence.
 */
export function outcomeOf(parsed: ParsedFiling): string {
  return JSON.stringify([
    parsed.status,
    parsed.reason,
    parsed.problems.map(({ code }) => code).sort(),
    parsed.offices.map((term) => [term.person, term.office, term.from, term.to]),
    parsed.rows.map((row) => [
      row.executive_id,
      row.executive_name,
      row.executive_role,
      row.fiscal_year,
      row.reporting_currency,
      row.periodEnd,
      row.period,
      row.amounts,
      row.placeholder,
      [row.is_peo, row.peoEvidence.kind, row.is_pfo, row.pfoEvidence.kind],
      row.problems.map(({ code }) => code).sort(),
    ]),
  ]);
}
