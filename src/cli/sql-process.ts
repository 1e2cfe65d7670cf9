/**
 * The process in which one statement runs: `operations/sql.ts` starts it and tells it what to run on standard input. The
 * statement runs in a thread, and this one looks on: a thread cannot be ended inside SQLite, a process can.
 */
import { workerAddress } from "../worker-address.ts";
import { type SqlOutcome, SqlRequest } from "../operations/sql.ts";
import type { FromSqlWorker, ToSqlWorker } from "../snapshot/sql/worker.ts";
import { command } from "./command.ts";

/** What the process may take. SQLite's own limit (`hard_heap_limit`) is not in force in Bun's build of it. */
const MAX_RESIDENT_BYTES = 768 << 20;
/** A statement fills some 10 MB meanwhile. */
const LOOK_EVERY_MS = 5;

/** `execcomp sql-process`: for execcomp itself, in no list of commands. */
export const sqlProcess = command({
  name: "sql-process",
  summary: "Run one statement for another execcomp.",
  operands: [],
  flags: {},
  settings: [],
  examples: [],
  async run(_given, io) {
    const request = SqlRequest.assert(JSON.parse(await io.readStdin()));
    const outcome = await outcomeOf(request, io.loaded.config.dataDir);
    await io.write(outcome);
    // Not `exit`, which waits for the thread.
    process.kill(process.pid, "SIGKILL");
    return 1;
  },
});

/** The outcome as JSON. */
function outcomeOf({ statement, maxSeconds, ...size }: SqlRequest, dataDir: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const end = (outcome: SqlOutcome) => resolve(JSON.stringify(outcome));
  const worker = new Worker(workerAddress("snapshot/sql/worker"));
  worker.addEventListener("message", ({ data }: MessageEvent<FromSqlWorker>) => {
    if ("began" in data) {
      setTimeout(() => end({ refused: tooLong(maxSeconds) }), maxSeconds * 1000);
      setInterval(() => {
        if (process.memoryUsage.rss() > MAX_RESIDENT_BYTES) end({ refused: TOO_LARGE });
      }, LOOK_EVERY_MS);
    } else if ("result" in data) resolve(`{"result":${data.result}}`);
    else end(data);
  });
  worker.addEventListener("error", (event) => end({ error: event.message }));
  const told: ToSqlWorker = { dataDir, statement, size };
  worker.postMessage(told);
  return promise;
}

const TOO_LARGE =
  "The statement needs more memory than is allowed. Ask for fewer rows or columns, or shorter text.";

function tooLong(seconds: number): string {
  return `The statement ran longer than ${seconds} ${seconds === 1 ? "second" : "seconds"} and was stopped. Filter more, or join on cik and fiscal_year.`;
}
