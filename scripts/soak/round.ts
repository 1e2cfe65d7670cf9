/**
 * Shared parts of rounds: a user, a server in a separate process, load on it, and a check of the state it left behind.
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sqliteCredits } from "../../src/accounts/credits.ts";
import { Keys } from "../../src/accounts/keys.ts";
import { Sessions } from "../../src/accounts/sessions.ts";
import { Users } from "../../src/accounts/users.ts";
import { realRuntime, type Runtime } from "../../src/runtime.ts";
import { STORE_FILE } from "../../src/store/folder.ts";
import { SqliteStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { SOURCES } from "../../test/support/program.ts";
import { type ServerProcess, startServerProcess } from "../../test/support/server-process.ts";

const CALLERS = 16;
/** Tabs of one person, each with one press at a time. */
const PRESSERS = 3;
const CHARGED = "/api/executive-compensation?ticker=AAPL";
/** A free answer. */
export const FREE = "/api/executive-compensation?ticker=AAPL&limit=1";

/** One answer of the server under load. */
export interface Answered {
  id: string;
  status: number;
  charged: boolean;
  /** A page's button; these count in no window. */
  isPage?: boolean;
  atMs: number;
}

/** A user with the 100 free credits and some more, its key, and the cookie value of a session. */
export async function newUser(dataDir: string, extraCredits: number) {
  const runtime = realRuntime();
  const store = new SqliteStore({ dataDir, runtime });
  const { user, session } = await signedIn(store, runtime);
  const { secret } = await new Keys(store, runtime).create(user.id, { name: "kill" });
  if (extraCredits > 0) await sqliteCredits(store, runtime).grant(user.id, extraCredits);
  await store.close();
  return { secret, session, userId: user.id };
}

/** A new user with a session, and its cookie's value. */
export async function signedIn(store: Store, runtime: Runtime) {
  const user = await new Users(store, runtime).findOrCreate(`${runtime.id()}@example.com`);
  const sessions = new Sessions(store, runtime);
  const browser = { address: "127.0.0.1", userAgent: null, previous: null };
  const { secret: session } = await store.transact((tx) => sessions.open(tx, user, browser, "link"));
  return { user, session };
}

/** Pages of a server on this machine want a session, and are then charged. */
export const PAGE_SETTINGS = { EXECCOMP_LOCAL_PAGES: "sign-in" };

/** A data folder that is kept between rounds, and the command that starts the server on it. */
export interface RoundPlace {
  dataDir: string;
  program: readonly string[];
}

/** The server of a round. */
export function startServer({ dataDir, program }: RoundPlace): Promise<ServerProcess> {
  return startServerProcess([], { dataDir, program, environment: PAGE_SETTINGS });
}

/**
 * Runs rounds as the command line asks (`--rounds`, `--executable`) and prints all violations, then what `tell` makes of the sums.
 * @returns the exit code: 1 if anything was wrong
 */
export async function runRounds<Round extends { wrong: string[] }>(
  standard: number,
  round: (n: number, place: RoundPlace) => Promise<Round>,
  tell: (sum: (count: (one: Round) => number) => number) => string,
): Promise<number> {
  const options = { rounds: { type: "string" }, executable: { type: "string" } } as const;
  const { values } = parseArgs({ options });
  const place = {
    dataDir: mkdtempSync(join(tmpdir(), "execcomp-rounds-")),
    program: values.executable === undefined ? SOURCES : [values.executable],
  };
  const rounds = Math.min(1000, Number(values.rounds ?? standard));
  const done: Round[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const result = await round(n, place);
    for (const line of result.wrong) console.log(`round ${n + 1}: ${line}`);
    done.push(result);
  }
  rmSync(place.dataDir, { recursive: true });
  const failed = done.filter(({ wrong }) => wrong.length > 0).length;
  const sums = tell((count) => done.reduce((sum, one) => sum + count(one), 0));
  console.log(`${rounds} ${sums}; ${failed} rounds with something wrong`);
  return failed === 0 ? 0 : 1;
}

/**
 * A signed-in person with a few tabs who presses the button of one company's page after the other, each once: 303 means
 * that it is open and cost a credit. @param onAnswer is told each answer; false ends it, as does a server that is gone
 */
