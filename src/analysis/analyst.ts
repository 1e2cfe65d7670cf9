/**
 * Runs analysis questions over all rows: on this thread while the dataset is small, on a worker thread when it is large, so
 * that requests for a single company do not wait. Measurements: docs/performance.md, "What grows".
 */
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
  ): Promise<ResultOf[Question["kind"]]>;
  /** Terminates the worker. */
  close(): void;
}

/** Creates an analyst; nothing is read until the first question. A worker handles datasets of more rows than `maxInlineRows`. */
export function createAnalyst({ maxInlineRows = MAX_INLINE_ROWS, patienceMs = PATIENCE_MS } = {}): Analyst {
  const inline = new WeakMap<Dataset, Analysis>();
  let thread: Thread | undefined;
  const end = () => {
    thread?.end();
    thread = undefined;
  };
  const ask = async (dataset: Dataset, question: AnalysisQuestion): Promise<AnalysisResult> => {
    if (dataset.file === null || dataset.info.rows <= maxInlineRows) {
      const analysis = inline.get(dataset) ?? analysisOf(dataset);
      inline.set(dataset, analysis);
      return analysis.ask(question);
    }
    if (thread?.file !== dataset.file || thread.isOver) {
      end();
      thread = new Thread(dataset.file, patienceMs);
    }
    return thread.ask(question);
  };
  // The result's kind is that of the question (`analysisOf`).
  return { ask: ask as Analyst["ask"], close: end };
}

/** A worker on the file of a dataset. */
class Thread {
  isOver = false;
  private readonly worker = new Worker(workerAddress("analysis/worker"));
  private readonly waiting = new Map<number, PromiseWithResolvers<AnalysisResult>>();
  private lastId = 0;
  private idle: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly file: string,
    private readonly patienceMs: number,
  ) {
    const { worker, waiting } = this;
    worker.unref();
    this.send({ file });
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      const question = waiting.get(data.id);
      waiting.delete(data.id);
      if ("result" in data) question?.resolve(data.result);
      else question?.reject(unreadable(data.error));
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.end();
    });
  }

  ask(question: AnalysisQuestion): Promise<AnalysisResult> {
    if (this.waiting.size >= MAX_WAITING)
      throw new ServiceError(
        "unavailable",
        "Too many questions across companies are waiting. Try again in a moment.",
        { retryAfterSeconds: 1 },
      );
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.end(), IDLE_MS);
    this.idle.unref();
    const answer = Promise.withResolvers<AnalysisResult>();
    this.waiting.set(++this.lastId, answer);
    this.send({ id: this.lastId, question });
    const patience = setTimeout(() => answer.reject(unreadable("it takes too long")), this.patienceMs);
    return answer.promise.finally(() => clearTimeout(patience));
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.idle);
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(unreadable("the dataset has changed"));
    this.waiting.clear();
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }
}

function unreadable(why: string): ServiceError {
  return new ServiceError("unavailable", `The question could not be answered (${why}). Try again.`, {
    retryAfterSeconds: 5,
  });
}
