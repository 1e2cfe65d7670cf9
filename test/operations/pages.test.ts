import { expect, test } from "bun:test";
import { coverageReader } from "../../src/operations/pages.ts";
import type { Dataset } from "../../src/dataset/dataset.ts";
import { readCoverage } from "../../src/dataset/coverage.ts";
import { openFile } from "../../src/dataset/open.ts";
import { datasetOf } from "../../src/dataset/reader.ts";
import { tempFolder } from "../support/folder.ts";
import { testRecord } from "../support/record.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

const folder = tempFolder();
const COMPANIES = 200;
const records = Array.from({ length: COMPANIES }, (_, index) => {
  const record = testRecord({ cik: String(1000 + index).padStart(10, "0") });
  const accession = (old: string) => `${record.cik}-${old.slice(11)}`;
  const renamed = <Of extends { accession: string }>(list: readonly Of[]) =>
    list.map((one) => ({ ...one, accession: accession(one.accession) }));
  return {
    ...record,
    symbols: [`S${(index * 7919) % COMPANIES}X`],
    filings: renamed(record.filings).map((filing) => ({ ...filing, symbol: null, url: null })),
    observations: renamed(record.observations),
    offices: renamed(record.offices),
    grids: renamed(record.grids),
    problems: renamed(record.problems),
  };
});
const dataset = datasetOf(openFile(writeTestSnapshot(folder, "many.sqlite", records)), "installed");

/** The dataset, counting its queries in each turn of the event loop. */
function counted() {
  const turns: number[] = [0];
  const watched: Dataset = {
    ...dataset,
    all(sql, ...values) {
      turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1;
      return dataset.all(sql, ...values);
    },
  };
  return { turns, watched };
}

test("the coverage of many companies is read a few at a time, and other requests are answered in between", async () => {
  const { turns, watched } = counted();
  let over = false;
  const nextTurn = () => {
    turns.push(0);
    if (!over) setImmediate(nextTurn);
  };
  setImmediate(nextTurn);
  const reader = coverageReader({ snapshots: snapshotsOf(watched) });
  const { lines } = await reader.read();
  over = true;
  const busy = turns.filter((questions) => questions > 0);
  expect(lines).toHaveLength(COMPANIES);
  expect(busy.length).toBeGreaterThan(3);
  // The queries of one batch, and the check for the next one.
  expect(Math.max(...busy)).toBeLessThan(16);
  expect(lines.map(({ ticker }) => ticker)).toEqual([...lines].map(({ ticker }) => ticker).sort());
});

test("it is read once per dataset, and concurrent callers wait for the same result", async () => {
  const { turns, watched } = counted();
  const held = { dataset: watched };
  const reader = coverageReader({ snapshots: { ...snapshotsOf(watched), current: () => held.dataset } });
  const [first, second] = await Promise.all([reader.read(), reader.read()]);
  const asked = turns.reduce((sum, questions) => sum + questions, 0);
  expect(second).toBe(first);
  expect(await reader.read()).toBe(first);
  expect(turns.reduce((sum, questions) => sum + questions, 0)).toBe(asked);
  held.dataset = { ...watched, info: { ...watched.info } };
  expect(await reader.read()).not.toBe(first);
});

test("an unreadable dataset fails the current callers, and the next one tries again", async () => {
  let fails = true;
  const broken: Dataset = {
    ...dataset,
    all(sql, ...values) {
      if (fails) throw new Error("unreadable");
      return dataset.all(sql, ...values);
    },
  };
  const reader = coverageReader({ snapshots: snapshotsOf(broken) });
  await expect(reader.read()).rejects.toThrow("unreadable");
  fails = false;
  expect((await reader.read()).lines).toHaveLength(COMPANIES);
});

test("the result is the same read at once or in batches", async () => {
  const { lines } = await coverageReader({ snapshots: snapshotsOf(dataset) }).read();
  expect(lines.map(({ gaps: _gaps, ...line }) => line)).toEqual(readCoverage(dataset));
});

function snapshotsOf(current: Dataset) {
  return {
    current: () => current,
    embedded: () => current.info,
    failure: () => null,
    check: () => Promise.resolve(),
  };
}
