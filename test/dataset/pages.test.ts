/** Arrays in pages, and texts that are looked up in them. */
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { isOneEditApart, nearest } from "../../src/domain/spellings.ts";
import { openEmbedded } from "../../src/dataset/embedded.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";
import { blobsOf, readBlobs } from "../../src/dataset/columns/blobs.ts";
import { packAscending, type PackedTexts } from "../../src/dataset/columns/names.ts";
import { loadColumns } from "../../src/dataset/columns/columns.ts";
import { buildPeople, newestRows } from "../../src/dataset/columns/people.ts";
import type { Numbers } from "../../src/dataset/arrays.ts";

/** A value written and read again, and the names of the blobs that were read. */
function stored<Of extends object>(value: Of, inPages: boolean): { value: Of; read: string[] } {
  const blobs = new Map([...blobsOf("of", value, inPages)].map(({ name, data }) => [name, data]));
  const read: string[] = [];
  const all = <Row>(_sql: string, name: string): Row[] => {
    read.push(name);
    // A copy, as SQLite returns.
    return [{ data: new Uint8Array(blobs.get(name) ?? []) } as Row];
  };
  // The one query of `readBlobs`.
  return { value: readBlobs<Of>({ all } as Parameters<typeof readBlobs>[0], "of"), read };
}

test("an array in pages has the same numbers and parts as a whole one, and only their pages are read", () => {
  const whole = Float64Array.from({ length: 20_000 }, (_, at) => at / 3);
  const { value, read } = stored<{ array: Numbers<Float64Array> }>({ array: whole }, true);
  expect(value.array.length).toBe(20_000);
  expect([0, 1, 8191].map((at) => value.array.at(at))).toEqual([0, 1 / 3, 8191 / 3]);
  expect(read).toEqual(["of", "of.array.0"]);
  for (const [from, to] of [
    [0, 3],
    [8190, 8194],
    [8192, 16_384],
    [5, 5],
    [100, 19_999],
  ] as const)
    expect(value.array.slice(from, to)).toEqual(whole.slice(from, to));
  expect([19_999, 20_000].map((at) => value.array.at(at))).toEqual([19_999 / 3, undefined]);
  expect(stored({ array: whole }, false).value.array).toEqual(whole);
});

const WORDS = [
  "a",
  "ab",
  "ba",
  "apple",
  "aple",
  "apples",
  "paple",
  "spple",
  "zoo",
  "zo",
  "über",
  "uber",
  "東京",
  "東亰",
  "𝐀b",
  "𝐁b",
  "",
];

test("words with one typing error are those one edit away, in any script", () => {
  const { texts } = packAscending(WORDS);
  const { value } = stored<{ texts: PackedTexts }>({ texts }, false);
  for (const asked of [...WORDS, "appel", "pple", "applee", "oz", "zooo", "京東", "q", "東"])
    expect([asked, value.texts.near(asked)]).toEqual([
      asked,
      WORDS.filter((word) => isOneEditApart(asked, word)).sort(),
    ]);
});

test("people are found by their newest rows under any of their names, newest years first, then by name", () => {
  // Two names of person 7, in 2021 and 2023; persons 8 and 9 under the second.
  const people = {
    first: Int32Array.of(0, 1, 4),
    person: Float64Array.of(7, 7, 8, 9),
    fiscalYear: Int32Array.of(2023, 2021, 2022, 2022),
    total: Float64Array.of(1, 100, 2, 3),
    key: Float64Array.of(10, 11, 12, 13),
  };
  const order = [1, 0];
  expect(newestRows(people, [0, 1], order, 10)).toEqual([10, 12, 13]);
  expect(newestRows(people, [1, 0], order, 2)).toEqual([10, 12]);
  expect(newestRows(people, [1], order, 10)).toEqual([12, 13, 11]);
});

test("each name of the dataset has its own people, each with the newest row under it", () => {
  const dataset = datasetOf(openEmbedded(tmpdir()), "embedded");
  const lines = dataset.all<{ id: number; name: string; who: string }>(
    "select id, name, cik || ' ' || executive_id as who from rows order by fiscal_year, id",
  );
  const columns = loadColumns(dataset);
  const people = buildPeople(columns);
  expect(people.first.at(columns.names.length)).toBe(people.key.length);
  const byName = Map.groupBy(lines, ({ name }) => name);
  expect(byName.size).toBe(columns.names.length);
  for (let place = 0; place < columns.names.length; place++) {
    const name = columns.names.at(place);
    const newest = new Map(byName.get(name)?.map(({ who, id }) => [who, id]));
    expect([name, newestRows(people, [place], columns.nameRanks.rank, 100).sort()]).toEqual([
      name,
      [...newest.values()].sort(),
    ]);
  }
});

test("the nearest ticker is that of a comparison with all of them", () => {
  const dataset = datasetOf(openEmbedded(tmpdir()), "embedded");
  const tickers = dataset.tickers();
  const asked = tickers.flatMap((ticker) => [
    `${ticker}X`,
    ticker.slice(1),
    ticker.toLowerCase(),
    `Q${ticker.slice(1)}`,
    `${ticker}É`,
  ]);
  for (const text of [...asked, "", "GOOOOGLE", "BRK.C", "x".repeat(200)])
    expect([text, dataset.nearestTicker(text)?.ticker]).toEqual([
      text,
      dataset.findBySymbol(nearest(text, tickers) ?? "")?.ticker,
    ]);
});
