/**
 * The import table and its bans, as data, and their checker. `bun scripts/layers.ts` prints every violation as
 * `file:line message` and exits 1 if there are any.
 */
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** A part of `src`: a folder, or a file at its top level. */
export type Layer = string;

const SURFACES = ["rest", "mcp", "oauth", "web"];

/**
 * What each part of `src` may import besides itself and packages. Types count like values: a part that needs another's
 * types depends on it. For the exceptions see docs/decisions/import-table.md.
 */
export const IMPORTS: Readonly<Record<Layer, readonly Layer[]>> = readTable(`
  errors         |
  files          | errors
  runtime        |
  threads        |
  lib            | errors
  log            | runtime
  metrics        |
  domain         | lib errors
  config         | domain lib errors
  http           | operations lib domain runtime errors
  charts         | lib domain threads errors
  store          | domain runtime lib errors files
  reader         | domain lib errors
  dataset        | domain lib errors files
  analysis       | dataset domain threads lib errors
  accounts       | store domain runtime lib errors
  shared-store   | store accounts domain runtime lib errors
  operations     | accounts dataset analysis domain runtime lib errors
  ingest         | threads reader dataset domain runtime lib errors files log
  jobs           | config store accounts dataset domain runtime lib errors files log
  rest           | operations accounts domain http runtime lib errors log
  mcp            | operations accounts domain charts lib http errors log
  oauth          | operations accounts domain lib http errors log
  web            | jobs charts operations analysis dataset accounts domain lib http runtime errors log metrics
  server         | jobs charts config http operations shared-store accounts store dataset analysis ingest rest mcp oauth web domain runtime errors files lib log metrics
  cli            | threads jobs server config http ingest reader operations dataset analysis store accounts domain lib runtime errors files log metrics
  main           | cli runtime
`);

function readTable(text: string): Record<Layer, Layer[]> {
  const lines = text.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  return Object.fromEntries(
    lines.filter(([part]) => part !== "").map(([part, may = ""]) => [part, may.split(" ").filter(Boolean)]),
  );
}

/** The order of the parts within a folder of `src`: a file imports from its own part and earlier ones. */
const ORDERS: Readonly<Record<Layer, { parts: readonly string[]; partOf: (name: string) => string }>> = {
  // In pipeline order. Files at the top level come last, except those that all parts share.
  reader: {
    parts:
      "shared lexicon values document officers table/grid table/names table/header table/heading table/cells table/people table/read table/choice table/pages table/rows pipeline".split(
        " ",
      ),
    partOf(name) {
      if (name.includes("/")) return dirname(name);
      return /^(?:parsed-filing|clean-text)\.ts$/.test(name) ? "shared" : "pipeline";
    },
  },
  // What pages are made of, what they share, the pages, and the list of them all.
  web: {
    parts: ["parts", "shared", "pages", "index"],
    partOf(name) {
      if (name === "index.ts") return "index";
      if (!name.includes("/")) return "shared";
      const [folder = ""] = name.split("/");
      return { style: "parts", admin: "pages" }[folder] ?? folder;
    },
  },
};

/** A pattern that the source must not contain, and its scope. */
export interface Ban {
  name: string;
  /** Matched against each line, after comments and the contents of strings are blanked. */
  pattern: RegExp;
  /** Parts of `src` (as in `IMPORTS`) or files to which it applies; all if absent. */
  within?: readonly string[];
  /** Parts of `src` or files that are exempt. */
  except?: readonly string[];
  message: string;
}

