import type { SQL } from "bun";
import { hashedId, WINDOW_SECONDS, type WindowSpec } from "../accounts/rate-limits/limits.ts";
import type { CountResult, WindowService } from "../accounts/rate-limits/shared-rate-limits.ts";
import { CONNECT_SECONDS } from "./connection.ts";
import { elementAt } from "../lib/checked-access.ts";

const WINDOW_MICROS = WINDOW_SECONDS * 1_000_000;

/** One connection for requests, one for cleanup. */
const MAX_CONNECTIONS = 2;
/** The same as the store's limit for this database. */
const MAX_WAIT_MS = 5000;
/** Interval at which expired windows are deleted. */
const TIDY_MS = 60_000;

/**
 * Times of a window's requests in microseconds of the database's clock, oldest first. The table is unlogged, so that
 * nothing waits for a disk; a crash of the database loses it, as with Valkey. Keys are locked in order, so that batches
 * of several servers cannot deadlock, and the clock is read after locking a row, so that times never decrease.
 */
const SCHEMA = `
CREATE UNLOGGED TABLE IF NOT EXISTS execcomp_windows (
  key text COLLATE "C" PRIMARY KEY,
  hits bigint[] NOT NULL
) WITH (fillfactor = 50);
CREATE OR REPLACE FUNCTION execcomp_count(keys text[], quotas int[], wanted int[])
RETURNS TABLE (used int, granted int, leaves bigint) LANGUAGE plpgsql AS $$
DECLARE
  times bigint[];
  now bigint;
  first int;
BEGIN
  FOR i IN 1 .. cardinality(keys) LOOP
    SELECT hits INTO times FROM execcomp_windows WHERE key = keys[i] FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO execcomp_windows VALUES (keys[i], '{}') ON CONFLICT DO NOTHING;
      SELECT hits INTO times FROM execcomp_windows WHERE key = keys[i] FOR UPDATE;
    END IF;
    now := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
    IF times[cardinality(times)] > now THEN
      -- The clock was set back: shift the times so that the newest request counts as just made.
      times := ARRAY(SELECT at - (times[cardinality(times)] - now)
                     FROM unnest(times) WITH ORDINALITY AS t (at, place) ORDER BY place);
    END IF;
    first := 1;
    WHILE first <= cardinality(times) AND times[first] <= now - ${WINDOW_MICROS} LOOP
      first := first + 1;
    END LOOP;
    times := times[first:];
    used := cardinality(times);
    granted := greatest(0, least(wanted[i], quotas[i] - used));
    leaves := coalesce(times[1], now) + ${WINDOW_MICROS} - now;
    IF granted > 0 THEN
      UPDATE execcomp_windows SET hits = times || array_fill(now, ARRAY[granted]) WHERE key = keys[i];
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;`;

/** Servers that start together create the table in sequence. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtext('execcomp_windows'))";

const TIDY = `DELETE FROM execcomp_windows WHERE key IN (
  SELECT key FROM execcomp_windows
  WHERE coalesce(hits[cardinality(hits)], 0) <= (extract(epoch FROM clock_timestamp()) * 1000000)::bigint - ${WINDOW_MICROS}
  FOR UPDATE SKIP LOCKED)`;

/**
 * Windows in PostgreSQL: exact, on the database's clock, with one statement for all requests of a turn. Creates its
 * table if needed.
 *
 * @param url postgres: URL with user, password and database
 */
export function postgresRateLimits(url: string): WindowService {
  let opened: { sql: SQL; ready: Promise<unknown> } | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;

  const open = () => {
    const sql = new Bun.SQL(url, { max: MAX_CONNECTIONS, connectionTimeout: CONNECT_SECONDS });
    const ready = sql.begin(async (tx) => {
      await tx.unsafe(LOCK);
      await tx.unsafe(SCHEMA).simple();
    });
    // Without cleanup the table only grows larger than needed; an unreachable database also fails the next request.
    timer = setInterval(() => void sql.unsafe(TIDY).catch(() => {}), TIDY_MS);
    timer.unref();
    return { sql, ready };
  };
  const close = () => {
    clearInterval(timer);
    void opened?.sql.close({ timeout: 0 }).catch(() => {});
    opened = undefined;
  };

  return {
    name: "postgresql",
    // A second batch would only wait for the rows of the first.
    maxUnderWay: 1,
    maxWaitMs: MAX_WAIT_MS,
    async acquire(requests) {
      opened ??= open();
      const { sql, ready } = opened;
      await ready;
      const windows = windowsOf(requests);
      const keys = windows.map(([key]) => key);
      const quotas = windows.map(([, ofWindow]) => elementAt(ofWindow, 0).quota);
      const counts = windows.map(([, ofWindow]) => ofWindow.length);
      const rows: unknown = await sql`SELECT used, granted, leaves FROM execcomp_count(
        ${sql.array(keys, "TEXT")}, ${sql.array(quotas, "INT")}, ${sql.array(counts, "INT")})`;
      return readResults(rows, windows);
    },
    async connect() {
      close();
      opened = open();
      await opened.ready;
    },
    close,
  };
}

/** The requests of a batch by window, in the order all servers lock them; each with its place in the batch. */
function windowsOf(requests: readonly Pick<WindowSpec, "id" | "quota">[]) {
  const places = requests.map(({ id, quota }, place) => ({ key: hashedId(id), quota, place }));
  return [...Map.groupBy(places, ({ key }) => key)].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function readResults(rows: unknown, windows: ReturnType<typeof windowsOf>): readonly CountResult[] {
  if (!Array.isArray(rows) || rows.length !== windows.length) throw new Error("an unexpected reply");
  const results: CountResult[] = [];
  for (const [at, [, ofWindow]] of windows.entries()) {
    // The columns selected above.
    const { used, granted, leaves } = rows[at] as { used: unknown; granted: unknown; leaves: unknown };
    for (const [nth, { place }] of ofWindow.entries()) {
      const isGranted = nth < Number(granted);
      results[place] = {
        granted: isGranted,
        used: Number(used) + (isGranted ? nth + 1 : Number(granted)),
        untilOldestLeavesMs: Number(leaves) / 1000,
      };
    }
  }
  return results;
}
