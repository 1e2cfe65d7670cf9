import { expect } from "bun:test";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { columnsOf } from "../../../src/analysis/export/columns.ts";
import { exportedRows, type StreamedFormat } from "../../../src/analysis/export/pieces.ts";
import { exporter } from "../../../src/analysis/export/thread.ts";
import { workerAddress } from "../../../src/threads.ts";
import { tempFolder } from "../../support/folder.ts";
import { copyCompiledData, datasetIn, writeTestSnapshot } from "../../support/snapshot.ts";

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(pieces));
}

/** An exporter, and how many threads it has started and ended. */
export function counted() {
  let started = 0;
  let ended = 0;
  const exported = exporter(() => {
    started++;
    const worker = new Worker(workerAddress("analysis/export/worker"));
    const terminate = worker.terminate.bind(worker);
    worker.terminate = () => {
      ended++;
      terminate();
    };
    return worker;
  });
  return { exported, started: () => started, ended: () => ended };
}

/** Exports of all rows of the data, for the tests of one file. */
export function exportsOfAll() {
  const folder = tempFolder();
  const path = copyCompiledData(join(folder, "all.sqlite"));
  /** All rows of the data. */
  const dataset = datasetIn(path);
  const keys = Float64Array.from(
    dataset.all<{ id: number }>("select id from rows order by id"),
    ({ id }) => id,
  );

  const here = (format: StreamedFormat, of = keys) =>
    bytesOf(exportedRows(dataset, of, format, columnsOf("execucomp")));
  /** More rows than are exported without a thread. */
  const many = Float64Array.from([...keys, ...keys]);

  /** Three concurrent exports equal this thread's, in two threads and here; few rows start no thread. */
  async function expectSameBytes(format: StreamedFormat): Promise<void> {
    const { exported, started, ended } = counted();
    const expected = await here(format, many);
    const files = await Promise.all(
      [1, 2, 3].map(() => bytesOf(exported(dataset, many, format, "execucomp"))),
    );
    expect(files.map((file) => file.equals(expected))).toEqual([true, true, true]);
    expect([started(), ended()]).toEqual([2, 2]);
    const few = keys.subarray(0, 50);
    expect((await bytesOf(exported(dataset, few, format, "execucomp"))).equals(await here(format, few))).toBe(
      true,
    );
    expect(started()).toBe(2);
  }

  /** A file that is gone or was replaced: the rows are those of the open dataset. */
  async function expectRowsOpenHere(
    what: "replaced" | "removed",
    formats: readonly StreamedFormat[],
  ): Promise<void> {
    const file = join(folder, `${what}.sqlite`);
    copyFileSync(path, file);
    const opened = datasetIn(file);
    rmSync(file);
    if (what === "replaced") writeTestSnapshot(folder, `${what}.sqlite`);
    for (const format of formats) {
      const bytes = await bytesOf(exporter()(opened, many, format, "execucomp"));
      expect(bytes.equals(await here(format, many))).toBe(true);
    }
  }
  return { dataset, many, expectSameBytes, expectRowsOpenHere };
}
