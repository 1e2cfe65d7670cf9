/**
 * Runs analysis questions over all rows: on this thread while the dataset is small, on a worker thread when it is large, so
 * that requests for a single company do not wait. Reasons and measurements: docs/decisions/analysis.md.
 */
import type { MaybePromise } from "../domain/maybe-promise.ts";
import { ServiceError } from "../errors.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { workerAddress } from "../threads.ts";
import {
  type Analysis,
  analysisOf,
  type AnalysisQuestion,
  type AnalysisResult,
  type ResultOf,
} from "./index.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

/** Up to this many rows, questions are answered inline: none takes more than 2 ms. */
const MAX_INLINE_ROWS = 20_000;
/** Questions that may wait for the worker; further ones are refused with a retry hint. */
const MAX_WAITING = 64;
/** How long a caller waits for an answer: less than a connection may be silent. The worker goes on, so that a later call is quick. */
const PATIENCE_MS = 20_000;
/** The worker is terminated after this long without a question: it holds a numeric copy of every row. */
const IDLE_MS = 10 * 60_000;

/** Answers questions over the rows of the dataset in use. */
export interface Analyst {
  /** Refuses with `unavailable` when too many questions are waiting or the dataset cannot be read. */
  ask<Question extends AnalysisQuestion>(
    dataset: Dataset,
    question: Question,
  ): MaybePromise<ResultOf[Question["kind"]]>;
  /** Terminates the worker. */
  close(): void;
}

/** Creates an analyst; nothing is read until the first question. A worker handles datasets of more rows than `maxInlineRows`. */
export function createAnalyst({ maxInlineRows = MAX_INLINE_ROWS, patienceMs = PATIENCE_MS } = {}): Analyst {
  const inline = new WeakMap<Dataset, Analysis>();
  let thread: ReturnType<typeof openThread> | undefined;
  const end = () => {
    thread?.end();
    thread = undefined;
  };
  const ask = (dataset: Dataset, question: AnalysisQuestion): MaybePromise<AnalysisResult> => {
    if (dataset.file === null || dataset.info.rows <= maxInlineRows) {
      const known = inline.get(dataset) ?? analysisOf(dataset);
      inline.set(dataset, known);
      return known.ask(question);
    }
    if (thread?.file !== dataset.file || thread.ended) {
      end();
      thread = openThread(dataset.file, patienceMs);
    }
    return thread.ask(question);
  };
  // The result's kind is that of the question (`analysisOf`).
  return { ask: ask as Analyst["ask"], close: end };
}

function openThread(file: string, patienceMs: number) {
  const worker = new Worker(workerAddress("analysis/worker"));
  worker.unref();
  const send = (message: ToWorker) => worker.postMessage(message);
  send({ file });
  const waiting = new Map<number, { resolve(result: AnalysisResult): void; reject(error: unknown): void }>();
  let lastId = 0;
  let ended = false;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    if (ended) return;
    ended = true;
    clearTimeout(idle);
    worker.terminate();
    for (const { reject } of waiting.values()) reject(unreadable("the dataset has changed"));
    waiting.clear();
  };
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
    const question = waiting.get(data.id);
    waiting.delete(data.id);
    if ("result" in data) question?.resolve(data.result);
    else question?.reject(unreadable(data.error));
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    end();
  });
  return {
    file,
    get ended() {
      return ended;
    },
    ask(question: AnalysisQuestion): Promise<AnalysisResult> {
      if (waiting.size >= MAX_WAITING)
        throw new ServiceError(
          "unavailable",
          "Too many questions across companies are waiting. Try again in a moment.",
          { retryAfterSeconds: 1 },
        );
      clearTimeout(idle);
      idle = setTimeout(end, IDLE_MS);
      idle.unref();
      const { promise, resolve, reject } = Promise.withResolvers<AnalysisResult>();
      waiting.set(++lastId, { resolve, reject });
      send({ id: lastId, question });
      const patience = setTimeout(() => reject(unreadable("it takes too long")), patienceMs);
      return promise.finally(() => clearTimeout(patience));
    },
    end,
  };
}

function unreadable(why: string): ServiceError {
  return new ServiceError("unavailable", `The question could not be answered (${why}). Try again.`, {
    retryAfterSeconds: 5,
  });
}
