/** Every command on a real terminal of 80, 120 and 200 columns: what it answers, and how it refuses. */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_NAMES } from "../../src/cli/registry.ts";
import { tempFolder } from "../support/folder.ts";
import { onTerminal } from "../support/pty.ts";

const folder = tempFolder();
const DOCUMENT = "test/reader/fixtures/02-ipo-424b4.txt";

/** Command lines with their exit codes, in an order in which one prepares the next. `OUT` is an empty folder. */
const LINES: Readonly<Record<string, readonly (readonly [line: string, code: number])[]>> = {
  welcome: [["", 0]],
  serve: [
    ["serve --port 0", 0],
    ["serve --check", 0],
    ["serve --port nine", 2],
  ],
  show: [
    ["show AAPL", 0],
    ["show BRK.B --years 9", 0],
    ["show nonsense", 1],
    ["show united", 1],
    ["show", 2],
  ],
  find: [
    ["find delta", 0],
    ["find qqxxzz", 1],
  ],
  query: [
    ["query --office pfo", 0],
    ["query --measures total_change --max-rows 3", 0],
    ["query --ticker SBUX,PSKY,SHW,NOPE --fiscal-year-gte 2024", 0],
    ["query --sector foo", 2],
  ],
  stats: [
    ["stats --group-by sector,office", 0],
    ["stats --office peo --sector information_technology --rank-ticker AAPL", 0],
    ["stats --group-by foo", 2],
  ],
  "ceo-pay": [
    ["ceo-pay --index sp500 --max-rows 10", 0],
    ["ceo-pay --group-by sector", 0],
    ["ceo-pay --ticker SMCI --doubtful include", 0],
    ["ceo-pay --group-by foo", 2],
  ],
  compare: [
    ["compare AAPL MSFT SHW NOPE", 0],
    ["compare", 2],
  ],
  sql: [
    ["sql", 0],
    ["sql select+ticker,executive_name,total_compensation+from+compensation+limit+3", 0],
    ["sql select+foo", 2],
  ],
  get: [
    ["get /nowhere", 1],
    ["get foo", 2],
  ],
  mcp: [
    ["mcp", 0],
    ["mcp now", 2],
  ],
  "data info": [
    ["data info", 0],
    ["data info x", 2],
  ],
  "data verify": [
    ["data verify", 0],
    ["data verify OUT", 1],
  ],
  "data install": [
    ["data install nowhere.sqlite", 1],
    ["data install http://example.com/x", 1],
  ],
  "data rollback": [["data rollback", 1]],
  "data export": [
    ["data export --format sqlite --out OUT/pay.sqlite", 0],
    ["data export --format foo --out x", 2],
  ],
  "data diff": [
    ["data diff embedded current", 0],
    ["data diff embedded", 2],
  ],
  coverage: [
    ["coverage AAPL SHW", 0],
    ["coverage --tickers", 0],
    ["coverage NOPE", 1],
  ],
  parse: [
    [`parse ${DOCUMENT}`, 0],
    ["parse OUT", 1],
  ],
  explain: [
    ["explain COST 2023 richard-galanti", 0],
    ["explain AAPL 2024 nobody", 1],
    ["explain AAPL 2025 tim-cook salary", 0],
    ["explain AAPL 2025 kevan-parekh is_pfo", 0],
    ["explain AAPL 2025 tim-cook foo", 2],
  ],
  ingest: [
    ["ingest --from-dir test/reader/fixtures --data-dir OUT/ingested", 3],
    ["ingest --pending --dry-run", 1],
    ["ingest", 2],
  ],
  "keys create": [
    ["keys create --user ann@example.com", 0],
    ["keys create --user ann@example.com --name spreadsheet", 0],
    ["keys create", 2],
  ],
  "keys list": [
    ["keys list", 0],
    ["keys list --user nobody@example.com", 1],
  ],
  "keys revoke": [["keys revoke foo", 1]],
  "keys rotate": [["keys rotate foo --overlap year", 2]],
  "users create": [["users create --user bob@example.com", 2]],
  "users list": [["users list", 0]],
  "users invite": [
    ["users invite --user eve@example.com", 0],
    ["users invite --user eve", 1],
  ],
  "users role": [
    ["users role --user ann@example.com --role owner", 0],
    ["users role --user ann@example.com --role king", 2],
  ],
  "users reset-password": [["users reset-password --user ann@example.com", 0]],
  "users disable": [["users disable --user ann@example.com", 0]],
  "users enable": [["users enable --user ann@example.com", 0]],
  "users delete": [
    ["users delete --user ann@example.com", 2],
    ["users delete --user eve@example.com", 0],
    ["users delete --user eve@example.com", 1],
  ],
  "credits show": [["credits show --user ann@example.com", 0]],
  "credits grant": [
    ["credits grant --user ann@example.com --amount 1", 0],
    ["credits grant --user ann@example.com --amount many", 2],
  ],
  "credits ledger": [["credits ledger --user ann@example.com", 0]],
  "credits unmetered": [["credits unmetered --user ann@example.com", 0]],
  audit: [
    ["audit", 0],
    ["audit --act foo", 2],
  ],
  backup: [
    ["backup OUT/accounts.sqlite", 0],
    ["backup OUT/accounts.sqlite", 1],
  ],
  restore: [
    ["restore OUT/accounts.sqlite", 0],
    ["restore OUT", 1],
  ],
  "store copy": [
    ["store copy --to OUT/copy", 0],
    ["store copy", 2],
  ],
  doctor: [
    ["doctor", 0],
    ["doctor --since x", 2],
  ],
  "config print": [
    ["config print", 0],
    ["config print --colour", 2],
  ],
  completions: [["completions fsh", 2]],
  version: [
    ["version", 0],
    ["version --verify", 2],
  ],
  help: [
    ["help", 0],
    ["help keys", 0],
    ["help foo", 2],
  ],
};

