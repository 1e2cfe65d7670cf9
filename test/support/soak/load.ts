/** Users under load, the requests and page buttons that they send, and what the ledger of either store must then be. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIRST_CREDITS } from "../../../src/accounts/credits.ts";
import { Keys } from "../../../src/accounts/keys.ts";
import { Sessions } from "../../../src/accounts/sessions.ts";
import { Users } from "../../../src/accounts/users.ts";
import { readCoverage } from "../../../src/dataset/coverage.ts";
import { openEmbedded } from "../../../src/dataset/embedded.ts";
import { datasetOf } from "../../../src/dataset/read-snapshot.ts";
import { realRuntime } from "../../../src/runtime.ts";
import type { Store } from "../../../src/store/store.ts";

const CALLERS = 16;
/** Tabs of one person, each with one press at a time. */
const TABS = 3;
const CHARGED = "/api/executive-compensation?ticker=AAPL";
/** A free answer. */
export const FREE = `${CHARGED}&limit=1`;

/** Pages of a server on this machine want a session, and are then charged. */
export const PAGE_SETTINGS = { EXECCOMP_LOCAL_PAGES: "sign-in" };

/** One answer of a server under load. */
interface Answer {
  status: number;
  /** Null for a page that another window may have paid for. */
  charged: boolean | null;
  /** A page's button; these count in no window. */
  isPage: boolean;
  atMs: number;
}

/** A user under load, and what is known of it apart from the ledger. */
export interface LoadedUser {
  userId: string;
  /** Cookie value of a signed-in browser. */
  session: string;
  keys: readonly string[];
  /** Credits at the beginning. */
  credits: number;
  /** By request id. */
  answers: Map<string, Answer>;
  /** Requests whose connection ended without an answer. */
  broken: number;
}

/** The parts of both stores' credits that are used. */
export interface CreditBooks {
  grant(userId: string, credits: number): Promise<unknown>;
  summary(userId: string): Promise<{ balance: number }>;
  problems(): Promise<readonly { userId: string; problem: string }[]>;
}

/** A new user with two keys and a session. @param credits at least 1 */
export async function makeUser(store: Store, books: CreditBooks, credits: number): Promise<LoadedUser> {
  const runtime = realRuntime();
  const user = await new Users(store, runtime).findOrCreate(`${runtime.id()}@example.com`);
  const sessions = new Sessions(store, runtime);
  const browser = { address: "127.0.0.1", userAgent: null, previous: null };
  const { secret: session } = await store.transact((tx) => sessions.open(tx, user, browser, "link"));
  const keys = new Keys(store, runtime);
  const both = [await keys.create(user.id, { name: "one" }), await keys.create(user.id, { name: "two" })];
  await books.grant(user.id, credits - FIRST_CREDITS);
  const secrets = both.map(({ secret }) => secret);
  return { userId: user.id, session, keys: secrets, credits, answers: new Map(), broken: 0 };
}

/** A load on servers, until it is ended. */
export interface Load {
  /** Charged answers of each server so far. */
  charged: readonly number[];
  end(): Promise<void>;
}

/**
 * Sixteen callers with one request at a time, each to the next server with another user, of which one in four is free; one person at
 * the page buttons of each server; and of several servers one with a window at each, who presses for the same rows in both at once.
 */
