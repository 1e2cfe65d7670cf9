/** What a statement may and may not do, over a snapshot in a file. */
import { expect, test } from "bun:test";
import { ServiceError } from "../../../src/errors.ts";
import { openFile } from "../../../src/dataset/open.ts";
import { confine, execute } from "../../../src/analysis/sql/execute.ts";
import { VIEWS } from "../../../src/analysis/sql/views.ts";
import { tempFolder } from "../../support/folder.ts";
import { writeTestSnapshot } from "../../support/snapshot.ts";
import { askAtRandom } from "./random-statements.ts";

const folder = tempFolder();
const path = writeTestSnapshot(folder, "small.sqlite");
const { database } = openFile(path);
confine(database);
const SIZE = { maxRows: 50, maxBytes: 5_000 };
const ask = (statement: string, size = SIZE) => execute(database, statement, size);
const refusalOf = (statement: string): string => {
  try {
    ask(statement);
  } catch (error) {
    if (error instanceof ServiceError) return `${error.kind}: ${error.message}`;
    throw error;
  }
  return "not refused";
};

test("every view answers, each column by its name", () => {
  for (const { name, columns } of VIEWS) {
    expect(ask(`select * from ${name}`).columns).toEqual(columns.map((column) => column.name));
  }
  const { columns, rows, cut, edition } = ask(
    "SELECT executive_id, fiscal_year, salary FROM compensation ORDER BY fiscal_year DESC",
  );
  expect({ columns, cut, edition }).toEqual({
    columns: ["executive_id", "fiscal_year", "salary"],
    cut: null,
    edition: "2026-01-01",
  });
  expect(rows.length).toBe(2);
});

test.each([
  [
    "joins, sums, windows",
    "select cik, sum(salary) s, rank() over (order by sum(salary)) r from compensation join companies k using (cik) group by 1",
  ],
  [
    "a recursive table",
    "with recursive t(n) as (values (1) union all select n + 1 from t where n < 9) select max(n) m from t",
  ],
  [
    "sets and subqueries",
    "select ticker from companies where cik in (select cik from filings) union select 'x' except select 'y'",
  ],
  ["percentiles", "select median(total_compensation) m, percentile_cont(salary, 0.9) p from compensation"],
  [
    "the snapshot's own tables",
    "select r.executive_id, json_extract(w.years, '$[0][0]') y from rows r join company_rows w using (cik) join years using (cik)",
  ],
  ["values alone", "values (1, 'a'), (2, 'b')"],
  ["comments and a last semicolon", "-- pay; drop\nselect /* ; */ ';' as s; -- end"],
])("%s is allowed", (_, statement) => {
  expect(ask(statement).rows.length).toBeGreaterThan(0);
});

