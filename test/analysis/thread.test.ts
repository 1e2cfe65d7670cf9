/** A large dataset is queried in a separate thread, with the same answers as in this one. */
import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";
import { ServiceError } from "../../src/errors.ts";
import { createAnalyst } from "../../src/analysis/analyst.ts";
import type { QueryQuestion, StatisticsQuestionOf } from "../../src/analysis/index.ts";
import { readSelection } from "../../src/domain/selection.ts";
import { oncePerDataset } from "../../src/web/pages/home.ts";
import { tempFolder } from "../support/folder.ts";
import { copyCompiledData, datasetIn } from "../support/snapshot.ts";

const folder = tempFolder();
const path = join(folder, "all.sqlite");
copyCompiledData(path);
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
  askedAs: new Map([["0000320193", "ASKED"]]),
};
const statistics: StatisticsQuestionOf = {
  kind: "statistics",
  selection,
  question: { field: "stock_awards", groupBy: ["sector", "office"], rankCik: "0000320193" },
};

test("query and statistics have the same answers in a thread as here", async () => {
  const asked = threaded.ask(dataset, query);
  expect(asked).toBeInstanceOf(Promise);
  expect(await asked).toEqual(await inline.ask(dataset, query));
  expect(await threaded.ask(dataset, statistics)).toEqual(await inline.ask(dataset, statistics));
});

test("a caller who would wait too long is told when to ask again", async () => {
  const impatient = createAnalyst({ maxInlineRows: 0, patienceMs: 0 });
  const refused = await Promise.resolve(impatient.ask(dataset, query)).catch((error: unknown) => error);
  impatient.close();
  if (!(refused instanceof ServiceError)) throw new Error("an answer before the thread had started");
  expect([refused.kind, refused.details.retryAfterSeconds]).toEqual(["unavailable", 5]);
});

test("what the home page tells has the same answer in a thread as here", async () => {
  const question = { kind: "latest_filings", filings: 6 } as const;
  const found = await threaded.ask(dataset, question);
  expect(found).toEqual(await inline.ask(dataset, question));
  expect(found.filings).toHaveLength(6);
  expect(found.known.linked).toBeGreaterThan(0);
});

test("the home page does not keep a refusal", async () => {
  const answers = [Promise.reject(new Error("it takes too long")), Promise.resolve("found")];
  const find = oncePerDataset(async () => answers.shift());
  expect(find(dataset)).rejects.toThrow("it takes too long");
  await Bun.sleep(0);
  expect(await find(dataset)).toBe("found");
  expect(await find(dataset)).toBe("found");
});

test("figures of one pass are those of single questions, in a thread as here; so are keys", async () => {
  const figures = {
    kind: "figures",
    selection,
    questions: [statistics.question, { ...statistics.question, field: "salary", groupBy: [] }],
    values: { by: "salary", descending: true, count: 30 },
  } as const;
  const found = await threaded.ask(dataset, figures);
  expect(found.values).toHaveLength(30);
  expect(found).toEqual(await inline.ask(dataset, figures));
  for (const [at, question] of figures.questions.entries()) {
    const { json, ...coverage } = await inline.ask(dataset, { ...statistics, question });
    const alone: unknown = JSON.parse(`${new TextDecoder().decode(json)}}`);
    expect([found.tables[at], found.matched]).toEqual([alone as never, coverage.matched]);
  }
  const total = { ...statistics.question, field: "total_compensation", groupBy: ["office"] } as const;
  const [byOffice] = (await inline.ask(dataset, { ...figures, questions: [total] })).tables;
  const others = await inline.ask(dataset, {
    ...figures,
    selection: { ...selection, office: "other" as const },
    questions: [{ ...total, groupBy: [] }],
    values: { by: "total_compensation", descending: true, count: 1 },
  });
  const ofOthers = byOffice?.statistics.find(({ group }) => group["office"] === "other");
  expect(others.tables[0]?.statistics.map(({ rows, median }) => [rows, median])).toEqual([
    [ofOthers?.rows ?? 0, ofOthers?.median ?? 0],
  ]);
  expect(others.values).toEqual([ofOthers?.max ?? 0]);
  const keys = { kind: "keys", selection } as const;
  expect(await threaded.ask(dataset, keys)).toEqual(await inline.ask(dataset, keys));
});

test.skipIf(process.platform !== "linux")("the thread yields to answers for one company", async () => {
  await threaded.ask(dataset, query);
  // proc(5): field 19 of stat is the nice value of that thread alone.
  const nices = readdirSync("/proc/self/task").map((thread) => {
    const [, fields = ""] = readFileSync(`/proc/self/task/${thread}/stat`, "utf8").split(") ");
    return Number(fields.split(" ")[16]);
  });
  // Even if the tests themselves run with a low priority.
  expect(nices).toContain(Math.min(19, getPriority() + 5));
});

test("concurrent queries each get their own answer; more than 64 waiting are asked to retry", async () => {
  const years = Array.from({ length: 64 }, (_, at) => 1990 + at);
  const asked = years.map((year) =>
    threaded.ask(dataset, {
      ...query,
      offset: 0,
      selection: { ...selection, years: [{ bound: "eq", year }] },
    }),
  );
  expect(() => threaded.ask(dataset, query)).toThrow(ServiceError);
  const answers = await Promise.all(asked);
  answers.forEach(({ fiscalYears, matched }, at) => {
    expect(Object.keys(fiscalYears)).toEqual(matched.rows === 0 ? [] : [String(years[at])]);
  });
  expect(answers.filter(({ matched }) => matched.rows > 0).length).toBeGreaterThan(5);
});

test("a new dataset ends the thread of the previous one, and its own file is queried", async () => {
  const other = join(folder, "other.sqlite");
  copyCompiledData(other);
  const first = threaded.ask(dataset, query);
  const second = threaded.ask(datasetIn(other), query);
  expect(await Promise.resolve(first).catch((error: unknown) => error)).toBeInstanceOf(ServiceError);
  expect((await second).matched.rows).toBeGreaterThan(1000);
});

test("an unreadable file is unavailable, not a bug", async () => {
  const broken = join(folder, "broken.sqlite");
  copyCompiledData(broken);
  const opened = datasetIn(broken);
  writeFileSync(broken, "nothing");
  const refused: unknown = await Promise.resolve(threaded.ask(opened, query)).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(ServiceError);
  expect(refused).toMatchObject({ kind: "unavailable" });
});
