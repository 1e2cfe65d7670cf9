/** The thread in which questions over a large dataset are answered: `analyst.ts` starts it and speaks to it. */
import { messageOf } from "../../errors.ts";
import { letOthersGoFirst } from "../low-priority.ts";
import { openFile, openToReadThrough } from "../open.ts";
import { datasetOf } from "../reader.ts";
import { buildColumns } from "./columns.ts";
import { type Analysis, analysisOf, type AnalysisQuestion, type AnalysisResult } from "./index.ts";

/** What the thread is told: first the file, then questions. */
export type ToWorker = { file: string } | { id: number; question: AnalysisQuestion };
/** What it answers; an error is a bug or a file that can no longer be read. */
export type FromWorker = { id: number; result: AnalysisResult } | { id: number; error: string };

declare const self: Worker;

answerOn(self);

/** Answers what is asked over a port: the first message names the file. */
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
      analysis ??= readAll(file);
      const result = analysis.ask(question);
      answer({ id, result }, buffersOf(result));
    } catch (error) {
      answer({ id, error: messageOf(error) });
    }
  });
}

/** What is handed over instead of copied. */
function buffersOf(result: AnalysisResult): ArrayBuffer[] {
  if ("rows" in result) return [result.rows.buffer];
  if ("json" in result) return [result.json.buffer];
  return "keys" in result ? [result.keys.buffer] : [];
}

/** The columns of the file's rows; what was only needed to make them is let go of. */
function readAll(file: string): Analysis {
  const snapshot = openToReadThrough(file);
  const columns = buildColumns(datasetOf(snapshot, "installed"));
  snapshot.database.close();
  Bun.gc(true);
  // Not before: on a crowded machine whoever asked first would wait for the reading until the connection is given up.
  letOthersGoFirst();
  // Rows of a page are read through the mapping, of which this process has one already.
  return analysisOf(datasetOf(openFile(file), "installed"), columns);
}
