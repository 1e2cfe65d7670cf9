/** What a terminal shows at any width: no line is wider, no word is broken, no figure stands without what it is of. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_NAMES } from "../../src/cli/registry.ts";
import { groupLines } from "../../src/cli/questions/stats.ts";
import { textTable, wrapped } from "../../src/lib/text-table.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const environment = { EXECCOMP_DATA_DIR: tempFolder(), NO_COLOR: "1" };
const WIDTHS = [80, 120, 200];

/** What is copied stays whole: an address, a command of an example, a signature's key or a cursor. */
const isWhole = (line: string) => /^ *\S+$|^ *[`(]?execcomp [^.]*/.test(line);

/** The lines of both outputs that are wider than the terminal. */
async function tooWide(words: readonly string[], terminal: number): Promise<string[]> {
  const { out, err } = await cli(...words, { terminal, environment });
  return `${out}${err}`.split("\n").filter((line) => line.length > terminal && !isWhole(line));
}

/** Answers, notes and refusals, by what makes them wide. */
const LINES = [
  "welcome",
  "help",
  "show AAPL",
  "show BRK.B --years 9",
  "show nonsense",
  "find delta",
  "query --office pfo",
  "query --measures total_change --max-rows 3",
  "query --ticker SBUX,PSKY,SHW,NOPE --fiscal-year-gte 2024",
  "query --sort height",
  "query --sector foo",
  "stats --group-by sector,office",
  "stats --group-by foo",
  "stats --office peo --sector information_technology --rank-ticker AAPL",
  "compare AAPL MSFT SHW NOPE",
  "ceo-pay --index sp500 --max-rows 10",
  "ceo-pay --ticker SMCI --doubtful include",
  "ceo-pay --group-by sector,fiscal_year --fiscal-year-gte 2024",
  "sql",
  "data info",
  "data diff embedded current",
  "coverage",
  "explain COST 2023 richard-galanti",
  "explain AAPL 2024 nobody",
  "explain AAPL 2025 tim-cook salary",
  "explain AAPL 2025 kevan-parekh is_pfo",
  "explain AAPL 2025 tim-cook foo",
  "parse nowhere.htm",
  "ingest",
  "ingest --pending",
  "users list",
  "users invite --user ann@example.com",
  "keys create --user ann@example.com",
  "keys list",
  "credits show --user ann@example.com",
  "credits show --user bob@example.com",
  "credits ledger --user ann@example.com",
  "audit",
  "doctor",
  "config print",
  "serve --sign-up open --host 0.0.0.0",
];

test.each(WIDTHS)("no line is wider than %d columns", async (terminal) => {
  for (const line of LINES) expect([line, await tooWide(line.split(" "), terminal)]).toEqual([line, []]);
  for (const name of COMMAND_NAMES)
    expect([name, await tooWide(["help", ...name.split(" ")], terminal)]).toEqual([name, []]);
});

test("text breaks between words, a long list after its commas or bars, an address never", () => {
  expect(wrapped("one two three", 8)).toBe("one two\nthree");
  expect(wrapped("  one two three", 8, "  ")).toBe("  one\n  two\n  three");
  expect(wrapped("one two three", null)).toBe("one two three");
  expect(wrapped("--format table|csv|jsonl", 16, "  ")).toBe("--format table|\n  csv|jsonl");
  expect(wrapped("of alpha,beta,gamma", 12)).toBe("of alpha,\nbeta,gamma");
  expect(wrapped("see https://example.com/a/b?c=d", 12)).toBe("see\nhttps://example.com/a/b?c=d");
  // Commands to copy are never broken.
  expect(wrapped("Create one with: execcomp keys create --user EMAIL", 20)).toBe(
    "Create one with:\nexeccomp keys create --user EMAIL",
  );
  expect(wrapped("Run `execcomp query --ticker A,B` to see it all", 16)).toBe(
    "Run\n`execcomp query --ticker A,B`\nto see it all",
  );
  expect(wrapped("Go back (execcomp data rollback), then", 16)).toBe(
    "Go back\n(execcomp data rollback),\nthen",
  );
});

test("a median never stands without its numbers of rows and companies; what is the same in each row goes first", async () => {
  const counts = { stats: "Rows", "ceo-pay": "Records" };
  for (const [command, count] of Object.entries(counts))
    for (let terminal = 40; terminal <= 240; terminal += 20) {
      const { out } = await cli(command, "--group-by", "sector", { terminal, environment });
      const head = out.split("\n")[0] ?? "";
      for (const name of ["Sector", count, "Companies", "Median"]) expect(head).toContain(name);
      const dropped = /\(no room for ([^)]*)\)/.exec(out.replaceAll("\n  ", " "))?.[1]?.split(", ") ?? [];
      if (dropped.length > 0) expect(dropped).toContain("Currency");
      // The ends go before the middle.
      if (dropped.includes("P25")) expect(dropped).toContain("P10");
    }
});

test("a currency goes first if it is the only one, and never if there are several", () => {
  const headOf = (...currencies: string[]) => {
    const groups = currencies.map((one) => ({
      group: { sector: "energy", reporting_currency: one },
      median: 1,
    }));
    const { columns, rows } = groupLines(groups, [], ["median"], ({ median }) => median);
    return textTable(columns, rows, 20).split("\n")[0];
  };
  expect(headOf("USD", "USD")).toBe("Sector  Median");
  expect(headOf("USD", "EUR")).toBe("Sector  Currency  Median");
});

test("heads are capitalized alike in every command", async () => {
  const heads: Readonly<Record<string, string>> = {
    "ceo-pay --max-rows 2": "FY Ticker Company CEO Total Basis Source",
    "ceo-pay --group-by fiscal_year": "FY Currency Records Companies From tags Min P10 P25 Median",
    "stats --group-by office": "Office Currency Rows Companies Years Partial Min P10 P25 Median",
    "query --max-rows 2": "FY Ticker Executive Total Office Company",
  };
  for (const [line, expected] of Object.entries(heads)) {
    const { out } = await cli(...line.split(" "), { environment });
    expect(out.split("\n")[0]?.replaceAll(/ +/g, " ")).toStartWith(expected);
  }
});

test("every command with rows has every format, and a file", async () => {
  const out = join(environment.EXECCOMP_DATA_DIR, "rows");
  for (const line of [
    "show AAPL",
    "coverage AAPL MSFT",
    "explain AAPL 2024 tim-cook",
    "coverage --tickers",
    "find apple",
  ]) {
    const words = line.split(" ");
    const formatted = async (format: string) =>
      (await cli(...words, "--format", format, "--out", out, { environment })).code === 0
        ? readFileSync(out, "utf8").trimEnd().split("\n")
        : [];
    // Each answer has its rows in its last list.
    const body = JSON.parse((await formatted("json")).join("\n")) as Record<string, unknown>;
    const rows =
      Object.values(body)
        .filter(Array.isArray)
        .find((list) => list.length > 0) ?? [];
    const jsonl = (await formatted("jsonl")).map((text): unknown => JSON.parse(text));
    expect([line, jsonl]).toEqual([
      line,
      line === "coverage --tickers" ? rows.map((ticker) => ({ ticker })) : rows,
    ]);
    expect([line, (await formatted("csv")).length]).toEqual([line, rows.length + 1]);
    expect((await formatted("md")).join("\n")).toMatch(/^\| ?-{3}/m);
    expect((await formatted("table")).length).toBeGreaterThan(0);
  }
});
