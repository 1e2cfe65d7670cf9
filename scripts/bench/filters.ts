/**
 * Combines every filter of a query combined with every sort over half a million rows, in process: each filter alone (each
 * company's latest year) and over all years, with a value that few rows match and one that many do. Lists the worst
 * medians; the target is below 5 ms.
 *
 *     bun run bench dataset --keep FILE && bun run bench filters --file FILE [--rounds 5] [--rows 25]
 */
import { parseArgs } from "node:util";
import { AMOUNTS } from "../../src/domain/row-fields.ts";
import { BOUNDS, FILER_CATEGORIES, SECTORS, SORT_KEYS } from "../../src/domain/selection.ts";
import { analysisOf } from "../../src/analysis/index.ts";
import { rowsOfFormat } from "../../src/dataset/company-rows.ts";
import { openFile } from "../../src/dataset/open.ts";
import { datasetOf } from "../../src/dataset/reader.ts";
import { median } from "./burst.ts";
import { cpuMs, queryOf } from "./questions.ts";

const { values } = parseArgs({
  options: {
    file: { type: "string" },
    rounds: { type: "string", default: "5" },
    rows: { type: "string", default: "25" },
  },
});
if (values.file === undefined)
  throw new Error("--file FILE: a snapshot that `bun run bench dataset --keep FILE` made");
const ROUNDS = Number(values.rounds);
const AIM_MS = 5;
const WORST = 12;

const dataset = datasetOf(openFile(values.file), "installed");
const ciks = dataset
  .all<{ cik: number }>("select cik from companies where row_count > 0 order by cik")
  .map(({ cik }) => cik);
const [person] = dataset.all<{ id: string; name: string }>(
  `select json_extract('{' || tail, '$.executive_id') as id, json_extract('{' || tail, '$.executive_name') as name
    from ${rowsOfFormat(dataset.info.format)} limit 1`,
);

const FILTERS: readonly string[] = [
  "",
  `cik=${ciks[0]}`,
  `cik=${Array.from({ length: 200 }, (_, at) => ciks[at * 150]).join(",")}`,
  "fiscal_year=2024",
  ...BOUNDS.map((bound) => `fiscal_year_${bound}=2018`),
  "office=peo",
  "office=pfo",
  ...["john", "a", "cook", "nobody", person?.name ?? ""].map(
    (name) => `executive=${encodeURIComponent(name)}`,
  ),
  `executive_id=${person?.id}`,
  ...SECTORS.map((sector) => `sector=${sector}`),
  ...["2", "28", "2834"].map((sic) => `sic=${sic}`),
  "index=sp500",
  ...FILER_CATEGORIES.map((category) => `filer_category=${category}`),
  ...AMOUNTS.flatMap((field) =>
    BOUNDS.flatMap((bound) => [0, 1_000_000].map((amount) => `${field}_${bound}=${amount}`)),
  ),
  "reporting_currency=EUR",
  "complete_only=true",
  "one_per_company_year=true",
];
const searches = FILTERS.flatMap((filter) =>
  filter.includes("fiscal_year") ? [filter] : [filter, `fiscal_year_gte=0&${filter}`],
).flatMap((filter) => SORT_KEYS.flatMap((key) => [key, `-${key}`].map((sort) => `${filter}&sort=${sort}`)));

const before = process.memoryUsage.rss();
const analysis = analysisOf(dataset);
const questions = searches.map((search) => queryOf(`${search}&max_rows=${values.rows}`));
const costs = questions.map(() => ({ wall: [] as number[], cpu: [] as number[] }));
// One round of all queries in sequence: rounds of a query are never adjacent, so none finds its own answer cached.
for (let round = 0; round <= ROUNDS; round++) {
  questions.forEach((question, at) => {
    const cpu = cpuMs();
    const begun = performance.now();
    analysis.ask(question);
    const wall = performance.now() - begun;
    if (round === 0) return;
    costs[at]?.wall.push(wall);
    costs[at]?.cpu.push(cpuMs() - cpu);
  });
}
const found = searches.map((search, at) => ({
  search,
  wall: median(costs[at]?.wall ?? []),
  cpu: median(costs[at]?.cpu ?? []),
}));
const above = (of: "wall" | "cpu") => found.filter((one) => one[of] > AIM_MS).length;
console.log(
  `${dataset.info.rows} rows, ${found.length} queries of one filter and one sort, pages of ${values.rows}, medians of ${ROUNDS}`,
);
for (const of of ["wall", "cpu"] as const) {
  const all = found.map((one) => one[of]);
  console.log(
    `${of === "wall" ? "elapsed" : "CPU"}: middle ${median(all).toFixed(2)} ms, worst ${Math.max(...all).toFixed(2)}, above ${AIM_MS} ms ${above(of)}`,
  );
}
for (const { search, wall, cpu } of found.toSorted((a, b) => b.cpu - a.cpu).slice(0, WORST)) {
  console.log(`  ${search.slice(0, 80).padEnd(80)} elapsed ${wall.toFixed(2)} ms, CPU ${cpu.toFixed(2)}`);
}
console.log(
  `resident ${(before / 1e6).toFixed(0)} MB before the columns, ${(process.memoryUsage.rss() / 1e6).toFixed(0)} after all queries`,
);
