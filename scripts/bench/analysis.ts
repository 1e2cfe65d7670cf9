/**
 * Queries across companies over half a million rows, in process, compared with DuckDB on the same rows in the same run.
 * Rounds alternate between the two; CPU time counts, since DuckDB uses every core and we use one.
 *
 *     bun run bench dataset FILE && bun run bench analysis --file FILE [--rounds 15]
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { analysisOf } from "../../src/analysis/index.ts";
import { buildColumns } from "../../src/analysis/columns.ts";
import { numberOf } from "../../src/analysis/ranked.ts";
import type { Grouping } from "../../src/domain/selection.ts";
import { AMOUNTS } from "../../src/domain/row-fields.ts";
import { openFile } from "../../src/dataset/open.ts";
import { datasetOf } from "../../src/dataset/reader.ts";
import { cpuMs, queryOf } from "./questions.ts";

const { values } = parseArgs({
  options: { file: { type: "string" }, rounds: { type: "string", default: "15" } },
});
if (values.file === undefined)
  throw new Error("--file FILE: a snapshot that `bun run bench dataset FILE` made");
const ROUNDS = Number(values.rounds);

/** A query: as parameters for us, and as a condition, an order and groups for DuckDB. */
const QUERIES: readonly (readonly [search: string, where: string, order: string])[] = [
  ["", "latest", "total_compensation desc"],
  ["fiscal_year=2024", "fiscal_year = 2024", "total_compensation desc"],
  ["fiscal_year_gte=0", "true", "total_compensation desc"],
  ["fiscal_year_gte=0&office=peo", "is_peo", "total_compensation desc"],
  ["fiscal_year_gte=0&sector=energy", "sector = 'energy'", "total_compensation desc"],
  ["fiscal_year_gte=0&sic=28", "sic like '28%'", "total_compensation desc"],
  ["fiscal_year_gte=0&salary_gte=1000000", "salary >= 1000000", "total_compensation desc"],
  ["fiscal_year_gte=0&executive=cook", "executive_name ilike '% cook%'", "total_compensation desc"],
  ["fiscal_year_gte=0&complete_only=true", "complete", "total_compensation desc"],
  ["fiscal_year_gte=0&sort=executive_name", "true", "executive_name"],
  ["fiscal_year_gte=0&sort=-stock_awards", "true", "stock_awards desc"],
  ["fiscal_year=2024&sort=company_name", "fiscal_year = 2024", "company_name"],
];
const STATISTICS: readonly (readonly [search: string, where: string, groups: readonly Grouping[]])[] = [
  ["fiscal_year=2024", "fiscal_year = 2024", []],
  ["fiscal_year=2024&office=peo", "fiscal_year = 2024 and is_peo", ["sector"]],
  ["fiscal_year_gte=0", "true", []],
  ["fiscal_year_gte=0", "true", ["fiscal_year", "sector"]],
  ["fiscal_year_gte=0", "true", ["sic2"]],
];

/**
 * Median wall time and mean CPU time of the rounds, in milliseconds; the first round, which may build an order, is
 * separate.
 */
async function measure(work: () => unknown): Promise<{ first: number; wall: number; cpu: number }> {
  const begun = performance.now();
  await work();
  const first = performance.now() - begun;
  const walls: number[] = [];
  const before = cpuMs();
  for (let round = 0; round < ROUNDS; round++) {
    const at = performance.now();
    await work();
    walls.push(performance.now() - at);
  }
  const cpu = (cpuMs() - before) / ROUNDS;
  return { first, wall: walls.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0, cpu };
}

const dataset = datasetOf(openFile(values.file), "installed");
const cpuBefore = cpuMs();
const analysis = analysisOf(dataset);
console.log(`${dataset.info.rows} rows; columns read in ${(cpuMs() - cpuBefore).toFixed(0)} ms of CPU`);

