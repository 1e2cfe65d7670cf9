/** What PostgreSQL and the way to it answer when something fails, by what can be done about it. */
export type PostgresFault =
  /** Others changed what was read: the same again may do. */
  | "again"
  /** There was no connection, or it is gone: nothing is known of what was sent last. */
  | "lost"
  /** The statement itself. */
  | "failed";

/** Thrown where an answer took longer than anybody should wait; the connection is given up. */
export class SlowAnswer extends Error {
  constructor() {
    super("no answer in time");
  }
}

/** Serialization failures, deadlocks, and a row that somebody else has just made. */
const AGAIN = new Set(["40001", "40P01", "23505"]);

/**
 * Classes and codes of a server that ends, starts, is full or only reads (a primary that was demoted), of a statement that
 * took too long, and of a database or password that is wrong until somebody puts it right.
 * @see PostgreSQL, Appendix A
 */
const LOST = /^(08|53|57|58|25006|28|3D|40003|XX)/;

/** What an error of Bun's client tells. */
export function postgresFaultOf(error: unknown): PostgresFault {
  if (error instanceof SlowAnswer) return "lost";
  if (!(error instanceof Error)) return "failed";
  const cause = error.cause instanceof Error ? error.cause : error;
  const state = "errno" in cause ? String(cause.errno) : "";
  if (AGAIN.has(state)) return "again";
  if (/^[0-9A-Z]{5}$/.test(state)) return LOST.test(state) ? "lost" : "failed";
  const code = "code" in cause ? String(cause.code) : "";
  return code.startsWith("ERR_POSTGRES_") || /^E[A-Z]+$/.test(code) ? "lost" : "failed";
}

/** The reason in an operator's sentence; the client's own words never have the password in them. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
