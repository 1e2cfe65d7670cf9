/** Statements in separate processes, as `execcomp sql` and `run_sql` run them. */
import { expect, test } from "bun:test";
import { createSqlRunner } from "../../src/operations/sql.ts";
import { describeSqlViews } from "../../src/operations/dataset-guide.ts";
import { csvLines } from "../../src/lib/csv.ts";
import { linesOf } from "../../src/cli/questions/sql.ts";
import { markdownTable, textTable } from "../../src/lib/text-table.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const dataDir = tempFolder();
const runner = createSqlRunner({ program: PROGRAM, dataDir });
const ENDLESS = "with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t";
const sql = (...words: string[]) =>
  cli("sql", ...words, { program: PROGRAM, environment: { EXECCOMP_DATA_DIR: dataDir } });

test("a statement is answered from the current dataset", async () => {
  const answer = await runner.run(
    "SELECT executive_name AS who, total_compensation AS paid FROM compensation WHERE ticker = 'AAPL' AND is_peo AND fiscal_year = 2025",
  );
  expect(answer).toMatchObject({ columns: ["who", "paid"], rows: [["Tim Cook", 74_294_811]], cut: null });
  expect(answer.edition).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test("ceo_pay has the records of the operation, though no table holds them", async () => {
  const found = await runner.run(
    "select ticker, peo_total, basis from ceo_pay where is_latest and doubts is null order by peo_total desc limit 2",
  );
  expect(found.rows).toEqual([
    ["WELL", 821_090_355, "row"],
    ["CRWD", 247_579_143, "row"],
  ]);
});

test("a busy statement does not block this process or a second statement; a caller who disconnects ends it", async () => {
  const stop = new AbortController();
  let ended = false;
  const burning = runner.run(ENDLESS, { maxSeconds: 600, signal: stop.signal }).catch((error: Error) => {
    ended = true;
    return error;
  });
  expect((await runner.run("select 1 as one")).rows).toEqual([[1]]);
  expect(ended).toBe(false);
  stop.abort();
  expect(await burning).toMatchObject({ kind: "unavailable" });
});

test("two statements run at a time, even while new ones keep arriving", async () => {
  const folder = tempFolder();
  // Reports how many run at the same time, once no more are starting.
  const script = `const { mkdirSync, readdirSync, rmdirSync } = require("node:fs");
    const own = "${folder}/" + process.pid;
    mkdirSync(own);
    setTimeout(() => {
      const running = readdirSync("${folder}").length;
      rmdirSync(own);
      console.log(JSON.stringify({ result: { columns: ["n"], rows: [[running]], cut: null, edition: "x" } }));
    }, 50);`;
  const { run } = createSqlRunner({ program: [process.execPath, "-e", script], dataDir });
  const counts: number[] = [];
  const ask = async (more: number): Promise<void> => {
    counts.push(Number((await run("select 1")).rows[0]?.[0]));
    if (more > 0) await ask(more - 1);
  };
  await Promise.all(Array.from({ length: 4 }, () => ask(2)));
  expect(counts).toHaveLength(12);
  expect(Math.max(...counts)).toBe(2);
});

test("a statement that cannot run is reported as such", async () => {
  const refusal = await runner.run("pragma user_version").catch((error: Error) => error);
  expect(refusal).toMatchObject({ kind: "invalid_parameter" });
  const killed = createSqlRunner({ program: [process.execPath, "-e", "process.exit(9)"], dataDir });
  const ended = await killed.run("select 1").catch((error: Error) => error);
  expect(ended).toMatchObject({ kind: "unavailable" });
  expect(String(ended)).toContain("ended without an answer");
  const none = createSqlRunner({ program: ["/nonexistent/execcomp"], dataDir });
  expect(await none.run("select 1").catch((error: Error) => error)).toMatchObject({ kind: "unavailable" });
});

test("an answer in each format", () => {
  const answer = { columns: ["t", "n", "z"], rows: [["a,b", 7, null]], cut: null, edition: "2026-01-01" };
  const { rows, columns, csv } = linesOf(answer);
  expect(rows).toEqual([{ t: "a,b", n: 7, z: null }]);
  expect(textTable(columns, rows, null)).toBe("t    n  z\na,b  7");
  expect(markdownTable(columns, rows)).toBe("| t | n | z |\n| --- | ---: | ---: |\n| a,b | 7 |  |");
  expect(csvLines(csv?.() ?? []).join("\n")).toBe('t,n,z\n"a,b",7,');
});

test("the command prints the result, and says what is omitted", async () => {
  const ran = await sql("values (1), (2), (3)", "--max-rows", "2", "--format", "csv");
  expect([ran.code, ran.out]).toEqual([1, "column1\n1\n2\n"]);
  expect(ran.err).toContain("Wrote only the first 2 rows. Use --max-rows N for more.");
  expect((await sql("select 1", "--max-rows", "0")).code).toBe(2);
});

test("without a statement the command lists the views and their columns", async () => {
  const { code, out } = await sql();
  expect(code).toBe(0);
  expect(out).toMatch(/^compensation: The served rows/m);
  expect(out).toMatch(/^ {2}total_compensation +amount +column \(j\)/m);
  expect((await sql("--json")).json()).toHaveLength(6);
});

test("the description names every view and column", () => {
  const told = describeSqlViews();
  for (const word of ["compensation", "total_compensation amount", "index_membership", "added_known flag"])
    expect(told).toContain(word);
});
