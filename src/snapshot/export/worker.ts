/** The thread in which chosen rows become Parquet: `thread.ts` starts it and asks for one piece after the other. */
import { messageOf } from "../../errors.ts";
import { letOthersGoFirst } from "../low-priority.ts";
import { openToReadThrough } from "../open.ts";
import { datasetOf } from "../reader.ts";
import { type ColumnSet, columnsOf } from "./columns.ts";
import { exportedRows } from "./selected.ts";

/** What the thread is told: first what to export, then each time that there is room for a piece. */
export type ToExportWorker =
  { file: string; contentHash: string; keys: Float64Array; columns: ColumnSet } | "next";
/** What it answers to `next`: a piece, the end (null), or why there is none. */
export type FromExportWorker = { piece: Uint8Array<ArrayBuffer> | null } | { error: string };

declare const self: Worker;

letOthersGoFirst();
answerOn(self);

function answerOn(port: Worker): void {
  let bytes: AsyncGenerator<Uint8Array> | undefined;
  let broken = "nothing was asked for";
  port.addEventListener("message", async ({ data }: MessageEvent<ToExportWorker>) => {
    const answer = (message: FromExportWorker) => port.postMessage(message);
    try {
      if (data !== "next") {
        const snapshot = openToReadThrough(data.file);
        if (snapshot.seal.contentHash !== data.contentHash) broken = "the file is another dataset by now";
        else {
          const dataset = datasetOf(snapshot, "installed");
          bytes = exportedRows(dataset, data.keys, "parquet", columnsOf(data.columns));
        }
      } else if (bytes === undefined) answer({ error: broken });
      else {
        const { done, value } = await bytes.next();
        answer({ piece: done === true ? null : new Uint8Array(value) });
      }
    } catch (error) {
      broken = messageOf(error);
      if (data === "next") answer({ error: broken });
    }
  });
}
