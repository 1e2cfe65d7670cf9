/** Parquet beside the event loop: a row group of 20,000 rows takes a third of a second, which cannot be parted. */
import { workerAddress } from "../../worker-address.ts";
import type { Dataset } from "../dataset.ts";
import { type ColumnSet, columnsOf } from "./columns.ts";
import { exportedRows } from "./selected.ts";
import type { FromExportWorker, ToExportWorker } from "./worker.ts";

/** Up to so many rows take some milliseconds, less than starting a thread. */
const MAX_INLINE_ROWS = 200;
/** Threads at a time, some 60 MB each; further exports are made where they are asked for. */
const MAX_THREADS = 2;

/** The rows of the keys as the bytes of a Parquet file. */
export type ParquetExporter = (
  dataset: Dataset,
  keys: Float64Array,
  columns: ColumnSet,
) => AsyncGenerator<Uint8Array>;

/** An exporter that has started no thread yet. Each export has its own, which ends with it. @param start starts a thread */
export function parquetExporter(
  start = () => new Worker(workerAddress("snapshot/export/worker")),
): ParquetExporter {
  let running = 0;
  return async function* exported(dataset, keys, columns) {
    const here = () => exportedRows(dataset, keys, "parquet", columnsOf(columns));
    const { file } = dataset;
    if (file === null || keys.length <= MAX_INLINE_ROWS || running >= MAX_THREADS) return yield* here();
    running++;
    const worker = start();
    worker.unref();
    try {
      tell(worker, { file, contentHash: dataset.info.contentHash, keys, columns });
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
