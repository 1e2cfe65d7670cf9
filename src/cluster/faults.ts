/** Errors of PostgreSQL and its connection, by possible remedy. */
export type PostgresFault =
  /** A concurrent change: retrying may succeed. */
  | "again"
  /** The connection failed or was lost, so the outcome of the last statement is unknown. */
  | "lost"
  /** The statement is at fault. */
  | "failed";

/** An answer took too long; the connection is abandoned. */
export class AnswerTimeout extends Error {
  constructor() {
    super("no answer in time");
  }
}

/** Serialization failures, deadlocks, unique violations by concurrent inserts, and locks not granted in time. */
const AGAIN = new Set(["40001", "40P01", "23505", "55P03"]);

/** Whether a statement gave up waiting for another transaction's lock. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "errno" in error && error.errno === "55P03";
}

/**
 * Codes for a server that is stopping, starting, full or read-only (a demoted primary), for statement timeouts, and for
 * a wrong database or password until it is corrected.
 * @see PostgreSQL, Appendix A
 */
const LOST = /^(08|53|57|58|25006|28|3D|40003|XX)/;

/** Classifies an error of Bun's client. */
export function postgresFaultOf(error: unknown): PostgresFault {
  if (!(error instanceof Error)) return "failed";
  // Also as the cause of a transaction in doubt.
  if (error instanceof AnswerTimeout || error.cause instanceof AnswerTimeout) return "lost";
  const cause = error.cause instanceof Error ? error.cause : error;
  const state = "errno" in cause ? String(cause.errno) : "";
  if (AGAIN.has(state)) return "again";
  if (/^[0-9A-Z]{5}$/.test(state)) return LOST.test(state) ? "lost" : "failed";
  const code = "code" in cause ? String(cause.code) : "";
  return code.startsWith("ERR_POSTGRES_") || /^E[A-Z]+$/.test(code) ? "lost" : "failed";
}

/** The reason for an operator's message; the client's messages never contain the password. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
