/**
 * Writes the tables of `docs/` that are generated from code (settings, refusals, columns) and the
 * examples of the API reference.
 *
 *     bun scripts/docs.ts            writes them between their markers
 *     bun scripts/docs.ts --check    writes nothing, exits 1 if one is stale or a link or citation leads nowhere
 *
 * A marker is `<!-- generated: NAME -->`, its end `<!-- end -->`; never edit the text between them by hand.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { flagOf, SETTING_NAMES, SETTINGS, variableOf } from "../src/config/settings.ts";
import type { FieldKind } from "../src/domain/row-fields.ts";
import { numeral } from "../src/lib/text.ts";
import { PROBLEMS } from "../src/reader/parsed-filing.ts";
import { EXECUCOMP_COLUMNS } from "../src/analysis/export/columns.ts";
import { DATASET_PROBLEMS } from "../src/dataset/remarks.ts";
import { VIEWS } from "../src/analysis/sql/views.ts";
import type { RefusalKind } from "../src/errors.ts";
import { envelope, STATUS } from "../src/http/refusals.ts";
import { readCoverage } from "../src/dataset/coverage.ts";
import { readCeoPay } from "../src/dataset/ceo-pay-records.ts";
import { openEmbedded } from "../src/dataset/embedded.ts";
import { datasetOf } from "../src/dataset/read-snapshot.ts";
import { answeredExamples } from "../test/support/examples.ts";
import { checkLinks } from "./links.ts";

const ROOT = dirname(import.meta.dir);

/** What callers read about each kind of refusal; a new kind does not compile until it has a text. */
const REFUSALS: Readonly<Record<RefusalKind, { when: string; next: string }>> = {
  invalid_parameter: {
    when: "A parameter is missing, unknown, repeated or out of bounds; `ticker` and `cik` name different companies.",
    next: "Fix the parameter that the message names.",
  },
  two_credentials: {
    when: "MCP: both `Authorization: Bearer` and `X-API-KEY` were sent.",
    next: "Send exactly one of them.",
  },
  unauthenticated: {
    when: "The credential is missing, unknown, revoked or expired; the response is the same for the last three.",
    next: "Send `X-API-KEY` with a key from the developer page, or sign in again.",
  },
  payment_required: {
    when: "The answer costs more credits than the user has.",
    next: "Request only the latest year, which is free by default, or see `purchase.status` and `purchase.url`.",
  },
  forbidden: {
    when: "The server does not answer for this `Host` or `Origin`, or the user lacks permission.",
    next: "Use the published address.",
  },
  insufficient_scope: {
    when: "The access token lacks the scope `executive-compensation:read`.",
    next: "Authorize again with that scope.",
  },
  unknown_company: {
    when: "No such ticker or CIK, or no rows are available for the company; the message says which.",
    next: "Look up the symbol in the list of tickers.",
  },
  conflict: {
    when: "Pages only: what the form was made from has changed since.",
    next: "Look at the present state, which the page shows, and send the form again.",
  },
  stale_cursor: {
    when: "The cursor belongs to a dataset that is no longer in use.",
    next: "Request the first page again, without a cursor; the message names the edition to continue from.",
  },
  no_route: {
    when: "There is no such address.",
    next: "See the OpenAPI document at `/api/openapi.json`.",
  },
  wrong_method: {
    when: "The address does not support this method.",
    next: "Use a method from the `Allow` header.",
  },
  too_large: { when: "The body is too large.", next: "Send a smaller body." },
  slow_body: {
    when: "The body did not arrive within ten seconds, or too many were awaited from the address.",
    next: "Send the body with its head.",
  },
  unsupported_media: {
    when: "The content type of the body is not supported.",
    next: "Use the documented content type.",
  },
  rate_limited: {
    when: "The rate limit of the address, key or token is used up.",
    next: "Wait for `Retry-After` seconds. A 429 is not counted.",
  },
  unavailable: {
    when: "The filing is being fetched or parsed, EDGAR cannot be reached, or the store is unavailable.",
    next: "Retry after `Retry-After` seconds. Nothing was charged.",
  },
};

/** The kind of a field in a table of columns. */
const nameOf = (kind: FieldKind) => (kind === "whole" ? "integer" : kind);

const cell = (text: string) => text.replaceAll("|", "\\|");
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");

function settingsTable(): string {
  const rows = SETTING_NAMES.map((name) => {
    const { value, about, fallback } = SETTINGS[name];
    const flag = value === null ? `--${flagOf(name)}` : `--${flagOf(name)} ${value}`;
    const standard = value === null || fallback === "" ? "" : `\`${fallback}\``;
    return [`\`${flag}\``, `\`${variableOf(name)}\``, `\`${flagOf(name)}\``, standard, about];
  });
  return table(["Flag", "Environment", "Key in the file", "Default", "What it sets"], rows);
}

