/**
 * SQL statements over the documented views. Each runs in its own process, so that it cannot block the server and can be
 * killed at its time limit; see docs/decisions/sql.md.
 */
import { type } from "../domain/schema.ts";
import { ServiceError } from "../errors.ts";
import type { SqlFile, SqlResult } from "../analysis/sql/execute.ts";

/** A value in a result. */
export type { SqlValue } from "../analysis/sql/execute.ts";

/** The result of a statement. */
export type SqlAnswer = SqlResult;

/** Limits of a statement and its result. */
export interface SqlCaps {
  /** Default 1,000; at most 100,000. */
  readonly maxRows?: number;
  /** Bytes of the rows as JSON: default 1 MiB, at most 64 MiB. Rows beyond it are left out. */
  readonly maxBytes?: number;
  /** Default 10; at most 600. */
  readonly maxSeconds?: number;
  /** Ends the statement when the caller is gone. */
  readonly signal?: AbortSignal;
}

/** Limits of a statement whose rows go to a file. */
export interface SqlFileCaps {
  /** Default: all rows. */
  readonly maxRows?: number;
  readonly maxSeconds: number;
}

/** Runs SQL statements. */
export interface SqlRunner {
  /**
   * Runs one statement.
   * @throws ServiceError `invalid_parameter`: the statement is not allowed, failed, or exceeded its time or memory
   * @throws ServiceError `unavailable`: too many are waiting, or no process can be started
   */
  run(statement: string, caps?: SqlCaps): Promise<SqlAnswer>;
}

/** Runs a statement and writes its rows to a file, one JSON array a line. Throws as `SqlRunner.run`. */
export type RunSqlToFile = (statement: string, file: string, caps: SqlFileCaps) => Promise<SqlFile>;

/** The process's standard input. */
export const SqlRequest = type({
  statement: "string",
  maxRows: "number.integer >= 1",
  maxBytes: "1 <= number.integer <= 67108864",
  maxSeconds: "number.integer >= 1",
  "file?": "string",
});
/** A statement and its limits. */
export type SqlRequest = typeof SqlRequest.infer;

/** The process's standard output. */
const SqlOutcome = type({
  result: {
    columns: "string[]",
    rows: "(string | number | null)[][]",
    cut: "'rows' | 'bytes' | null",
    edition: "string",
  },
})
  .or({
    result: {
      columns: type({ name: "string", kind: "'whole' | 'double' | 'text'" }).array(),
      rows: "number",
      edition: "string",
      isCut: "boolean",
    },
  })
  .or({ refused: "string" })
  .or({ stopped: "string" })
  .or({ error: "string" });
/** What the process reports. */
export type SqlOutcome = typeof SqlOutcome.infer;

/** A statement that was stopped at its limit of time or memory. */
export class StatementStopped extends ServiceError {}

const DEFAULTS = { maxRows: 1000, maxBytes: 1 << 20, maxSeconds: 10 } as const;
/** Number of concurrent processes, each with up to 768 MiB. */
const MAX_PROCESSES = 2;
const MAX_WAITING = 16;
/** Time for a process to start and open its dataset, on top of the statement's own limit. */
const START_MS = 60_000;

/** @param program command line that starts this program, without the command */
export function createSqlRunner({
  program,
  dataDir,
}: {
  program: readonly string[];
  dataDir: string;
}): SqlRunner {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(statement, { signal, ...caps } = {}) {
      if (waiting.length >= MAX_WAITING)
        throw new ServiceError("unavailable", "Too many statements are waiting. Try again in a moment.", {
          retryAfterSeconds: 1,
        });
      if (running >= MAX_PROCESSES) await new Promise<void>((resolve) => void waiting.push(resolve));
      else running++;
      try {
        const result = await runInProcess(program, dataDir, { statement, ...DEFAULTS, ...caps }, signal);
        // As asked for: without a file.
        return result as SqlAnswer;
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}

/** Runs statements whose rows go to a file. @param program as of `createSqlRunner` */
export function sqlToFile(program: readonly string[], dataDir: string): RunSqlToFile {
  return async (statement, file, { maxSeconds, maxRows = Number.MAX_SAFE_INTEGER }) => {
    const request = { statement, file, maxSeconds, maxRows, maxBytes: DEFAULTS.maxBytes };
    // As asked for: with a file.
    return (await runInProcess(program, dataDir, request, undefined)) as SqlFile;
  };
}

async function runInProcess(
  program: readonly string[],
  dataDir: string,
  request: SqlRequest,
  signal: AbortSignal | undefined,
): Promise<SqlAnswer | SqlFile> {
  let told: string;
  try {
    const child = Bun.spawn([...program, "sql-process", "--data-dir", dataDir], {
      stdin: new Blob([JSON.stringify(request)]),
      stdout: "pipe",
      stderr: "ignore",
      timeout: START_MS + request.maxSeconds * 1000,
      killSignal: "SIGKILL",
      ...(signal === undefined ? {} : { signal }),
    });
    told = await Bun.readableStreamToText(child.stdout);
  } catch (error) {
    throw unavailable(String(error));
  }
  const outcome = readOutcome(told);
  if ("result" in outcome) return outcome.result;
  if ("stopped" in outcome) throw new StatementStopped("invalid_parameter", outcome.stopped);
  if ("refused" in outcome) throw new ServiceError("invalid_parameter", outcome.refused);
  throw unavailable(outcome.error);
}

/** Parses the process's output, which is missing or truncated if it was killed, for instance for lack of memory. */
function readOutcome(told: string): SqlOutcome {
  try {
    return SqlOutcome.assert(JSON.parse(told));
  } catch {
    return { error: "its process ended without an answer, possibly for lack of memory" };
  }
}

function unavailable(why: string): ServiceError {
  return new ServiceError("unavailable", `The statement could not be run (${why}). Try again.`, {
    retryAfterSeconds: 5,
  });
}
