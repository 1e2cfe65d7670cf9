/**
 * Companies that somebody asked for and of which no rows are held: each is fetched once, however many ask, and nobody
 * waits on the line. Nothing is imported here but what serving has anyway; the work itself is loaded when it is needed.
 */
import { messageOf } from "../errors.ts";
import type { Company } from "../domain/company.ts";

/** What came of one company. */
export type OnDemandOutcome =
  /** Its rows are in the snapshot, which a server takes up within a second. */
  | { kind: "held" }
  /** Its filings were read and have no rows. */
  | { kind: "nothing"; why: string }
  /** Another server fetches now; it is this one's turn later. */
  | { kind: "elsewhere"; retryAtMs: number }
  /** EDGAR is out of reach, blocked, slow, or answers with an invalid body. */
  | { kind: "unavailable"; why: string; retryAtMs: number };

/** What the queue needs. */
export interface OnDemandDeps {
  now(): number;
  /** Fetches, reads and commits one company. Bounded in time. Rejects only for a bug or a full disk. */
  work(company: Company): Promise<OnDemandOutcome>;
  /** Told of every end. */
  onEnd?(company: Company, outcome: OnDemandOutcome): void;
}

/** What a caller is told who must come back. */
export interface RetryAfter {
  retryAfterSeconds: number;
  message: string;
}

/** The queue as operations see it (`OnDemand` of `operations/operation.ts`). */
export interface OnDemandQueue {
  request(company: Company, mayStart: boolean): RetryAfter | null;
  /** Companies waiting or under way. */
  readonly busy: number;
}

/** Companies fetched at a time; the rate limit makes more of them no faster. */
const AT_A_TIME = 2;
/** Companies that may wait; more are turned away, so that a caller cannot fill our memory or EDGAR's patience. */
const MAX_WAITING = 50;
/** Seconds that one company takes, roughly: a list, a document or two at 8 requests a second, and a new snapshot. */
const SECONDS_EACH = 5;
/** How long a company whose filings have no rows is left in peace. */
const NOTHING_FOR_MS = 24 * 60 * 60_000;
/** A server looks for a new snapshot every second; until then the company seems to have no rows. */
const ARRIVES_WITHIN_MS = 3000;
/** Outcomes remembered; the oldest are forgotten first. */
const MAX_REMEMBERED = 5000;

type State = "waiting" | "running" | Settled;

/** What came of a company, for a while. */
interface Settled {
  kind: "arriving" | "nothing" | "unavailable" | "elsewhere";
  untilMs: number;
}

/** An empty queue. */
export function createOnDemand(deps: OnDemandDeps): OnDemandQueue {
  const states = new Map<string, State>();
  const waiting: Company[] = [];
  let running = 0;

  function remember(cik: string, state: State): void {
    states.delete(cik);
    states.set(cik, state);
    for (const [oldest, one] of states) {
      if (states.size <= MAX_REMEMBERED) break;
      if (typeof one !== "string") states.delete(oldest);
    }
  }

  function startNext(): void {
    while (running < AT_A_TIME) {
      const company = waiting.shift();
      if (company === undefined) return;
      running++;
      remember(company.cik, "running");
      void run(company);
    }
  }

  async function run(company: Company): Promise<void> {
    const outcome = await deps.work(company).catch((error: unknown): OnDemandOutcome => {
      return { kind: "unavailable", why: messageOf(error), retryAtMs: deps.now() + 60_000 };
    });
    running--;
    remember(company.cik, stateAfter(outcome, deps.now()));
    deps.onEnd?.(company, outcome);
    startNext();
  }

  function present(cik: string): State | undefined {
    const state = states.get(cik);
    if (typeof state !== "object" || state.untilMs > deps.now()) return state;
    states.delete(cik);
    return undefined;
  }

  return {
    get busy() {
      return waiting.length + running;
    },
    request(company, mayStart) {
      const state = present(company.cik);
      if (state === "waiting" || state === "running") {
        return underway(company, waiting.indexOf(company) + 1);
      }
      if (state !== undefined) return toldOf(state, company, deps.now());
      if (!mayStart) return null;
      if (waiting.length >= MAX_WAITING) return turnedAway(company, waiting.length);
      remember(company.cik, "waiting");
      waiting.push(company);
      startNext();
      return underway(company, waiting.length);
    },
  };
}

/** What is remembered of a company behind its end. */
function stateAfter(outcome: OnDemandOutcome, nowMs: number): Settled {
  switch (outcome.kind) {
    case "held":
      return { kind: "arriving", untilMs: nowMs + ARRIVES_WITHIN_MS };
    case "nothing":
      return { kind: "nothing", untilMs: nowMs + NOTHING_FOR_MS };
    case "elsewhere":
      return { kind: "elsewhere", untilMs: outcome.retryAtMs };
    case "unavailable":
      return { kind: "unavailable", untilMs: outcome.retryAtMs };
  }
}

/** What whoever asks again is told meanwhile; null where there is nothing to come back for. */
function toldOf({ kind, untilMs }: Settled, company: Company, nowMs: number): RetryAfter | null {
  const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
  switch (kind) {
    case "nothing":
      return null;
    case "arriving":
      return {
        retryAfterSeconds: 1,
        message: `${filingOf(company)} has been read; its rows are about to be served.`,
      };
    case "elsewhere":
      return {
        retryAfterSeconds,
        message: `${filingOf(company)} waits for another server that is fetching from EDGAR. Ask again in ${retryAfterSeconds} seconds.`,
      };
    case "unavailable":
      // Why is for the operator's log: it names addresses that are the operator's own business.
      return {
        retryAfterSeconds,
        message: `No rows for ${nameOf(company)} yet, and EDGAR is unavailable right now.`,
      };
  }
}

function turnedAway(company: Company, queued: number): RetryAfter {
  const message = `No rows for ${nameOf(company)} yet, and ${queued} other companies are queued for EDGAR. Try again later.`;
  return { retryAfterSeconds: 30, message };
}

function underway(company: Company, before: number): RetryAfter {
  const retryAfterSeconds = SECONDS_EACH + Math.ceil((before * SECONDS_EACH) / AT_A_TIME);
  const message = `${filingOf(company)} is being fetched from EDGAR and read. Ask again in ${retryAfterSeconds} seconds.`;
  return { retryAfterSeconds, message };
}

function filingOf(company: Company): string {
  const { newestKnown } = company;
  if (newestKnown === null) return `The newest proxy statement of ${nameOf(company)}`;
  const { accession, filingDate } = newestKnown;
  return `The newest filing of ${nameOf(company)} (known: ${accession} of ${filingDate})`;
}

function nameOf({ name, cik }: Company): string {
  return `${name} (CIK ${cik})`;
}