function refusalsTable(): string {
  // Object.entries of a record over a closed union returns exactly its kinds.
  const kinds = Object.keys(REFUSALS) as RefusalKind[];
  const rows = kinds
    .map((kind) => ({ kind, status: STATUS[kind] }))
    .toSorted((a, b) => a.status - b.status)
    .map(({ kind, status }) => {
      const { when, next } = REFUSALS[kind];
      return [String(status), `\`${String(envelope(status, "")["error"])}\``, when, next];
    });
  return table(["Status", "`error`", "When", "What to do"], rows);
}

/** Each view with its columns. */
function viewsTables(): string {
  return VIEWS.map(({ name, about, columns }) => {
    const rows = columns.map(({ name: column, kind, nullable, about: meaning }) => [
      `\`${column}\``,
      nameOf(kind),
      kind === "amount" ? "`reporting_currency`" : "",
      nullable ? "yes" : "",
      meaning,
    ]);
    return `### ${name}\n\n${about}\n\n${table(["Column", "Kind", "Unit", "May be null", "Meaning"], rows)}`;
  }).join("\n\n");
}

/** The columns under their ExecuComp names. */
function execucompTable(): string {
  const rows = EXECUCOMP_COLUMNS.map(({ name, kind, about }) => [
    `\`${name}\``,
    kind === "thousands" || kind === "double" || kind === "cents" ? "amount" : nameOf(kind),
    kind === "thousands" ? "thousands of `reporting_currency`" : "",
    about,
  ]);
  return table(["Column", "Kind", "Unit", "Meaning here"], rows);
}

function problemsTable(): string {
  const codes = { ...PROBLEMS, ...DATASET_PROBLEMS };
  const rows = Object.entries(codes)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, about]) => [`\`${code}\``, about]);
  return table(["Code", "Meaning"], rows);
}

/** One line about the contents of the dataset. */
function datasetLine(): string {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-docs-"));
  try {
    const dataset = datasetOf(openEmbedded(folder), "embedded");
    const companies = readCoverage(dataset).filter(({ rows }) => rows > 0);
    const years = companies.flatMap((one) => one.years);
    const fiscalYears = years.map(({ fiscalYear }) => fiscalYear);
    const complete = years.filter((one) => one.complete).length;
    const known = readCeoPay(dataset).filter(({ isLatest, doubts }) => isLatest && doubts.length === 0);
    const ceos = new Set(known.map(({ cik }) => cik)).size;
    return `the named executive officers of ${companies.length} companies (${numeral(dataset.info.rows)} rows, ${numeral(years.length)} company-years, ${complete} of them complete, fiscal ${Math.min(...fiscalYears)} to ${Math.max(...fiscalYears)}),\nand the CEO's total of ${numeral(ceos)} companies; edition ${dataset.info.edition}.`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The generator of each marker. */
const GENERATED: Readonly<Record<string, () => string | Promise<string>>> = {
  settings: settingsTable,
  refusals: refusalsTable,
  dataset: datasetLine,
  views: viewsTables,
  "problem-codes": problemsTable,
  execucomp: execucompTable,
};

/** A document with the text between its markers regenerated. @throws Error for a marker without a generator */
export async function regenerate(text: string): Promise<string> {
  const parts = text.split(/(<!-- generated: [\w-]+ -->\n)[^]*?(<!-- end -->)/);
  for (const [index, part] of parts.entries()) {
    const name = /^<!-- generated: ([\w-]+) -->\n$/.exec(part)?.[1];
    if (name === undefined) continue;
    const generate = GENERATED[name];
    if (generate === undefined)
      throw new Error(`nothing generates "${name}"; there is ${Object.keys(GENERATED).join(", ")}`);
    parts[index] = `${part}\n${await generate()}\n\n`;
  }
  return parts.join("");
}

/** The examples of the API reference, answered by the server. */
const EXAMPLES_FILE = "src/rest/examples.json";

async function examplesText(): Promise<string> {
  const text = Buffer.from(JSON.stringify(await answeredExamples()));
  return Bun.$`${process.execPath} fmt --stdin-filepath ${EXAMPLES_FILE} < ${text}`.cwd(ROOT).text();
}

/** Every document of the repository, by its path from the top. */
export function documents(): string[] {
  return ["*.md", "docs/**/*.md"].flatMap((glob) => [...new Bun.Glob(glob).scanSync(ROOT)].sort());
}

if (import.meta.main) {
  const check = process.argv.includes("--check");
  let stale = 0;
  for (const file of [EXAMPLES_FILE, ...documents()]) {
    const path = join(ROOT, file);
    const before = existsSync(path) ? readFileSync(path, "utf8") : "";
    const after = file === EXAMPLES_FILE ? await examplesText() : await regenerate(before);
    if (before === after) continue;
    stale += 1;
    console.error(check ? `${file} is stale: bun scripts/docs.ts` : `wrote ${file}`);
    if (!check) writeFileSync(path, after);
  }
  const broken = checkLinks(ROOT);
  for (const { file, line, message } of broken) console.error(`${file}:${line} ${message}`);
  process.exit(check && stale + broken.length > 0 ? 1 : 0);
}
