/**
 * The queue of companies that were requested but have no rows: each is fetched once, whatever the number of requests, which
 * do not wait for it. This module imports only what serving needs anyway; the work itself is loaded when needed.
 */
import { messageOf } from "../errors.ts";
import type { Company } from "../domain/company.ts";

/** The result for one company. */
export type OnDemandOutcome =
  /** Its rows are in the snapshot, which servers pick up within a second. */
  | { kind: "held" }
  /** Its filings were read and have no rows. */
  | { kind: "nothing"; why: string }
  /** Another server is fetching; this one has to wait. */
  | { kind: "elsewhere"; retryAtMs: number }
  /** EDGAR is unreachable, blocking, slow, or returns an invalid body. */
  | { kind: "unavailable"; why: string; retryAtMs: number };

/** Dependencies of the queue. */
export interface OnDemandDeps {
  now(): number;
  /** Fetches, reads and commits one company, in bounded time. Rejects only on a bug or a full disk. */
  work(company: Company): Promise<OnDemandOutcome>;
  /** Called with every result. */
  onEnd?(company: Company, outcome: OnDemandOutcome): void;
}

/** The answer to a caller who has to try again later. */
export interface RetryAfter {
  retryAfterSeconds: number;
  message: string;
}

/** Companies fetched concurrently; because of the rate limit, more would not be faster. */
const AT_A_TIME = 2;
/** Maximum companies in the queue; further ones are refused, so that callers can exhaust neither our memory nor EDGAR's limits. */
const MAX_WAITING = 50;
/** Approximate seconds per company: a list, one or two documents at 8 requests per second, and a new snapshot. */
const SECONDS_EACH = 5;
/** How long results last: servers check for a new snapshot every second; what has no rows is not fetched again for a day. */
const LASTS_MS = { held: 3000, nothing: 24 * 60 * 60_000 } as const;
/** Maximum results to remember; the oldest are dropped first. */
const MAX_REMEMBERED = 5000;

type State = "waiting" | "running" | Settled;

/** The result for a company, valid for a limited time. */
interface Settled {
  kind: OnDemandOutcome["kind"];
  untilMs: number;
}

/** Creates an empty queue: `OnDemand` of `operations/operation.ts`. */
export function createOnDemand(deps: OnDemandDeps) {
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
    remember(company.cik, settled(outcome, deps.now()));
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
    /** Number of companies waiting or being fetched. */
    get busy() {
      return waiting.length + running;
    },
    request(company: Company, mayStart: boolean): RetryAfter | null {
      const state = present(company.cik);
      if (state === "waiting" || state === "running") return underway(company, waiting.indexOf(company) + 1);
      if (state !== undefined) return retryAfterOf(state, company, deps.now());
      if (!mayStart) return null;
      if (waiting.length >= MAX_WAITING) return queueFull(company, waiting.length);
      remember(company.cik, "waiting");
      waiting.push(company);
      startNext();
      return underway(company, waiting.length);
    },
  };
}

function settled(outcome: OnDemandOutcome, nowMs: number): Settled {
  const untilMs = "retryAtMs" in outcome ? outcome.retryAtMs : nowMs + LASTS_MS[outcome.kind];
  return { kind: outcome.kind, untilMs };
}

/** The answer to repeated requests; null if there is nothing to wait for. */
function retryAfterOf({ kind, untilMs }: Settled, company: Company, nowMs: number): RetryAfter | null {
  if (kind === "nothing") return null;
  if (kind === "held")
    return {
      retryAfterSeconds: 1,
      message: `${filingOf(company)} has been read; its rows are about to be served.`,
    };
  const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
  const message =
    kind === "elsewhere"
      ? `${filingOf(company)} is waiting for another server that is fetching from EDGAR. Try again in ${retryAfterSeconds} seconds.`
      : // The reason is only for the operator's log: it contains internal addresses.
        `No rows for ${nameOf(company)} yet, and EDGAR is unavailable right now.`;
  return { retryAfterSeconds, message };
}

function queueFull(company: Company, queued: number): RetryAfter {
  const message = `No rows for ${nameOf(company)} yet, and ${queued} other companies are queued for EDGAR. Try again later.`;
  return { retryAfterSeconds: 30, message };
}

function underway(company: Company, before: number): RetryAfter {
  const retryAfterSeconds = SECONDS_EACH + Math.ceil((before * SECONDS_EACH) / AT_A_TIME);
  const message = `${filingOf(company)} is being fetched from EDGAR and read. Try again in ${retryAfterSeconds} seconds.`;
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
