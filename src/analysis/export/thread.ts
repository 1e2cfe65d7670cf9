/**
 * Runs large exports in worker threads: half a million rows take seconds, and a Parquet column of a row group milliseconds that
 * nothing interrupts.
 */
import { messageOf } from "../../errors.ts";
import { askWorker, workerAddress } from "../../threads.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { type ColumnSet, columnsOf } from "./columns.ts";
import { exportedRows, type StreamedFormat } from "./pieces.ts";
import type { FromExportWorker, ToExportWorker } from "./worker.ts";

/** Up to this many rows, an export takes less time than starting a worker: a few milliseconds, or pieces of half a millisecond. */
const MAX_INLINE_ROWS: Readonly<Record<StreamedFormat, number>> = { csv: 2000, jsonl: 2000, parquet: 200 };
/** Maximum concurrent workers: 40 to 60 MB each. Further exports run on the calling thread. */
const MAX_THREADS = 2;

/**
 * Creates an exporter of the rows with given keys as the bytes of a file. Each export has a worker of its own, which ends with
 * it. @param start starts a worker
 */
export function exporter(start = () => new Worker(workerAddress("analysis/export/worker"), { smol: true })) {
  let running = 0;
  return async function* exported(
    dataset: Dataset,
    keys: Float64Array,
    format: StreamedFormat,
    columns: ColumnSet,
  ): AsyncGenerator<Uint8Array> {
    const here = () => exportedRows(dataset, keys, format, columnsOf(columns));
    const { file } = dataset;
    if (file === null || keys.length <= MAX_INLINE_ROWS[format] || running >= MAX_THREADS)
      return yield* here();
    running++;
    const worker = start();
    worker.unref();
    try {
      const message: ToExportWorker = { file, contentHash: dataset.info.contentHash, keys, format, columns };
      worker.postMessage(message);
      let answer = await nextOf(worker);
      // The file was replaced or removed in the meantime; the file open on this thread is still fully readable.
      if ("error" in answer) return yield* here();
      for (; ; answer = await nextOf(worker)) {
        if ("error" in answer) throw new Error(answer.error);
        if (answer.piece === null) return;
        yield answer.piece;
      }
    } finally {
      running--;
      worker.terminate();
    }
  };
}

function nextOf(worker: Worker): Promise<FromExportWorker> {
  const next: ToExportWorker = "next";
  return askWorker<FromExportWorker>(worker, next).catch((error: unknown) => ({ error: messageOf(error) }));
}
