/** A large dataset is asked in a thread of its own, with the answers that this thread would give. */
import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileData } from "../../../scripts/compile-data.ts";
import { ServiceError } from "../../../src/errors.ts";
import { createAnalyst } from "../../../src/snapshot/analysis/analyst.ts";
import type { QueryQuestion, StatisticsQuestionOf } from "../../../src/snapshot/analysis/index.ts";
import { readSelection } from "../../../src/domain/selection.ts";
import { tempFolder } from "../../support/folder.ts";
import { datasetIn } from "../../support/snapshot.ts";

const folder = tempFolder();
const path = join(folder, "all.sqlite");
compileData(join(import.meta.dir, "../../../data"), path);
const dataset = datasetIn(path);
const threaded = createAnalyst({ maxInlineRows: 0 });
const inline = createAnalyst();
afterAll(() => threaded.close());

const { tickers: _none, ...every } = readSelection(new Map([["fiscal_year_gte", "0"]]));
const selection = { ...every, onlyNamed: false };
const query: QueryQuestion = {
  kind: "query",
  selection,
  sort: { by: "executive_name", descending: true },
  offset: 40,
  count: 100,
};
const statistics: StatisticsQuestionOf = {
  kind: "statistics",
  selection,
  question: { field: "stock_awards", groupBy: ["sector", "office"], rankCik: "0000320193" },
};

test("query and statistics say the same in a thread as here", async () => {
  const asked = threaded.query(dataset, query);
  expect(asked).toBeInstanceOf(Promise);
  expect(await asked).toEqual(await inline.query(dataset, query));
  expect(await threaded.statistics(dataset, statistics)).toEqual(
    await inline.statistics(dataset, statistics),
  );
});

test("many questions at once are answered each with its own answer; more than 64 waiting are told to come again", async () => {
  const years = Array.from({ length: 64 }, (_, at) => 1990 + at);
  const asked = years.map((year) =>
    threaded.query(dataset, {
      ...query,
      offset: 0,
      selection: { ...selection, years: [{ bound: "eq", year }] },
    }),
  );
  expect(() => threaded.query(dataset, query)).toThrow(ServiceError);
  const answers = await Promise.all(asked);
  answers.forEach(({ fiscalYears, matched }, at) => {
    expect(Object.keys(fiscalYears)).toEqual(matched.rows === 0 ? [] : [String(years[at])]);
  });
  expect(answers.filter(({ matched }) => matched.rows > 0).length).toBeGreaterThan(5);
});

test("another dataset ends the thread of the one before, and its file is asked", async () => {
  const other = join(folder, "other.sqlite");
  compileData(join(import.meta.dir, "../../../data"), other);
  const first = threaded.query(dataset, query);
  const second = threaded.query(datasetIn(other), query);
  expect(await Promise.resolve(first).catch((error: unknown) => error)).toBeInstanceOf(ServiceError);
  expect((await second).matched.rows).toBeGreaterThan(1000);
});

test("a file that cannot be read is unavailable, not a bug", async () => {
  const broken = join(folder, "broken.sqlite");
  compileData(join(import.meta.dir, "../../../data"), broken);
  const opened = datasetIn(broken);
  writeFileSync(broken, "nothing");
  const refused: unknown = await Promise.resolve(threaded.query(opened, query)).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(ServiceError);
  expect(refused).toMatchObject({ kind: "unavailable" });
});
