/** Worker that answers questions over a large dataset; started and called by `analyst.ts`. */
import { messageOf } from "../errors.ts";
import { lowerThreadPriority } from "../threads.ts";
import { openFile, openToReadThrough } from "../dataset/open.ts";
import { datasetOf } from "../dataset/read-snapshot.ts";
import { loadColumns } from "../dataset/columns/columns.ts";
import { type Analysis, analysisOf, type AnalysisQuestion, type AnalysisResult } from "./index.ts";

/** Messages to the worker: first the file, then questions. */
export type ToWorker = { file: string } | { id: number; question: AnalysisQuestion };
/** Messages from the worker; an error means a bug or a file that can no longer be read. */
export type FromWorker = { id: number; result: AnalysisResult } | { id: number; error: string };

declare const self: Worker;

answerOn(self);

/** Answers questions received over a port; the first message names the file. */
function answerOn(port: Worker): void {
  let analysis: Analysis | undefined;
  let file = "";
  port.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
    if ("file" in data) {
      file = data.file;
      return;
    }
    const { id, question } = data;
    const answer = (message: FromWorker, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);
    try {
      const isFirst = analysis === undefined;
      analysis ??= analysisIn(file);
      const result = analysis.ask(question);
      answer({ id, result }, buffersOf(result));
      // Not earlier: on a busy machine the first caller would wait for the read until the connection times out.
      if (isFirst) lowerThreadPriority();
    } catch (error) {
      answer({ id, error: messageOf(error) });
    }
  });
}

/** Buffers that are transferred instead of copied. */
function buffersOf(result: AnalysisResult): ArrayBuffer[] {
  if ("rows" in result) return [result.rows.buffer];
  if ("json" in result) return [result.json.buffer];
  return "keys" in result ? [result.keys.buffer] : [];
}

/** The columns stay on a connection without a mapping; the rows of a page are read through the one that this process already has. */
function analysisIn(file: string): Analysis {
  const columns = loadColumns(datasetOf(openToReadThrough(file), "installed"));
  return analysisOf(datasetOf(openFile(file), "installed"), columns);
}
