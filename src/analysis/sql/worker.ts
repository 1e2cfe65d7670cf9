/** Worker that runs a statement, in a process that is killed if it exceeds its limits (`src/cli/questions/sql-process.ts`). */
import { ServiceError, messageOf } from "../../errors.ts";
import { openInUse } from "../../dataset/snapshots.ts";
import { confine, execute, executeToFile, type SqlSize } from "./execute.ts";

/** The message to the worker. */
export interface ToSqlWorker {
  dataDir: string;
  statement: string;
  size: SqlSize;
  /** Where the rows are written; absent if they are returned. */
  file?: string;
}

/** Messages from the worker: the statement has started; then its result as JSON, a refusal or an error. */
export type FromSqlWorker = { began: true } | { result: string } | { refused: string } | { error: string };

declare const self: Worker;

answerOn(self);

function answerOn(port: Worker): void {
  const say = (message: FromSqlWorker) => port.postMessage(message);
  port.addEventListener("message", ({ data }: MessageEvent<ToSqlWorker>) => {
    try {
      const { database } = openInUse(data.dataDir);
      say({ began: true });
      confine(database);
      const { statement, size, file } = data;
      const result =
        file === undefined
          ? execute(database, statement, size)
          : executeToFile(database, statement, file, size.maxRows);
      say({ result: JSON.stringify(result) });
    } catch (error) {
      if (error instanceof ServiceError) say({ refused: error.message });
      else say({ error: messageOf(error) });
    }
  });
}
