/** Worker that converts selected rows to a file; `thread.ts` starts it and requests the pieces in sequence. */
import { messageOf } from "../../errors.ts";
import { lowerThreadPriority } from "../../threads.ts";
import { openToReadThrough } from "../../dataset/open.ts";
import { datasetOf } from "../../dataset/read-snapshot.ts";
import { type ColumnSet, columnsOf } from "./columns.ts";
import { exportedRows, type StreamedFormat } from "./pieces.ts";

/** Messages to the worker: first what to export, then a request for each piece. */
export type ToExportWorker =
  | { file: string; contentHash: string; keys: Float64Array; format: StreamedFormat; columns: ColumnSet }
  | "next";
/** Responses to `next`: a piece, null at the end, or an error. */
export type FromExportWorker = { piece: Uint8Array<ArrayBuffer> | null } | { error: string };

declare const self: Worker;

lowerThreadPriority();
answerOn(self);

function answerOn(port: Worker): void {
  let bytes: AsyncGenerator<Uint8Array> | undefined;
  let broken = "no export was requested";
  port.addEventListener("message", async ({ data }: MessageEvent<ToExportWorker>) => {
    const answer = (message: FromExportWorker) => port.postMessage(message);
    try {
      if (data !== "next") {
        const snapshot = openToReadThrough(data.file);
        if (snapshot.seal.contentHash !== data.contentHash) broken = "the file now contains another dataset";
        else {
          const dataset = datasetOf(snapshot, "installed");
          bytes = exportedRows(dataset, data.keys, data.format, columnsOf(data.columns));
        }
      } else if (bytes === undefined) answer({ error: broken });
      else {
        const { value: piece = null } = await bytes.next();
        port.postMessage({ piece }, piece === null ? [] : [piece.buffer]);
      }
    } catch (error) {
      broken = messageOf(error);
      if (data === "next") answer({ error: broken });
    }
  });
}
