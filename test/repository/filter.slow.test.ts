/** Adding a filter touches two files; validation, documents, MCP and the command line follow. */
import { expect, test } from "bun:test";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copySource, ROOT } from "../support/source-copy.ts";

/** Replaces a text that is there. */
function changed(text: string, ...changes: readonly (readonly [before: string, after: string])[]): string {
  return changes.reduce((so, [before, after]) => {
    if (!so.includes(before)) throw new Error(`not found: ${before}`);
    return so.replace(before, after);
  }, text);
}

test("a filter is declared in one file, applied in another, and found everywhere", async () => {
  using copy = copySource("src/domain/selection.ts", (text) =>
    changed(
      text,
      [
        "/** Filters on facts of companies. */\nconst FACTS = [",
        'const FACTS = [\n  { name: "year_end_month", about: "month in which fiscal years end", ...like(/^(0[1-9]|1[0-2])$/, "a month from 01 to 12") },',
      ],
      ["  state: string | null;", "  state: string | null;\n  yearEndMonth: string | null;"],
      [
        "    state: query.state?.toUpperCase() ?? null,",
        "    state: query.state?.toUpperCase() ?? null,\n    yearEndMonth: query.year_end_month ?? null,",
      ],
    ),
  );
  for (const part of ["docs", "CHANGELOG.md"])
    cpSync(join(ROOT, part), join(copy.folder, part), { recursive: true });
  const applied = join(copy.folder, "src/analysis/company-years.ts");
  writeFileSync(
    applied,
    changed(
      readFileSync(applied, "utf8"),
      ['"onlyNamed" | "ciks" |', '"onlyNamed" | "ciks" | "yearEndMonth" |'],
      [
        "[sector, sic, state, filerCategory].every(",
        "[sector, sic, state, filerCategory, selection.yearEndMonth].every(",
      ],
      [
        "    if (cik !== without &&",
        "    if (selection.yearEndMonth !== null && companies[at]?.fiscalYearEnd.startsWith(selection.yearEndMonth) !== true) continue;\n    if (cik !== without &&",
      ],
    ),
  );
  const run = async (words: string[], stdin = "") => {
    const child = Bun.spawn([process.execPath, "src/main.ts", ...words], {
      cwd: copy.folder,
      env: { ...process.env, EXECCOMP_DATA_DIR: join(copy.folder, "data-dir") },
      stdin: new Blob([stdin]),
      stderr: "pipe",
    });
    return { out: await child.stdout.text(), err: await child.stderr.text() };
  };
  const asked = "fiscal_year=2024&office=peo&ticker=AAPL,MSFT";
  const path = (month: string) => `/api/executive-compensation/query?${asked}&year_end_month=${month}`;
  const tickers = (text: string) =>
    (JSON.parse(text) as { executive_compensation: { ticker: string }[] }).executive_compensation.map(
      ({ ticker }) => ticker,
    );

  expect(tickers((await run(["get", path("09")])).out)).toEqual(["AAPL"]);
  expect((await run(["get", path("13")])).out).toContain(
    'Cannot read year_end_month \\"13\\": expected a month from 01 to 12.',
  );
  expect((await run(["get", path("09").replace("year_end_month", "year_end_mont")])).out).toContain(
    "Did you mean year_end_month?",
  );
  const document = JSON.parse((await run(["get", "/api/openapi.json"])).out) as {
    paths: Record<string, { get: { parameters: { name: string; schema: unknown }[] } }>;
  };
  for (const described of [
    "/api/executive-compensation/query",
    "/api/executive-compensation/statistics",
    "/export",
  ])
    expect(
      document.paths[described]?.get.parameters.find(({ name }) => name === "year_end_month")?.schema,
    ).toEqual({ type: "string", pattern: "^(0[1-9]|1[0-2])$" });
  const listed = await run(["mcp"], `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })}\n`);
  const { result } = JSON.parse(listed.out) as {
    result: { tools: { name: string; inputSchema: { properties: object } }[] };
  };
  const having = result.tools.filter(({ inputSchema }) => "year_end_month" in inputSchema.properties);
  expect(having.map(({ name }) => name)).toContain("query_executive_compensation");
  const help = (await run(["help", "query"])).out;
  expect(/^Companies:\n[^]*?\n\n/m.exec(help)?.[0]).toContain("--year-end-month TEXT");
  const typed = [
    "--ticker",
    "AAPL,MSFT",
    "--fiscal-year",
    "2024",
    "--office",
    "peo",
    "--year-end-month",
    "06",
  ];
  expect(tickers((await run(["query", ...typed, "--json"])).out)).toEqual(["MSFT"]);
}, 120_000);
