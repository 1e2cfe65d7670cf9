/** What workers and the process that owns the store say to each other, as JSON over the channel between them. */
import { type RefusalDetails, type RefusalKind, ServiceError } from "../errors.ts";
import type { Metric } from "../metrics/registry.ts";
import type { Principal } from "../auth/principal.ts";
import type { Admission, Caller, ChargeReason, Receipt } from "../operations/operation.ts";

/** A decision that only the owner of the store makes, under a number that its answer repeats. */
export type DecisionRequest =
  | [id: number, what: "admit", caller: Caller, need: "credential" | "any", counted?: "calls" | "handshakes"]
  | [id: number, what: "checkLimits", caller: Caller, need: "credential" | "any"]
  | [id: number, what: "charge", principal: Principal, reason: ChargeReason];

/** From a worker. */
export type FromWorker =
  | { kind: "decide"; requests: DecisionRequest[] }
  | { kind: "listening" }
  | { kind: "metrics"; metrics: Metric[]; residentBytes: number }
  /** Somebody asks for a company of which no rows are there. */
  | { kind: "wanted"; cik: string; mayStart: boolean };

/** The value of `admit`. */
export interface Admitted {
  admission: Admission;
  /** The receipt of an answer that costs this caller nothing; null where it has to be asked for. */
  free: Receipt | null;
}

/** What came of one request. */
export type Outcome = { value?: unknown } | { refused: Refused } | { failed: string };

/** A refusal on its way to the process that says it. */
export interface Refused {
  kind: RefusalKind;
  message: string;
  details: RefusalDetails;
}

/** To a worker. */
export type ToWorker =
  | { kind: "outcomes"; outcomes: [id: number, outcome: Outcome][] }
  | { kind: "fetching"; cik: string; told: { retryAfterSeconds: number; message: string } | null }
  | { kind: "reload" }
  | { kind: "stop" };

/** What was thrown, as it can be sent. */
export function sentError(thrown: unknown): Outcome {
  if (thrown instanceof ServiceError) {
    const { kind, message, details } = thrown;
    return { refused: { kind, message, details } };
  }
  return { failed: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
}

/** What was thrown in the other process. */
export function receivedError(outcome: { refused: Refused } | { failed: string }): Error {
  if ("failed" in outcome) return new Error(`in the process that owns the store: ${outcome.failed}`);
  return receivedRefusal(outcome.refused);
}

/** A refusal of the other process. */
export function receivedRefusal({ kind, message, details }: Refused): ServiceError {
  return new ServiceError(kind, message, details);
}