export function putLoad(servers: readonly { origin: string }[], users: readonly LoadedUser[]): Load {
  const charged = servers.map(() => 0);
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  /** Over a new connection: on a reused one `fetch` silently retries. @returns whether it was answered */
  const send = async (at: number, user: LoadedUser, path: string, more: RequestInit, isShared = false) => {
    const isPage = more.method === "POST";
    try {
      const url = `${servers[at]?.origin}${path}`;
      const answer = await fetch(url, { ...more, redirect: "manual", keepalive: false });
      await answer.bytes();
      const { headers, status } = answer;
      const isCharged = isShared ? null : isPage ? status === 303 : headers.get("credits-charged") === "1";
      const about = { status, charged: isCharged, isPage, atMs: performance.now() };
      user.answers.set(headers.get("x-request-id") ?? "", about);
      if (isCharged === true) charged[at] = (charged[at] ?? 0) + 1;
      // Spread over the round, so that a window is not full at the start.
      await Bun.sleep(status === 200 ? 20 : 100);
    } catch {
      user.broken += 1;
      await Bun.sleep(20);
    }
  };
  const caller = async (first: number) => {
    for (let n = first * 5; !isOver(); n += 1) {
      const user = users[(n >> 1) % users.length];
      const key = user?.keys[n % 2];
      if (user === undefined || key === undefined) throw new Error("no user");
      await send(n % servers.length, user, n % 4 === 0 ? FREE : CHARGED, { headers: { "x-api-key": key } });
    }
  };
  const person = async (at: number) => {
    // The credits of the first of several users run out; each of the others has a server.
    const user = users.length === 1 ? users[0] : users[at + 1];
    const server = servers[at];
    if (user === undefined || server === undefined) return;
    const form = await readForm(server.origin, user);
    const left = companiesWithHistory().values();
    const tab = async () => {
      for (const { ticker } of left) {
        if (isOver()) return;
        await send(at, user, `/t/${ticker}`, form);
      }
    };
    await Promise.all(Array.from({ length: TABS }, tab));
  };
  const inTwoWindows = async () => {
    const [one, other] = servers;
    const user = users.at(-1);
    if (one === undefined || other === undefined || user === undefined) return;
    const forms = [await readForm(one.origin, user), await readForm(other.origin, user)] as const;
    // Not those that the same person opens elsewhere.
    for (const { ticker, earlier } of companiesWithHistory().toReversed()) {
      if (isOver()) return;
      const [first, second] = sameRows(ticker, earlier);
      await Promise.all([send(0, user, first, forms[0], true), send(1, user, second, forms[1], true)]);
    }
  };
  const people = [...servers.map((_, at) => person(at)), inTwoWindows()].map((pressed) =>
    pressed.catch((error: unknown) => {
      // The server was killed while its page was read.
      if (!(error instanceof TypeError || error instanceof SyntaxError || isClosed(error))) throw error;
    }),
  );
  const callers = Array.from({ length: CALLERS }, (_, number) => caller(number));
  return {
    charged,
    async end() {
      over.abort();
      await Promise.all([...callers, ...people]);
    },
  };
}

/** Two addresses of the same rows, which are opened by different names. */
function sameRows(ticker: string, year: number): readonly [string, string] {
  const page = `/rankings?companies=${ticker}`;
  return [`${page}&fiscal_year=${year}`, `${page}&fiscal_year_gte=${year}&fiscal_year_lte=${year}`];
}

