/** An acquired lock. */
interface HeldLock {
  release(): Promise<void>;
}

const CONNECT_SECONDS = 5;

/** A lock that one server of a database holds at a time. */
export interface AdvisoryLock {
  /**
   * Runs work while this server holds the lock, possibly concurrently with other work of this server. Rejects if the
   * database does not answer.
   *
   * @returns null, without running it, while another server holds the lock
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
    // If acquiring failed, there is nothing to release, and the error has been reported to the caller.
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
 * Tries to acquire a lock that is shared by all servers of a database. It belongs to its connection, so a server that
 * dies releases it.
 *
 * @param url of the database
 * @param name what is locked
 * @returns null while another server holds it. Rejects if the database does not answer
 */
async function tryAdvisoryLock(url: string, name: string): Promise<HeldLock | null> {
  const sql = new Bun.SQL(url, { max: 1, connectionTimeout: CONNECT_SECONDS });
  const close = () => sql.close({ timeout: 0 });
  const release = async () => {
    // The database closes connections with a delay; unlock explicitly, so that the next server need not wait for that.
    await sql`SELECT pg_advisory_unlock(hashtext(${name}))`.catch(() => {});
    await close();
  };
  try {
    const rows: unknown = await sql`SELECT pg_try_advisory_lock(hashtext(${name})) AS held`;
    // The column selected above.
    const isHeld = Array.isArray(rows) && (rows[0] as { held?: unknown }).held === true;
    if (isHeld) return { release };
  } catch (error) {
    await close();
    throw error;
  }
  await close();
  return null;
}