/** What is deliberately absent. */
const BANS: readonly Ban[] = [
  {
    name: "clock",
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bprocess\.hrtime\b|\bBun\.nanoseconds\b/,
    except: ["runtime"],
    message: "only src/runtime.ts reads the clock: take `runtime.now()` or `runtime.monotonic()`",
  },
  {
    name: "randomness",
    pattern: /\bMath\.random\b|\brandomUUID(v[57])?\b|\bgetRandomValues\b|\brandomBytes\b|\brandomInt\b/,
    except: ["runtime"],
    message: "only src/runtime.ts is random: take `runtime.id()` or `runtime.secret()`",
  },
  {
    name: "environment",
    pattern: /\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/,
    except: ["config"],
    message: "only src/config/ reads the environment: make it a setting",
  },
  {
    name: "network",
    pattern: /(?<![\w.])fetch\((?!.*\{\s*$)|\bglobalThis\.fetch\b|\bBun\.connect\b(?!\(\{ unix:)/,
    except: ["runtime"],
    message: "the only way out to the network is `runtime.fetch`",
  },
  {
    name: "io in domain",
    pattern: /\bBun\.|\bprocess\.|\bconsole\.|\bsetTimeout\b|\bsetInterval\b|\bsetImmediate\b/,
    within: ["domain", "lib"],
    message: "domain and lib are true without a computer: no I/O, no clock, no randomness",
  },
  {
    name: "http outside surfaces",
    pattern: /\bnew Response\(|\bResponse\.json\(|\bResponse\.redirect\(|\bBun\.serve\(/,
    except: [...SURFACES, "server", "http"],
    message: "only surfaces know HTTP: return a value, or throw a ServiceError",
  },
  {
    name: "full collection",
    pattern: /\bBun\.gc\(\s*true\b/,
    // The last makes a snapshot: in a command, or in a thread of its own.
    except: ["src/analysis/worker.ts", "src/analysis/export/worker.ts", "src/dataset/columns/columns.ts"],
    message:
      "`Bun.gc(true)` blocks every caller until all memory has been scanned: `Bun.gc(false)` runs concurrently",
  },
  {
    name: "async transaction",
    pattern: /\.(transaction|immediate|exclusive|deferred)\(\s*async\b/,
    message:
      "a transaction callback is never async: drizzle's on bun:sqlite is synchronous, an async one does not roll back",
  },
  {
    name: "module state",
    pattern:
      /^(export )?(let|var) |^(export )?const \w+(: [^=]+)? = (new (Map|Set|WeakMap)\b[^(]*\(\)|\[\]|\{\});/,
    // Schemas, by what they were made from.
    except: ["src/lib/validation.ts"],
    message: "no module-level state but constants and schemas: keep it in what compose.ts builds",
  },
  {
    name: "console",
    pattern: /\bconsole\.\w+\(/,
    except: ["main"],
    message: "say it through the log, or through the `io` that a command is given",
  },
  {
    name: "exit",
    pattern: /\bprocess\.(exit|argv|exitCode)\b/,
    except: ["main"],
    message: "only src/main.ts knows argv and the exit code: return it, or throw an OperatorError",
  },
];

/** Packages that only some parts may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  elysia: ["rest", "mcp", "oauth", "web", "server"],
  "@elysiajs/swagger": ["rest", "server"],
  "@modelcontextprotocol/": ["mcp"],
  "drizzle-orm": ["store", "shared-store", "accounts", "dataset", "analysis"],
  // A lock on a file is SQLite's, too.
  "bun:sqlite": ["store", "accounts", "dataset", "analysis", "cli", "files"],
  entities: ["reader"],
  htmlparser2: ["reader"],
};

/** Parts of `src` that must not import any Node or Bun module, except the few pure ones. */
const PURE = {
  layers: ["domain", "errors", "lib"],
  allowed: ["node:util", "node:assert"],
};

/** One violation. */
export interface Breach {
  file: string;
  line: number;
  message: string;
}

/** The part of `src` that a file belongs to: `rest` for `src/rest/index.ts`, `log` for `src/log.ts`. */
export function layerOf(file: string): Layer {
  const [, first = ""] = file.split("/");
  return first.replace(/\.ts$/, "");
}

/**
 * All violations in one file of `src`.
 *
 * @param file path from the top of the repository, with `/`
 */
export function checkFile(file: string, source: string): Breach[] {
  const code = blank(source);
  return [...checkImports(file, source), ...checkBans(file, code), ...checkForm(file, source, code)];
}

/** The modules that a source imports, types included, with their lines. */
export function importsOf(source: string): { module: string; line: number }[] {
  const code = blankComments(source);
  const found = code.matchAll(
    /^(?:import|export)\b[^"';]*?\bfrom\s*"([^"]+)"|^import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"|\brequire\(\s*"([^"]+)"/gm,
  );
  return [...found].map((match) => ({
    module: match[1] ?? match[2] ?? match[3] ?? match[4] ?? "",
    line: lineAt(code, match.index),
  }));
}

function checkImports(file: string, source: string): Breach[] {
  const layer = layerOf(file);
  const allowed = IMPORTS[layer];
  if (allowed === undefined) {
    return [{ file, line: 1, message: `"${layer}" is not in the import table of scripts/layers.ts` }];
  }
  return importsOf(source).flatMap(({ module, line }) => {
    const message = module.startsWith(".")
      ? refuseLocal(file, layer, allowed, module)
      : refusePackage(layer, module);
    return message === undefined ? [] : [{ file, line, message }];
  });
}

function refuseLocal(
  file: string,
  layer: Layer,
  allowed: readonly Layer[],
  module: string,
): string | undefined {
  const target = normalize(join(dirname(file), module)).replaceAll("\\", "/");
  if (target.startsWith("data/")) {
    return file === "src/dataset/embedded.ts"
      ? undefined
      : "nothing but src/dataset/embedded.ts imports from data/";
  }
  if (["package.json", "CHANGELOG.md", "docs/api.md"].includes(target) || target.startsWith("node_modules/"))
    return undefined;
  if (!target.startsWith("src/")) return `src imports nothing from ${target}`;
  const of = layerOf(target);
  if (of === layer) return refuseWithin(file, target, layer);
  if (allowed.includes(of)) return undefined;
  const both = SURFACES.includes(layer) && SURFACES.includes(of);
  return both
    ? `surfaces do not import each other: ${layer} imports ${of}`
    : `${layer} may not import ${of}; it may import ${allowed.join(", ") || "nothing"}`;
}

function refuseWithin(file: string, target: string, layer: Layer): string | undefined {
  const order = ORDERS[layer];
  if (order === undefined) return undefined;
  const [part = "", wanted = ""] = [file, target].map((path) =>
    order.partOf(path.replace(`src/${layer}/`, "")),
  );
  const [at, of] = [order.parts.indexOf(part), order.parts.indexOf(wanted)];
  if (at < 0) return `"${part}" is not in the order of the parts of ${layer} in scripts/layers.ts`;
  return of <= at ? undefined : `${part} comes before ${wanted} in ${layer} and may not import it`;
}

function refusePackage(layer: Layer, module: string): string | undefined {
  if (PURE.layers.includes(layer) && /^(node|bun)(:|$)/.test(module) && !PURE.allowed.includes(module)) {
    return `${layer} is pure: it may not import ${module}`;
  }
  const rule = Object.entries(PACKAGES).find(([name]) =>
    name.endsWith("/") ? module.startsWith(name) : module === name || module.startsWith(`${name}/`),
  );
  if (rule === undefined || rule[1].includes(layer)) return undefined;
  return `${layer} may not import ${module}: it belongs to ${rule[1].join(", ")}`;
}

function checkBans(file: string, code: string): Breach[] {
  const layer = layerOf(file);
  const here = (places: readonly string[]) => places.includes(layer) || places.includes(file);
  const bans = BANS.filter(
    (ban) => (ban.within === undefined || here(ban.within)) && !here(ban.except ?? []),
  );
  return code
    .split("\n")
    .flatMap((text, index) =>
      bans
        .filter((ban) => ban.pattern.test(text))
        .map((ban) => ({ file, line: index + 1, message: `${ban.name}: ${ban.message}` })),
    );
}

/** Rules that apply everywhere: docstrings on what others call, comments on casts. */
function checkForm(file: string, source: string, code: string): Breach[] {
  const lines = source.split("\n");
  return code.split("\n").flatMap((text, index) => {
    const breaches: string[] = [];
    const above = lines.slice(Math.max(0, index - 4), index).map((line) => line.trim());
    const commented = [...above, lines[index] ?? ""].some((line) => /\/\/|\*\/|^\*/.test(line));
    if (/^export (default |async |abstract )*(function|class)\b/.test(text)) {
      const before = above.findLast((line) => !line.startsWith("//")) ?? "";
      const overload = /^export (async )?function/.test(before);
      if (!before.endsWith("*/") && !overload)
        breaches.push("an exported function or class without a docstring");
    }
    if (/oxlint-disable(?![\w-]* [\w/, -]+ -- \w)/.test(lines[index] ?? ""))
      breaches.push("a lint rule switched off without its reason behind --");
    const cast = /(?<!\*)\bas (?!const\b)(unknown as )?[A-Z"'{[(a-z]/.test(text);
    const renaming = /^\s*(import|export|type )|^\s*\w+ as \w+,?\s*(\}.*)?$/.test(text);
    if (cast && !renaming && !commented)
      breaches.push("a cast without a comment that says who guarantees it");
    return breaches.map((message) => ({ file, line: index + 1, message }));
  });
}

/** Docblocks that stand on nothing: neither at the head of a file nor directly above what they describe. */
export function detachedDocblocks(file: string, source: string): Breach[] {
  const blocks = source.matchAll(
    /^[ \t]*\/\*\*(?:(?!\*\/)[^])*\*\/[ \t]*\n(?:[ \t]*\/\/.*\n)*(?<next>.*)$/gm,
  );
  return [...blocks].flatMap(({ index, groups }) => {
    const isDetached = index > 0 && /^[ \t]*(?:$|\/\*|import\b|[})\]])/.test(groups?.["next"] ?? "");
    const message = "a docblock that is not directly above a declaration";
    return isDetached ? [{ file, line: lineAt(source, index), message }] : [];
  });
}

/**
 * Replaces comments and the contents of strings with spaces, so that bans match only code; line numbers stay the same.
 */
function blank(source: string): string {
  const code = blankComments(source).replace(
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g,
    (text) => text.charAt(0) + " ".repeat(text.length - 2) + text.charAt(0),
  );
  return blankTemplates(code);
}

/** The literal parts of templates are text; their `${…}` are code. */
function blankTemplates(code: string): string {
  // Brace depth within the current `${…}`, one level for each enclosing template; -1 means the text of a template.
  const inside: number[] = [];
  let out = "";
  for (let at = 0; at < code.length; at++) {
    const mark = code.charAt(at);
    const depth = inside.at(-1);
    const text = depth === -1;
    if (mark === "`") {
      if (text) inside.pop();
      else inside.push(-1);
    } else if (text && mark === "$" && code.charAt(at + 1) === "{") {
      inside.push(0);
    } else if (text) {
      const escaped = mark === "\\" ? code.charAt(++at) : "";
      out += (mark + escaped).replaceAll(/[^\n]/g, " ");
      continue;
    } else if (depth !== undefined && mark === "{") {
      inside[inside.length - 1] = depth + 1;
    } else if (depth !== undefined && mark === "}") {
      // The brace of `${` itself was counted.
      if (depth <= 1) inside.pop();
      else inside[inside.length - 1] = depth - 1;
    }
    out += mark;
  }
  return out;
}

/** Replaces comments with spaces; line numbers stay the same. */
export function blankComments(source: string): string {
  // Strings and templates are matched first, so that a `//` inside one is not taken for a comment.
  return source.replace(
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\*[^]*?\*\/|\/\/[^\n]*/g,
    (text) => (text.startsWith("/") ? text.replace(/[^\n]/g, " ") : text),
  );
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Checks every file of `src` under a folder, all docblocks, and that the lock file names no registry. */
export function checkTree(root: string): Breach[] {
  const names = [...new Bun.Glob("src/**/*.ts").scanSync(root)].map((f) => f.replaceAll("\\", "/"));
  // What browsers run knows neither our layers nor `runtime.ts`.
  const files = names.filter((file) => !/\.d\.ts$|^src\/web\/browser\//.test(file)).sort();
  const breaches = files.flatMap((file) => checkFile(file, readFileSync(join(root, file), "utf8")));
  for (const file of new Bun.Glob("{src,scripts,test}/**/*.ts").scanSync(root))
    breaches.push(...detachedDocblocks(file, readFileSync(join(root, file), "utf8")));
  const lock = readFileSync(join(root, "bun.lock"), "utf8").split("\n");
  lock.forEach((text, index) => {
    if (/https?:\/\//.test(text)) {
      breaches.push({ file: "bun.lock", line: index + 1, message: "the lock file names a registry host" });
    }
  });
  return breaches;
}

if (import.meta.main) {
  const breaches = checkTree(dirname(import.meta.dir));
  for (const { file, line, message } of breaches) console.error(`${file}:${line} ${message}`);
  console.error(breaches.length === 0 ? "layers: ok" : `layers: ${breaches.length} breaches`);
  process.exit(breaches.length === 0 ? 0 : 1);
}
