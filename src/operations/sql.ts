/**
 * SQL statements over the documented views. Each runs in its own process, so that it cannot block the server and can be
 * killed at its time limit; see docs/decisions/sql.md.
 */
import { type } from "../lib/schema.ts";
import { invalid, ServiceError } from "../errors.ts";
import type { SqlFile, SqlResult as SqlAnswer } from "../analysis/sql/execute.ts";

/** The result of a statement, and a value in it. */
export type { SqlResult as SqlAnswer, SqlValue } from "../analysis/sql/execute.ts";

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

/** Runs SQL statements. */
export type SqlRunner = ReturnType<typeof createSqlRunner>;

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
/** Time for a process to start and open its dataset, on top of the statement's own limit. */
const START_MS = 60_000;

/** How a statement's process is started. */
interface SqlProcess {
  /** The command line that starts this program, without the command. */
  program: readonly string[];
  dataDir: string;
}

/** Runs statements, two at a time. */
export function createSqlRunner(process: SqlProcess) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    /**
     * Runs one statement.
     * @throws ServiceError `invalid_parameter`: the statement is not allowed, failed, or exceeded its time or memory
     * @throws ServiceError `unavailable`: no process can be started
     */
    async run(statement: string, { signal, ...caps }: SqlCaps = {}): Promise<SqlAnswer> {
      if (running >= MAX_PROCESSES) await new Promise<void>((resolve) => void waiting.push(resolve));
      else running++;
      try {
        const result = await runInProcess(process, { statement, ...DEFAULTS, ...caps }, signal);
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

/** Runs a statement and writes its rows to a file, one JSON array a line. Throws as `SqlRunner.run`. */
export async function sqlToFile(
  process: SqlProcess,
  request: Pick<SqlRequest, "statement" | "maxRows" | "maxSeconds"> & { file: string },
): Promise<SqlFile> {
  // As asked for: with a file.
  return (await runInProcess(process, { ...DEFAULTS, ...request })) as SqlFile;
}

async function runInProcess(
  { program, dataDir }: SqlProcess,
  request: SqlRequest,
  signal?: AbortSignal,
): Promise<SqlAnswer | SqlFile> {
  let output: string;
  try {
    const child = Bun.spawn([...program, "sql-process", "--data-dir", dataDir], {
      stdin: new Blob([JSON.stringify(request)]),
      stdout: "pipe",
      stderr: "ignore",
      timeout: START_MS + request.maxSeconds * 1000,
      killSignal: "SIGKILL",
      ...(signal === undefined ? {} : { signal }),
    });
    output = await Bun.readableStreamToText(child.stdout);
  } catch (error) {
    throw unavailable(String(error));
  }
  const outcome = readOutcome(output);
  if ("result" in outcome) return outcome.result;
  if ("stopped" in outcome) throw new StatementStopped("invalid_parameter", outcome.stopped);
  if ("refused" in outcome) throw invalid(outcome.refused);
  throw unavailable(outcome.error);
}

/** Parses the process's output, which is missing or truncated if it was killed, for instance for lack of memory. */
function readOutcome(output: string): SqlOutcome {
  try {
    return SqlOutcome.assert(JSON.parse(output));
  } catch {
    return { error: "its process ended without an answer, possibly for lack of memory" };
  }
}

function unavailable(why: string): ServiceError {
  return new ServiceError("unavailable", `The statement could not be run (${why}). Try again.`, {
    retryAfterSeconds: 5,
  });
}
