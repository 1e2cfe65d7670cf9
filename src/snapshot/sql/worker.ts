/** The thread in which a statement runs, in a process that is killed where it takes too much (`src/cli/sql-process.ts`). */
import { ServiceError, messageOf } from "../../errors.ts";
import { openInUse } from "../snapshots.ts";
import { confine, execute, type SqlSize } from "./execute.ts";

/** What the thread is told. */
export interface ToSqlWorker {
  dataDir: string;
  statement: string;
  size: SqlSize;
}

/** What it says: first that the statement begins, then its result as JSON, why it is refused, or a bug. */
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
      say({ result: JSON.stringify(execute(database, data.statement, data.size)) });
    } catch (error) {
      if (error instanceof ServiceError) say({ refused: error.message });
      else say({ error: messageOf(error) });
    }
  });
}
