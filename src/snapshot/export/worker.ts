/** The thread in which chosen rows become a file: `thread.ts` starts it and asks for one piece after the other. */
import { messageOf } from "../../errors.ts";
import { letOthersGoFirst } from "../low-priority.ts";
import { openToReadThrough } from "../open.ts";
import { datasetOf } from "../reader.ts";
import { type ColumnSet, columnsOf } from "./columns.ts";
import { exportedRows, type StreamedFormat } from "./selected.ts";

/** What the thread is told: first what to export, then each time that there is room for a piece. */
export type ToExportWorker =
  | { file: string; contentHash: string; keys: Float64Array; format: StreamedFormat; columns: ColumnSet }
  | "next";
/** What it answers to `next`: a piece, the end (null), or why there is none. */
export type FromExportWorker = { piece: Uint8Array<ArrayBuffer> | null } | { error: string };

declare const self: Worker;

letOthersGoFirst();
answerOn(self);

/** Bytes of a file after which what its rows left behind is collected. */
const COLLECTED_BYTES = 4 << 20;

/** A message for each fifty rows would cost more than the rows. */
const MIN_PIECE_BYTES = 128 * 1024;

/** Pieces as one, of so many bytes or more; null behind the last. */
async function gathered(bytes: AsyncGenerator<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < MIN_PIECE_BYTES) {
    const { done, value } = await bytes.next();
    if (done === true) break;
    pieces.push(value);
    length += value.length;
  }
  return pieces.length === 0 ? null : Bun.concatArrayBuffers(pieces, Infinity, true);
}

function answerOn(port: Worker): void {
  let bytes: AsyncGenerator<Uint8Array> | undefined;
  let broken = "nothing was asked for";
  let uncollected = 0;
  port.addEventListener("message", async ({ data }: MessageEvent<ToExportWorker>) => {
    const answer = (message: FromExportWorker) => port.postMessage(message);
    try {
      if (data !== "next") {
        const snapshot = openToReadThrough(data.file);
        if (snapshot.seal.contentHash !== data.contentHash) broken = "the file is another dataset by now";
        else {
          const dataset = datasetOf(snapshot, "installed");
          bytes = exportedRows(dataset, data.keys, data.format, columnsOf(data.columns));
        }
      } else if (bytes === undefined) answer({ error: broken });
      else {
        const piece = await gathered(bytes);
        port.postMessage({ piece }, piece === null ? [] : [piece.buffer]);
        uncollected += piece?.length ?? 0;
        if (uncollected < COLLECTED_BYTES) return;
        uncollected = 0;
        // Nobody is answered by this thread: what rows left behind goes at once, before there is much of it.
        Bun.gc(true);
      }
    } catch (error) {
      broken = messageOf(error);
      if (data === "next") answer({ error: broken });
    }
  });
}
