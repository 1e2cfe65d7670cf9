/**
 * Large exports beside the event loop: a row group of Parquet takes a third of a second, which cannot be parted, and what rows
 * leave behind as text is collected in a small heap of its own.
 */
import { workerAddress } from "../../worker-address.ts";
import type { Dataset } from "../dataset.ts";
import { type ColumnSet, columnsOf } from "./columns.ts";
import { exportedRows, type StreamedFormat } from "./selected.ts";
import type { FromExportWorker, ToExportWorker } from "./worker.ts";

/** Up to so many rows take less than starting a thread: some milliseconds at once, or in pieces of half a millisecond. */
const MAX_INLINE_ROWS: Readonly<Record<StreamedFormat, number>> = { csv: 2000, jsonl: 2000, parquet: 200 };
/** Threads at a time, some 60 MB each for Parquet, half of it for text; further exports are made where they are asked for. */
const MAX_THREADS = 2;

/** The rows of the keys as the bytes of a file. */
export type Exporter = (
  dataset: Dataset,
  keys: Float64Array,
  format: StreamedFormat,
  columns: ColumnSet,
) => AsyncGenerator<Uint8Array>;

/** An exporter that has started no thread yet. Each export has its own, which ends with it. @param start starts a thread */
export function exporter(
  start = () => new Worker(workerAddress("snapshot/export/worker"), { smol: true }),
): Exporter {
  let running = 0;
  return async function* exported(dataset, keys, format, columns) {
    const here = () => exportedRows(dataset, keys, format, columnsOf(columns));
    const { file } = dataset;
    if (file === null || keys.length <= MAX_INLINE_ROWS[format] || running >= MAX_THREADS)
      return yield* here();
    running++;
    const worker = start();
    worker.unref();
    try {
      tell(worker, { file, contentHash: dataset.info.contentHash, keys, format, columns });
      let answer = await nextOf(worker);
      // The file was replaced or removed since: what is open here still has all of its pages.
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

function tell(worker: Worker, message: ToExportWorker): void {
  worker.postMessage(message);
}

function nextOf(worker: Worker): Promise<FromExportWorker> {
  const { promise, resolve } = Promise.withResolvers<FromExportWorker>();
  const answered = ({ data }: MessageEvent<FromExportWorker>) => resolve(data);
  const failed = (event: ErrorEvent) => {
    event.preventDefault();
    resolve({ error: event.message });
  };
  worker.addEventListener("message", answered);
  worker.addEventListener("error", failed);
  tell(worker, "next");
  return promise.finally(() => {
    worker.removeEventListener("message", answered);
    worker.removeEventListener("error", failed);
  });
}
