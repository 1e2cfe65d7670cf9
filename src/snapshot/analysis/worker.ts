/** The thread in which questions over a large dataset are answered: `analyst.ts` starts it and speaks to it. */
import { messageOf } from "../../errors.ts";
import { openToReadThrough } from "../open.ts";
import { datasetOf } from "../reader.ts";
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
    const answer = (message: FromWorker) => port.postMessage(message);
    try {
      analysis ??= readAll(file);
      answer({ id, result: analysis.ask(question) });
    } catch (error) {
      answer({ id, error: messageOf(error) });
    }
  });
}

/** The columns of the file's rows; what was only needed to make them is let go of. */
function readAll(file: string): Analysis {
  const snapshot = openToReadThrough(file);
  const analysis = analysisOf(datasetOf(snapshot, "installed"));
  snapshot.database.close();
  Bun.gc(true);
  return analysis;
}