/** How commands that go on are ended. */
const ENDINGS = {
  serve: { at: /event=started/, signal: "SIGTERM" },
  mcp: { at: /event=mcp_started/, keys: "\u0004" },
} as const;

/** Answers that are a table: each head is shown, or said to have no room. */
const TABLES =
  /^(?:find delta|query --o|query --m|stats|ceo-pay|compare A|coverage A|keys list$|users list|credits ledger|audit$|store copy --to)/;

const SPACES = / {2,}/;
/** What is copied stays whole: an address, a key, a cursor or a command, alone on its line. */
const isWhole = (line: string) => /^ *\S+$|^ *[`(]?execcomp /.test(line);

type Ran = Awaited<ReturnType<typeof onTerminal>> & { line: string; expected: number };

/** Runs all lines in a data folder of their own, on terminals of this width. */
async function runAll(columns: number, environment: Readonly<Record<string, string>>): Promise<Ran[]> {
  const own = join(folder, `${columns}`);
  const out = join(own, "out");
  mkdirSync(out, { recursive: true });
  const ran: Ran[] = [];
  for (const [name, lines] of Object.entries(LINES))
    for (const [line, expected] of lines) {
      const words =
        line === "" ? [] : line.split(" ").map((word) => word.replace(/^OUT/, out).replaceAll("+", " "));
      const ending =
        expected === 0 && line === `${name}${name === "serve" ? " --port 0" : ""}`
          ? endingOf(name)
          : undefined;
      const settings = { EXECCOMP_DATA_DIR: join(own, "data"), HOME: own, ...environment };
      ran.push({ line, expected, ...(await onTerminal(words, columns, settings, ending)) });
    }
  return ran;
}

function endingOf(name: string) {
  return Object.entries(ENDINGS).find(([one]) => one === name)?.[1];
}

test("the list has every command", () => {
  expect(Object.keys(LINES).slice(1)).toEqual([...COMMAND_NAMES]);
});

describe.skipIf(process.platform === "win32").each([80, 120, 200])("in %d columns", (columns) => {
  let ran: Ran[];
  beforeAll(async () => {
    ran = await runAll(columns, { NO_COLOR: "1" });
  }, 300_000);
  const each = (check: (one: Ran) => unknown, expected: unknown) => {
    for (const one of ran) expect([one.line, check(one)]).toEqual([one.line, expected]);
  };

  test("it exits as documented", () => {
    for (const { line, code, expected, lines } of ran)
      expect([line, code, code === expected ? "" : lines.join("\n")]).toEqual([line, expected, ""]);
  });

  test("no line is wider than the terminal, but for what is copied", () => {
    each(({ lines }) => lines.filter((line) => Bun.stringWidth(line) > columns && !isWhole(line)), []);
  });

  test("NO_COLOR: no escape code but that of a status line", () => {
    // oxlint-disable-next-line no-control-regex -- it looks for control characters
    each(({ raw }) => /\u001b(?!\[2K)/.exec(raw), null);
  });

  test("words instead of a system's codes; one of a thing is in the singular", () => {
    each(
      ({ lines }) =>
        /\b(?:ENOENT|ENOTDIR|EISDIR|EACCES|EEXIST)\b|undefined|NaN|bug in execcomp/.exec(lines.join("\n")),
      null,
    );
    each(
      ({ lines }) =>
        /(?<![\d,.#-])\b1 (?:rows|companies|company-years|filings|documents|credits|keys|users|totals|bytes|requests)\b/.exec(
          lines.join("\n"),
        ),
      null,
    );
  });

  test("every head of a table is shown, or said to have no room; a median has its numbers beside it", async () => {
    const tables = ran.filter(({ line }) => TABLES.test(line));
    expect(tables.length).toBeGreaterThan(12);
    for (const { line, lines, expected } of tables) {
      if (expected !== 0) continue;
      const data = join(folder, `${columns}`, "data");
      const words = line
        .split(" ")
        .map((word) => word.replace(/^OUT\/copy/, join(folder, `${columns}`, "other")));
      const wide = await onTerminal(words, 1000, { EXECCOMP_DATA_DIR: data, NO_COLOR: "1" });
      const isHead = (text: string) => text.split(SPACES).length > 2;
      const heads = wide.lines.find(isHead)?.trim().split(SPACES) ?? [];
      const shown = lines.find(isHead)?.trim().split(SPACES) ?? [];
      const left =
        /\(no room for ([^)]*)\)/.exec(lines.join(" ").replaceAll(/ +/g, " "))?.[1]?.split(", ") ?? [];
      expect([line, [...shown, ...left].toSorted()]).toEqual([line, heads.toSorted()]);
      if (shown.includes("Median"))
        expect([line, shown]).toEqual([line, expect.arrayContaining(["Companies"])]);
    }
  });
});

test.skipIf(process.platform === "win32")(
  "bold heads and links are marked on a terminal, and not with NO_COLOR",
  async () => {
    const environment = { EXECCOMP_DATA_DIR: join(folder, "colour") };
    const marked = await onTerminal(["query", "--max-rows", "1"], 80, environment);
    expect(marked.raw).toContain("\u001b[1mFY");
    expect(marked.raw).toContain("\u001b]8;;https://www.sec.gov/");
    const plain = await onTerminal(["query", "--max-rows", "1"], 80, { ...environment, NO_COLOR: "1" });
    expect(plain.raw).not.toContain("\u001b");
    expect(plain.lines).toEqual(marked.lines);
  },
);
