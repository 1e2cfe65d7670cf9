/**
 * The process that runs one statement: `operations/sql.ts` starts it and passes the statement on standard input. The statement
 * runs in a worker thread, watched by this thread: a thread cannot be interrupted inside SQLite, but the process can be killed.
 */
import { counted } from "../../lib/text.ts";
import { workerAddress } from "../../threads.ts";
import { type SqlOutcome, SqlRequest } from "../../operations/sql.ts";
import type { FromSqlWorker, ToSqlWorker } from "../../analysis/sql/worker.ts";
import { command } from "../command.ts";

/** Memory limit of the process. SQLite's own limit (`hard_heap_limit`) has no effect in Bun's build. */
const MAX_RESIDENT_BYTES = 768 << 20;
/** Interval of memory checks, in which a statement can allocate about 10 MB. */
const LOOK_EVERY_MS = 5;

/** `execcomp sql-process`: used internally, and not listed. */
export const sqlProcess = command({
  name: "sql-process",
  summary: "Run one statement for another execcomp.",
  async run(_given, io) {
    const request = SqlRequest.assert(JSON.parse(await io.readStdin()));
    const outcome = await outcomeOf(request, io.loaded.config.dataDir);
    await io.write(outcome);
    // Not `exit`, which would wait for the worker thread.
    process.kill(process.pid, "SIGKILL");
    return 1;
  },
});

/** Runs the statement and returns the outcome as JSON. */
function outcomeOf({ statement, maxSeconds, file, ...size }: SqlRequest, dataDir: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const end = (outcome: SqlOutcome) => resolve(JSON.stringify(outcome));
  const worker = new Worker(workerAddress("analysis/sql/worker"));
  worker.addEventListener("message", ({ data }: MessageEvent<FromSqlWorker>) => {
    if ("began" in data) {
      const stopped = `The statement ran longer than ${counted(maxSeconds, "second")} and was stopped. Add filters, or join on cik and fiscal_year.`;
      setTimeout(() => end({ stopped }), maxSeconds * 1000);
      setInterval(() => {
        if (process.memoryUsage.rss() > MAX_RESIDENT_BYTES) end({ stopped: TOO_LARGE });
      }, LOOK_EVERY_MS);
    } else if ("result" in data) resolve(`{"result":${data.result}}`);
    else end(data);
  });
  worker.addEventListener("error", (event) => end({ error: event.message }));
  const message: ToSqlWorker = { dataDir, statement, size, ...(file === undefined ? {} : { file }) };
  worker.postMessage(message);
  return promise;
}

const TOO_LARGE = "The statement exceeded the memory limit. Select fewer rows or columns, or shorter text.";