export async function pressButtons(
  origin: string,
  { key, session }: { key: string; session: string },
  onAnswer: (id: string, status: number) => boolean,
): Promise<void> {
  const { port } = new URL(origin);
  const cookie = `execcomp_browser_${port}=${"b".repeat(43)}; execcomp_session_${port}=${session}`;
  const listed = await fetch(`${origin}/api/executive-compensation/tickers`, {
    headers: { "x-api-key": key },
  });
  const { tickers } = (await listed.json()) as { tickers: readonly string[] };
  const page = await fetch(`${origin}/t/AAPL`, { headers: { cookie } });
  const [, csrf = ""] = /name="csrf" value="([^"]*)"/.exec(await page.text()) ?? [];
  const left = tickers.values();
  const press = async (ticker: string) => {
    const answer = await fetch(`${origin}/t/${ticker}`, {
      method: "POST",
      body: new URLSearchParams({ csrf }),
      headers: { cookie, origin },
      redirect: "manual",
      keepalive: false,
    });
    await answer.bytes();
    return onAnswer(answer.headers.get("x-request-id") ?? "", answer.status);
  };
  const presser = async () => {
    for (const ticker of left) if (!(await press(ticker))) return;
  };
  await Promise.all(Array.from({ length: PRESSERS }, presser));
}

/**
 * Sixteen callers, each with one request at a time, of which one in four is free, and a person at the page buttons. Ends
 * when the server is gone.
 */
export async function putLoad(
  origin: string,
  { secret: key, session }: { secret: string; session: string },
  answers: Answered[],
): Promise<void> {
  const caller = async (number: number) => {
    for (let n = number; ; n += 1) {
      try {
        const answer = await fetch(origin + (n % 4 === 0 ? FREE : CHARGED), {
          headers: { "x-api-key": key },
        });
        const atMs = performance.now();
        const id = answer.headers.get("x-request-id") ?? "";
        const charged = answer.headers.get("credits-charged") === "1";
        answers.push({ id, status: answer.status, charged, atMs });
        await answer.arrayBuffer();
        // Spread over the round, so that the window is not full at the start.
        await Bun.sleep(answer.status === 200 ? 20 : 100);
      } catch {
        return;
      }
    }
  };
  const onAnswer = (id: string, status: number) => {
    const charged = status === 303;
    answers.push({ id, status: charged ? 200 : status, charged, isPage: true, atMs: performance.now() });
    return true;
  };
  const pressing = pressButtons(origin, { key, session }, onAnswer).catch(() => {});
  await Promise.all([pressing, ...Array.from({ length: CALLERS }, (_, number) => caller(number))]);
}

/** Callers with one request at a time each, of which the nth call is given n, until they are ended. */
export function startCallers(count: number, call: (n: number) => Promise<void>) {
  const over = new AbortController();
  const caller = async (first: number) => {
    for (let n = first; !over.signal.aborted; n += 1) await call(n);
  };
  const callers = Array.from({ length: count }, (_, number) => caller(number * 5));
  return {
    over: over.signal,
    async end() {
      over.abort();
      await Promise.all(callers);
    },
  };
}

/** Users who have paid for another number of pages than are open to them. Both stores take it. */
export const PAID_AND_OPENED = `
  SELECT id AS "user", coalesce(paid, 0) AS paid, coalesce(opened, 0) AS opened FROM users
  LEFT JOIN (SELECT user_id, -sum(amount_credits) AS paid FROM ledger WHERE operation LIKE 'page:%' GROUP BY user_id) AS p
    ON p.user_id = id
  LEFT JOIN (SELECT user_id, count(*) AS opened FROM page_openings GROUP BY user_id) AS o ON o.user_id = id
  WHERE coalesce(paid, 0) <> coalesce(opened, 0)`;

/** The total cost of each charged request of a user, and its number of entries. */
export function chargesOf(dataDir: string, userId: string): Map<string, { sum: number; entries: number }> {
  using client = new Database(join(dataDir, STORE_FILE), { readonly: true });
  const rows = client.query<{ id: string; sum: number; entries: number }, [string]>(
    "SELECT request_id AS id, sum(amount_credits) AS sum, count(*) AS entries FROM ledger" +
      " WHERE user_id = ? AND kind = 'charged' GROUP BY request_id",
  );
  return new Map(rows.all(userId).map(({ id, ...charge }) => [id, charge]));
}

/** Checks a store that no server has open, with SQLite and the ledgers: empty if all is well. */
export async function checkStore(dataDir: string): Promise<string[]> {
  const runtime = realRuntime();
  const store = new SqliteStore({ dataDir, runtime });
  try {
    const [sound] = store.client.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").all();
    const problems = await sqliteCredits(store, runtime).problems();
    const wrong = problems.map(({ userId, problem }) => `${userId}: ${problem}`);
    const unpaid = store.client
      .query<{ user: string; paid: number; opened: number }, []>(PAID_AND_OPENED)
      .all();
    for (const { user, paid, opened } of unpaid)
      wrong.push(`${user} paid for ${paid} pages, and ${opened} are open`);
    if (sound?.integrity_check !== "ok") wrong.push(`SQLite finds ${sound?.integrity_check ?? "nothing"}`);
    return wrong;
  } finally {
    await store.close();
  }
}
