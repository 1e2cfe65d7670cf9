/** Rounds of the store in a data folder: a server is killed under load, or its flushes to disk fail, and what it left behind is checked. */
import { existsSync, readFileSync } from "node:fs";
import { sqliteCredits } from "../../../src/accounts/credits.ts";
import { realRuntime } from "../../../src/runtime.ts";
import { SqliteStore } from "../../../src/store/open.ts";
import { type ServerProcess, startServerProcess } from "../server-process.ts";
import { until } from "../until.ts";
import {
  checkBooks,
  checkLedger,
  countAnswers,
  FREE,
  type LedgerCheck,
  type Load,
  type LoadedUser,
  makeUser,
  PAGE_SETTINGS,
  putLoad,
} from "./load.ts";

/** Requests of a key in a minute. */
const QUOTA = 600;
/** Free requests of the last second are not on disk when a server is killed. */
const FORGIVEN_MS = 1000;

/** A data folder that is kept between rounds, and the command that starts the server on it. */
export interface Place {
  dataDir: string;
  program: readonly string[];
}

/** The result of one round. */
export interface Round extends LedgerCheck {
  /** Charged answers, page buttons among them, and refusals for want of credits and because the store failed. */
  charged: number;
  pages: number;
  noCredits: number;
  unavailable: number;
}

/** The store of a data folder that no server has open. */
async function withStore<Of>(dataDir: string, use: (store: SqliteStore) => Promise<Of>): Promise<Of> {
  const store = new SqliteStore({ dataDir, runtime: realRuntime() });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

const rowsOf = (store: SqliteStore) => async (sql: string) => store.client.query(sql).all();
const booksOf = (store: SqliteStore) => sqliteCredits(store, realRuntime());

/** Checks a store with SQLite and its books: empty if all is well. */
export function checkStore(dataDir: string): Promise<string[]> {
  return withStore(dataDir, async (store) => {
    const [sound] = store.client.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").all();
    const wrong = await checkBooks(rowsOf(store), booksOf(store));
    if (sound?.integrity_check !== "ok") wrong.push(`SQLite finds ${sound?.integrity_check ?? "nothing"}`);
    return wrong;
  });
}

/** One server under the load of one user, until `end` has ended it. */
async function roundWith(
  { dataDir, program }: Place,
  credits: number,
  end: (server: ServerProcess, user: LoadedUser, load: Load) => Promise<void>,
): Promise<{ user: LoadedUser; round: Round }> {
  const user = await withStore(dataDir, (store) => makeUser(store, booksOf(store), credits));
  const server = await startServerProcess([], { dataDir, program, environment: PAGE_SETTINGS });
  const load = putLoad([server], [user]);
  await end(server, user, load);
  await load.end();
  const sound = await checkStore(dataDir);
  const check = await withStore(dataDir, (store) => checkLedger(rowsOf(store), booksOf(store), [user]));
  const count = (is: Parameters<typeof countAnswers>[1]) => countAnswers([user], is);
  const round = {
    ...check,
    wrong: [...new Set([...sound, ...check.wrong])],
    charged: count(({ charged }) => charged),
    pages: count(({ charged, isPage }) => charged && isPage),
    noCredits: count(({ status }) => status === 402),
    unavailable: count(({ status }) => status === 503),
  };
  return { user, round };
}

/**
 * SIGKILL under load. At the next start the windows know every charge, and all but the last second of other requests.
 * @param moment when it comes after the first charge, and `wealth` how much credit the user has: both from 0 to 1
 */
export async function killRound(
  { moment, wealth }: { moment: number; wealth: number },
  place: Place,
): Promise<Round> {
  let killedMs = 0;
  const { user, round } = await roundWith(place, 100 + Math.floor(wealth * 300), async (server, _, load) => {
    await until("a charge is answered", () => (load.charged[0] ?? 0) > 0);
    await Bun.sleep(moment * 1700);
    killedMs = performance.now();
    await server.stop("SIGKILL");
  });
  const used = countAnswers(
    [user],
    ({ status, charged, isPage, atMs }) =>
      !isPage && status !== 429 && (charged || atMs < killedMs - FORGIVEN_MS),
  );
  const again = await startServerProcess([], { ...place, environment: PAGE_SETTINGS });
  const fits = await countFitting(again.origin, user.keys);
  await again.stop("SIGKILL");
  // Time has passed since the first answers, but less than a window: nothing has left it.
  const most = QUOTA * user.keys.length - used;
  if (fits > most)
    round.wrong.push(`${fits} requests fit where ${used} must be remembered and ${most} are left`);
  return round;
}

async function countFitting(origin: string, keys: readonly string[]): Promise<number> {
  let fits = 0;
  for (const key of keys) {
    for (let n = 0; n <= QUOTA; n += 1) {
      const answer = await fetch(origin + FREE, { headers: { "x-api-key": key } });
      await answer.arrayBuffer();
      if (answer.status === 429) break;
      fits += 1;
    }
  }
  return fits;
}

/** Whether flushes can be made to fail here: strace must be allowed to trace processes. */
export function canInject(): boolean {
  if (Bun.which("strace") === null) return false;
  return Bun.spawnSync(["strace", "-qq", "-o", "/dev/null", "-e", "inject=fsync:error=EIO", "true"]).success;
}

/** How flushes fail: the first that does, how many (Infinity: all from then on), and how the server ends. */
interface Failing {
  first: number;
  failing: number;
  end: "SIGKILL" | "SIGTERM";
}

/** Flushes that fail under load. Linux only: strace makes the system call fail. */
export async function flushRound({ first, failing, end }: Failing, place: Place): Promise<Round> {
  const when = failing === Infinity ? `${first}+` : `${first}..${first + failing - 1}`;
  const inject = `inject=fdatasync,fsync:error=EIO:when=${when}`;
  const strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync", "-e", inject];
  // More credits than are charged until a flush fails: each flush may have some twenty.
  const traced = { ...place, program: [...strace, ...place.program] };
  const { round } = await roundWith(traced, 10_000, async ({ pid }, user, load) => {
    const refused = () => countAnswers([user], ({ status }) => status === 503);
    await until("a charge is refused", () => refused() > 0);
    const since = load.charged[0] ?? 0;
    if (failing !== Infinity) await until("it charges again", () => (load.charged[0] ?? 0) > since);
    // The server is strace's only child.
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0];
    process.kill(Number(child), end);
    await until("the server is gone", () => !existsSync(`/proc/${pid}`));
  });
  return round;
}
