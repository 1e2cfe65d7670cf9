/** A lock that is held. */
interface HeldLock {
  release(): Promise<void>;
}

const CONNECT_SECONDS = 5;

/** A lock that one server of a database has at a time. */
export interface AdvisoryLock {
  /**
   * Does work while this server has the lock, beside other work of it. Rejects where the database does not answer.
   *
   * @returns null, with nothing done, while another server has it
   */
  run<T>(work: () => Promise<T>): Promise<T | null>;
}

/** @param name what is locked */
export function advisoryLock(url: string, name: string): AdvisoryLock {
  let workers = 0;
  let held: Promise<HeldLock | null> | undefined;
  const leave = async () => {
    workers -= 1;
    if (workers > 0) return;
    const last = held;
    held = undefined;
    // A lock that could not be asked for is none to release; whoever asked for it was told.
    await (await last?.catch(() => null))?.release();
  };
  return {
    async run(work) {
      held ??= tryAdvisoryLock(url, name);
      workers += 1;
      try {
        return (await held) === null ? null : await work();
      } finally {
        await leave();
      }
    },
  };
}

/**
 * Takes a lock that all servers of a database see, or finds that another server has it. It goes with its connection:
 * a server that dies lets go of it.
 *
 * @param url of the database
 * @param name what is locked
 * @returns null while another one holds it. Rejects where the database does not answer
 */
async function tryAdvisoryLock(url: string, name: string): Promise<HeldLock | null> {
  const sql = new Bun.SQL(url, { max: 1, connectionTimeout: CONNECT_SECONDS });
  const close = () => sql.close({ timeout: 0 });
  const release = async () => {
    // The database ends a closed connection in its own time: the next one shall not find the lock held until then.
    await sql`SELECT pg_advisory_unlock(hashtext(${name}))`.catch(() => {});
    await close();
  };
  try {
    const rows: unknown = await sql`SELECT pg_try_advisory_lock(hashtext(${name})) AS held`;
    // The column of the statement above.
    const isHeld = Array.isArray(rows) && (rows[0] as { held?: unknown }).held === true;
    if (isHeld) return { release };
  } catch (error) {
    await close();
    throw error;
  }
  await close();
  return null;
}