/** The same rows as a DuckDB table. */
async function duckdb() {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const folder = mkdtempSync(join(tmpdir(), "execcomp-bench-"));
  try {
    const file = join(folder, "rows.csv");
    writeFileSync(file, [...csvLines()].join("\n"));
    await connection.run(
      `create table r as select * from read_csv_auto('${file}', header = true, types = {'cik': 'VARCHAR', 'sic': 'VARCHAR'})`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return connection;
}

function* csvLines(): Generator<string> {
  const columns = buildColumns(dataset);
  const { companyYear, companyYears, companies, traits, names, executiveIds } = columns;
  const text = (value: string) => `"${value.replaceAll('"', '""')}"`;
  yield `cik,company_name,fiscal_year,executive_id,executive_name,is_peo,is_pfo,sector,sic,complete,latest,${AMOUNTS.join(",")}`;
  for (let row = 0; row < columns.rows; row++) {
    const year = companyYear[row] ?? 0;
    const place = companyYears.company[year] ?? 0;
    const company = companies[place];
    const profile = columns.profiles[columns.profile[place] ?? 0];
    const flags = [((traits[row] ?? 0) & 1) !== 0, ((traits[row] ?? 0) & 2) !== 0];
    yield [
      text(company?.cik ?? ""),
      text(company?.name ?? ""),
      companyYears.fiscalYear[year],
      text(executiveIds.at(columns.executiveId[row] ?? 0)),
      text(names.at(columns.name[row] ?? 0)),
      ...flags,
      profile?.sector ?? "",
      text(profile?.sic ?? ""),
      companyYears.complete[year] === 1,
      companyYears.latest[year] === 1,
      ...AMOUNTS.map((field) => numberOf(columns.amounts[field], row) / 100),
    ].join(",");
  }
}

const COUNTS = `count(*), count(distinct cik), count(distinct (cik, fiscal_year)),
  count(distinct case when not complete then (cik, fiscal_year) end)`;
const FIGURES = `sum(total_compensation), min(total_compensation), max(total_compensation), avg(total_compensation),
  quantile_cont(total_compensation, [0.1, 0.25, 0.5, 0.75, 0.9])`;

function say(
  name: string,
  ours: { first: number; wall: number; cpu: number },
  theirs?: { wall: number; cpu: number },
) {
  const beside =
    theirs === undefined
      ? ""
      : `  DuckDB ${theirs.wall.toFixed(1)} ms, CPU ${theirs.cpu.toFixed(1)}; ratio of CPU ${(ours.cpu / theirs.cpu).toFixed(2)}`;
  console.log(
    `${name.padEnd(52)} median ${ours.wall.toFixed(2)} ms, CPU ${ours.cpu.toFixed(2)} (first ${ours.first.toFixed(0)})${beside}`,
  );
}

const connection = await duckdb().catch((error: unknown) => {
  console.log(`without DuckDB: ${String(error)}`);
  return undefined;
});
for (const [search, where, order] of QUERIES) {
  const asked = queryOf(search);
  const ours = await measure(() => analysis.ask(asked));
  const theirs =
    connection &&
    (await measure(async () => {
      await connection.runAndReadAll(
        `select * from r where ${where} order by ${order}, cik, fiscal_year, executive_id limit 25`,
      );
      await connection.runAndReadAll(`select ${COUNTS} from r where ${where}`);
    }));
  say(`query ${search}`, ours, theirs);
}
for (const [search, where, groupBy] of STATISTICS) {
  const { selection } = queryOf(search);
  const question = { field: "total_compensation", groupBy, rankCik: null } as const;
  const ours = await measure(() => analysis.ask({ kind: "statistics", selection, question }));
  const by = groupBy.map((name) => (name === "sic2" ? "sic[:2]" : name)).join(", ");
  const theirs =
    connection &&
    (await measure(() =>
      connection.runAndReadAll(
        `select ${by === "" ? "" : `${by}, `}${COUNTS}, ${FIGURES} from r where ${where}${by === "" ? "" : ` group by ${by}`}`,
      ),
    ));
  say(`statistics ${search}${by === "" ? "" : ` by ${by}`}`, ours, theirs);
}
const begun = performance.now();
dataset.search("apple", 10);
console.log(`names read in ${(performance.now() - begun).toFixed(0)} ms`);
for (const words of ["apple", "j p morgan", "microsft", "zzqqxx", "coca cola"]) {
  say(`search ${words}`, await measure(() => dataset.search(words, 10)));
}
console.log(`resident ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB with DuckDB's table`);
