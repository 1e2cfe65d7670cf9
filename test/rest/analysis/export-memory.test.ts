/** The memory of an export: pieces that the client has room for, and no pages of the snapshot's file. */
import { expect, test } from "bun:test";
import { copyFileSync, readdirSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { exportResponse } from "../../../src/rest/response.ts";
import type { Dataset } from "../../../src/dataset/dataset.ts";
import { COLUMNS } from "../../../src/analysis/export/columns.ts";
import { exportedRows, ROWS_TO_READ_THROUGH } from "../../../src/analysis/export/pieces.ts";
import { openFile } from "../../../src/dataset/open.ts";
import { datasetOf } from "../../../src/dataset/read-snapshot.ts";
import { tempFolder } from "../../support/folder.ts";
import { testRecord } from "../../support/record.ts";
import { writeTestSnapshot } from "../../support/snapshot.ts";
import { until } from "../../support/until.ts";

const folder = tempFolder();
const first = writeTestSnapshot(folder, "first.sqlite", [testRecord({ name: "First Corp" })]);
const second = writeTestSnapshot(folder, "second.sqlite", [testRecord({ name: "Other Corp" })]);

/** A dataset in a separate file, counting direct reads of it. */
function inFile(name: string) {
  const file = join(folder, name);
  copyFileSync(first, file);
  const dataset = datasetOf(openFile(file), "installed");
  const [row] = dataset.all<{ id: number }>("select id from rows");
  const keys = new Float64Array(ROWS_TO_READ_THROUGH).fill(row?.id ?? 0);
  const asked = { times: 0 };
  const watched: Dataset = {
    ...dataset,
    all(sql, ...values) {
      asked.times++;
      return dataset.all(sql, ...values);
    },
  };
  return { file, dataset: watched, keys, asked };
}

async function textOf(bytes: AsyncGenerator<Uint8Array>): Promise<string> {
  let text = "";
  for await (const piece of bytes) text += new TextDecoder().decode(piece);
  return text;
}

/** Open descriptors of a file in this process. */
function opened(file: string): number {
  return readdirSync("/proc/self/fd").filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === file;
    } catch {
      return false;
    }
  }).length;
}

test("a small export reads the open dataset: thirty connections of their own would take 100 MB", async () => {
  const { file, dataset, keys, asked } = inFile("small.sqlite");
  const before = opened(file);
  const cut = exportedRows(dataset, keys.subarray(1), "csv", COLUMNS);
  await cut.next();
  await cut.next();
  expect([asked.times > 0, opened(file)]).toEqual([true, before]);
  await cut.return(undefined);
});

test("a large export reads the file over its own connection, which closes with it", async () => {
  const { file, dataset, keys, asked } = inFile("own.sqlite");
  const before = opened(file);
  const text = await textOf(exportedRows(dataset, keys, "csv", COLUMNS));
  expect(text).toContain("First Corp");
  expect([asked.times, opened(file)]).toEqual([0, before]);
  const cut = exportedRows(dataset, keys, "csv", COLUMNS);
  await cut.next();
  expect(opened(file)).toBeGreaterThan(before);
  await cut.return(undefined);
  expect(opened(file)).toBe(before);
});

test.each([
  [
    "replaced by another",
    (file: string) => {
      copyFileSync(second, `${file}.new`);
      renameSync(`${file}.new`, file);
    },
  ],
  ["removed", (file: string) => rmSync(file)],
] as const)("if the file was %s, the rows are still those of the requested dataset", async (_, swap) => {
  const { file, dataset, keys, asked } = inFile("swapped.sqlite");
  swap(file);
  const text = await textOf(exportedRows(dataset, keys, "jsonl", COLUMNS));
  expect(text).toContain("First Corp");
  expect(text).not.toContain("Other Corp");
  expect(asked.times).toBeGreaterThan(0);
});

test("output is bounded while a client does not read", async () => {
  const PIECE = new Uint8Array(64 * 1024).fill(0x61);
  const seen = { made: 0, ended: false };
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        seen.made++;
        yield PIECE;
        await Bun.sleep(0);
      }
    } finally {
      seen.ended = true;
    }
  }
  const answer = {
    format: "csv",
    name: "all.csv",
    rows: 0,
    bytes: endless(),
    window: null,
    receipt: { charged: 0, remaining: null },
  } as const;
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: () => exportResponse(answer, null),
  });
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: server.port ?? 0,
    socket: {
      data: (open) => void open.pause(),
      open: (open) => void open.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
    },
  });
  // Until no more is produced: the kernel's buffers are full, and so are those in front of them.
  for (let last = -1; last !== seen.made || last === 0;) {
    last = seen.made;
    await Bun.sleep(200);
  }
  // What two sockets of this machine buffer at most, and a few of our pieces.
  expect(seen.made * PIECE.length).toBeLessThan(24 << 20);
  socket.terminate();
  await until("nothing more is made", () => seen.ended);
});