test.each([
  ["ATTACH 'x.sqlite' AS y", "ATTACH is not allowed"],
  ["detach main", "DETACH is not allowed"],
  ["vacuum into 'copy.sqlite'", "VACUUM is not allowed"],
  ["pragma journal_mode = delete", "PRAGMA is not allowed"],
  ["explain select 1", "EXPLAIN is not allowed"],
  ["insert into rows values (1)", "INSERT is not allowed"],
  ["create temp table t (a)", "CREATE is not allowed"],
  ["begin; select 1", "BEGIN is not allowed"],
  ["(select 1)", '"(" is not allowed'],
  ["with x as (select 1) delete from rows", "does more than read"],
  ["with x as (select 1) insert into meta select 'a', 'b'", "does more than read"],
  ["with x as (select 1) update meta set value = 'x'", "does more than read"],
  ["select 1; attach 'x' as y", "Only one statement"],
  ["select 1; -- end\nselect 2", "Only one statement"],
  ["with x as (select 1) delete from compensation returning *", "does more than read"],
  [
    "with x as (select 1) insert into temp.sqlite_temp_master select 'a', 'b', 'c', 1, 'd'",
    "does more than read",
  ],
  ["pragma query_only = 0", "PRAGMA is not allowed"],
  ["select * from pragma_database_list", "virtual tables"],
  ["select * from pragma_table_info('rows')", "virtual tables"],
  ["select * from json_each('[1]')", "virtual tables"],
  ["select * from dbstat", "virtual tables"],
  ["select * from fts5vocab", "No view fts5vocab"],
  ["select load_extension('x.so')", "function load_extension is not allowed"],
  ["select fts3_tokenizer('x')", "function fts3_tokenizer is not allowed"],
  ["select hex(randomblob(1000000000))", "function randomblob is not allowed"],
  ["select hex(zeroblob(1e9))", "function zeroblob is not allowed"],
  ["select sqlite_log(1, 'x')", "function sqlite_log is not allowed"],
  ["select readfile('/etc/passwd')", "No function readfile"],
  ["select writefile('x', 'y')", "No function writefile"],
  ["select edit('x')", "No function edit"],
  ["select ?1", "Parameters"],
  ["select * from compensation where cik = :cik", "Parameters"],
  ["select salry from compensation", "No column salry. Did you mean salary?"],
  ['select "salry" from compensation', "No column salry. Did you mean salary?"],
  ["select total from compensation", "No column total. Did you mean total_compensation?"],
  ["select total_comp from compensation", "No column total_comp. Did you mean total_compensation?"],
  [
    "select 1 from companies where company_name ilike 'a%'",
    "Write SQLite's dialect, where LIKE ignores case.",
  ],
  ["select boss from ceo_pay", "No column boss. SELECT * FROM ceo_pay LIMIT 1 shows the columns of a view."],
  ["select year from compensation", "No column year. Did you mean fiscal_year?"],
  ["select total from ceo_pay", "No column total. Did you mean peo_total?"],
  ["select salary from compensation where ticker=AAPL", "No column AAPL. Put text in single quotes."],
  ["select salary from compensation where ticker in (QQ, ZZ)", "No column QQ. Put text in single quotes."],
  ["select pay from compensation", "No column pay. SELECT * FROM compensation LIMIT 1 shows"],
  ["select role from compensation", "No column role. Did you mean executive_role?"],
  ["select ticker from rows", "No column ticker: this selects from none of the views, of which compensation"],
  ["select filing_url from compensation", "No column filing_url in the selected views; filings"],
  ['select ticker from compensation where company_name = "Acme"', "Put text in single quotes"],
  ["select * from compensations", "No view compensations. Did you mean compensation?"],
  ["select 1 as a, 2 as a", 'Several columns are named "a"'],
  ["select", "SQLite: incomplete input"],
  ["", "There is no statement"],
  ["-- nothing", "There is no statement"],
  ["select 'a\0b'", "NUL"],
])("%s is refused by name", (statement, why) => {
  const told = refusalOf(statement);
  expect(told).toStartWith("invalid_parameter: ");
  expect(told).toContain(why);
});

test("a statement of more than 20,000 characters is refused", () => {
  expect(refusalOf(`select '${"x".repeat(20_000)}' as x`)).toContain("the maximum is 20000");
});

test.each([
  ["brackets", `select ${"(".repeat(9000)}1${")".repeat(9000)} as x`],
  ["nested queries", `select ${"(select ".repeat(900)}1${")".repeat(900)} as x`],
  ["terms", Array.from({ length: 600 }, () => "select 1 as x").join(" union all ")],
  [
    "tables",
    `select count(*) as n from ${Array.from({ length: 40 }, (_, at) => `compensation c${at}`).join(", ")}`,
  ],
  [
    "doublings",
    `with c0 as (select 1 as x union all select 2)${Array.from({ length: 40 }, (_, at) => `, c${at + 1} as (select a.x from c${at} a, c${at} b)`).join("")} select count(*) as n from c40`,
  ],
  ["columns", `select ${Array.from({ length: 600 }, (_, at) => `1 as c${at}`).join(", ")}`],
])("too many %s are refused before anything runs", (_, statement) => {
  expect(refusalOf(statement)).toStartWith("invalid_parameter: ");
});

test("a truncated answer says by which limit", () => {
  const numbers = "with recursive t(n) as (select 1 union all select n + 1 from t) select n from t";
  const rows = ask(numbers, { maxRows: 7, maxBytes: 5_000 });
  expect([rows.rows.length, rows.cut]).toEqual([7, "rows"]);
  const bytes = ask(numbers, { maxRows: 50_000, maxBytes: 100 });
  expect(bytes.cut).toBe("bytes");
  expect(JSON.stringify(bytes.rows).length).toBeLessThanOrEqual(102);
  expect(ask("select printf('%9000s', '') as s").rows).toEqual([]);
  expect(ask("values (1), (2)", { maxRows: 2, maxBytes: 100 }).cut).toBeNull();
});

test("values that JSON cannot represent become text", () => {
  const { rows } = ask(
    "select 9007199254740993 a, 9e999 b, x'00ff' c, 0.1 d, -9223372036854775807 e, null f",
  );
  expect(rows).toEqual([["9007199254740993", "Infinity", "00ff", 0.1, "-9223372036854775807", null]]);
});

test("each of 1,000 random statements has a bounded answer or a refusal, and no file changes", () =>
  askAtRandom(1_000));
