/** Reads documents off the main thread: one message a document in, one result out, in order. See `readers.ts`. */
import { parseFiling, type Known } from "./index.ts";

/** What a reading thread is asked. */
export interface ReadRequest {
  bytes: Uint8Array;
  known: Known;
}

declare const self: Worker;

self.addEventListener("message", ({ data }: MessageEvent<ReadRequest>) => {
  self.postMessage(parseFiling(data.bytes, data.known));
});