/** Companies with more than one year, and one before the latest: only what a viewer could not see before is charged. */
function companiesWithHistory(): { ticker: string; earlier: number }[] {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-soak-data-"));
  try {
    const coverage = readCoverage(datasetOf(openEmbedded(folder), "embedded"));
    return coverage.flatMap(({ ticker, years: [, second] }) =>
      ticker === "" || second === undefined ? [] : [{ ticker, earlier: second.fiscalYear }],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const isClosed = (error: unknown) =>
  error instanceof Error && /Conn|socket|closed|Unable/i.test(`${error.name} ${error.message}`);

/** The form behind the button of a company's page for a signed-in person. */
async function readForm(origin: string, { session }: LoadedUser) {
  const { port } = new URL(origin);
  const cookie = `execcomp_browser_${port}=${"b".repeat(43)}; execcomp_session_${port}=${session}`;
  const page = await fetch(`${origin}/t/AAPL`, { headers: { cookie } });
  const [, csrf = ""] = /name="csrf" value="([^"]*)"/.exec(await page.text()) ?? [];
  return { method: "POST", body: new URLSearchParams({ csrf }), headers: { cookie, origin } };
}

/** Users who have paid for another number of pages than are open to them. Both stores take it. */
const PAID_AND_OPENED = `
  SELECT id AS "userId", coalesce(paid, 0) AS paid, coalesce(opened, 0) AS opened FROM users
  LEFT JOIN (SELECT user_id, -sum(amount_credits) AS paid FROM ledger WHERE operation LIKE 'page:%' GROUP BY user_id) AS p
    ON p.user_id = id
  LEFT JOIN (SELECT user_id, count(*) AS opened FROM page_openings GROUP BY user_id) AS o ON o.user_id = id
  WHERE coalesce(paid, 0) <> coalesce(opened, 0)`;

/** Reads rows of a store past the service's own code, which is under test. */
export type ReadRows = (sql: string) => Promise<unknown>;

/** What the books say for themselves: balances that do not add up, and pages that are paid and not open. */
export async function checkBooks(rows: ReadRows, books: CreditBooks): Promise<string[]> {
  // The columns are those of the statement.
  const unpaid = (await rows(PAID_AND_OPENED)) as { userId: string; paid: number; opened: number }[];
  const wrong = unpaid.map((one) => `${one.userId} paid for ${one.paid} pages, and ${one.opened} are open`);
  const opened = (await rows('SELECT user_id AS "userId", subject FROM page_openings')) as {
    userId: string;
    subject: string;
  }[];
  // As `sameRows` has them.
  const meant = opened.map(({ userId, subject }) =>
    `${userId} ${subject}`.replace(/fiscal_year_gte=(\d+)&fiscal_year_lte=\1/, "fiscal_year=$1"),
  );
  const twice = meant.filter((one, at) => meant.indexOf(one) < at);
  wrong.push(...twice.map((one) => `${one} was opened twice`));
  return [...wrong, ...(await books.problems()).map(({ userId, problem }) => `${userId}: ${problem}`)];
}

/** The counts of a check, and all violations. */
export interface LedgerCheck {
  /** Charges in the ledger whose answer was cut off. */
  cutOff: number;
  /** Refused charges that were found in the store and reversed. */
  takenBack: number;
  wrong: string[];
}

/** Compares ledger and balances with the users' answers. */
export async function checkLedger(
  rows: ReadRows,
  books: CreditBooks,
  users: readonly LoadedUser[],
): Promise<LedgerCheck> {
  // The columns are those of the statement.
  const entries = (await rows(
    `SELECT user_id AS "userId", request_id AS "requestId", amount_credits AS amount FROM ledger WHERE kind = 'charged'`,
  )) as { userId: string; requestId: string; amount: number | string }[];
  const byUser = Map.groupBy(entries, ({ userId }) => userId);
  const found: LedgerCheck = { cutOff: 0, takenBack: 0, wrong: await checkBooks(rows, books) };
  for (const user of users) {
    const amounts = new Map<string, number[]>();
    for (const { requestId, amount } of byUser.get(user.userId) ?? [])
      amounts.set(requestId, [...(amounts.get(requestId) ?? []), Number(amount)]);
    const { cutOff, takenBack, wrong } = checkUser(user, amounts);
    found.cutOff += cutOff;
    found.takenBack += takenBack;
    found.wrong.push(...wrong);
    const { balance } = await books.summary(user.userId);
    const left = user.credits + [...amounts.values()].flat().reduce((sum, amount) => sum + amount, 0);
    if (balance !== left || left < 0)
      found.wrong.push(`${user.userId} has ${balance} credits, by its ledger ${left}`);
  }
  return found;
}

function checkUser(user: LoadedUser, amounts: ReadonlyMap<string, readonly number[]>): LedgerCheck {
  const found: LedgerCheck = { cutOff: 0, takenBack: 0, wrong: [] };
  for (const [id, { status, charged }] of user.answers) {
    const own = amounts.get(id) ?? [];
    const sum = own.reduce((all, amount) => all + amount, 0);
    if (![200, 303, 402, 429, 503].includes(status)) found.wrong.push(`request ${id} was answered ${status}`);
    const isRight = charged === null ? sum === 0 || sum === -1 : sum === (charged ? -1 : 0);
    if (!isRight || (charged === true && own.length !== 1))
      found.wrong.push(`request ${id} was answered ${status}, and its entries are [${own}]`);
    if (charged !== true && own.length === 2) found.takenBack += 1;
  }
  for (const [id, own] of amounts) {
    if (user.answers.has(id)) continue;
    const sum = own.reduce((all, amount) => all + amount, 0);
    if (sum === -1) found.cutOff += 1;
    else if (sum !== 0) found.wrong.push(`request ${id} was charged ${-sum} times`);
  }
  if (found.cutOff > user.broken)
    found.wrong.push(
      `${user.userId}: ${found.cutOff} charges without an answer, ${user.broken} requests were cut off`,
    );
  return found;
}

/** The answers of users with some property. */
export function countAnswers(users: readonly LoadedUser[], is: (answer: Answer) => boolean | null): number {
  return users.reduce(
    (sum, { answers }) => sum + [...answers.values()].filter((one) => is(one) === true).length,
    0,
  );
}
