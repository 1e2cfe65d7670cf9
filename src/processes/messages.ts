/** Messages between the workers and the process that owns the store, as JSON over IPC. */
import { type RefusalDetails, type RefusalKind, ServiceError } from "../errors.ts";
import type { Metric } from "../metrics.ts";
import type { Principal } from "../accounts/principal.ts";
import type { Admission, Caller, ChargeReason, Receipt } from "../operations/operation.ts";

/** A request for a decision that only the owner of the store can make; the answer repeats its id. */
export type DecisionRequest =
  | [id: number, what: "admit", caller: Caller, need: "credential" | "any", counted?: "calls" | "handshakes"]
  | [id: number, what: "checkLimits", caller: Caller, need: "credential" | "any"]
  | [id: number, what: "charge", principal: Principal, reason: ChargeReason];

/** Messages from a worker. */
export type FromWorker =
  | { kind: "decide"; requests: DecisionRequest[] }
  | { kind: "listening" }
  | { kind: "metrics"; metrics: Metric[]; residentBytes: number }
  /** A caller requested a company without rows. */
  | { kind: "wanted"; cik: string; mayStart: boolean };

/** The result of `admit`. */
export interface Admitted {
  admission: Admission;
  /** The receipt of a free answer; null if it has to be requested. */
  free: Receipt | null;
}

/** The outcome of a request. */
export type Outcome = { value?: unknown } | { refused: Refused } | { failed: string };

/** A refusal in transit to the process that answers it. */
export interface Refused {
  kind: RefusalKind;
  message: string;
  details: RefusalDetails;
}

/** Messages to a worker. */
export type ToWorker =
  | { kind: "outcomes"; outcomes: [id: number, outcome: Outcome][] }
  | { kind: "fetching"; cik: string; refusal: { retryAfterSeconds: number; message: string } | null }
  | { kind: "reload" }
  | { kind: "stop" };

/** Serializes an error. */
export function sentError(thrown: unknown): Outcome {
  if (thrown instanceof ServiceError) {
    const { kind, message, details } = thrown;
    return { refused: { kind, message, details } };
  }
  return { failed: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
}

/** Deserializes an error of the other process. */
export function receivedError(outcome: { refused: Refused } | { failed: string }): Error {
  if ("failed" in outcome) return new Error(`in the process that owns the store: ${outcome.failed}`);
  return receivedRefusal(outcome.refused);
}

/** Deserializes a refusal of the other process. */
export function receivedRefusal({ kind, message, details }: Refused): ServiceError {
  return new ServiceError(kind, message, details);
}
