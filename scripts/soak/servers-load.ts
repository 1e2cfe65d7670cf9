/** Users of three servers on one PostgreSQL, the charged requests that they send, and what the ledger must then be. */
import { SQL } from "bun";
import { FIRST_CREDITS } from "../../src/accounts/credits.ts";
import { Keys } from "../../src/accounts/keys.ts";
import { postgresCredits } from "../../src/cluster/charges.ts";
import type { PostgresStore } from "../../src/cluster/store.ts";
import { realRuntime } from "../../src/runtime.ts";
import type { SeededRandom } from "../../test/support/seeded-random.ts";
import type { ServerProcess } from "../../test/support/server-process.ts";
import { PAID_AND_OPENED, pressButtons, signedIn, startCallers } from "./round.ts";

/** A user under load, and what is known of it apart from the ledger. */
export interface LoadedUser {
  userId: string;
  /** Cookie value of a signed-in browser. */
  session: string;
  keys: readonly string[];
  grantedCredits: number;
  /** Status by request id, of requests that were answered. */
  answers: Map<string, number>;
  /** Requests whose connection ended without an answer. */
  broken: number;
}

const USERS = 4;
const CALLERS = 12;
const HISTORY = "/api/executive-compensation?ticker=AAPL";

/** One whose credits run out within the round, the others with enough; two keys each. */
export async function makeUsers(store: PostgresStore, random: SeededRandom): Promise<LoadedUser[]> {
  const runtime = realRuntime();
  const keys = new Keys(store, runtime);
  const users: LoadedUser[] = [];
  for (let n = 0; n < USERS; n += 1) {
    const { user, session } = await signedIn(store, runtime);
    const { id: userId } = user;
    const pair = [await keys.create(userId, { name: "one" }), await keys.create(userId, { name: "two" })];
    const grantedCredits = n === 0 ? -random.whole(50, 95) : 100_000;
    await postgresCredits(store, runtime).grant(userId, grantedCredits);
    const secrets = pair.map(({ secret }) => secret);
    users.push({ userId, session, keys: secrets, grantedCredits, answers: new Map(), broken: 0 });
  }
  return users;
}

/**
 * Callers with one charged request at a time, each to the next server with another user, and one person at the page
 * buttons of each server.
 */
export function putLoad(servers: readonly ServerProcess[], users: readonly LoadedUser[]) {
  const answered = servers.map(() => 0);
  const call = async (at: number, user: LoadedUser, key: string) => {
    try {
      // Over a new connection: on a reused one `fetch` silently retries.
      const headers = { "x-api-key": key };
      const answer = await fetch(`${servers[at]?.origin}${HISTORY}`, { headers, keepalive: false });
      await answer.bytes();
      const { status } = answer;
      user.answers.set(answer.headers.get("x-request-id") ?? "", status);
      if (status === 200) answered[at] = (answered[at] ?? 0) + 1;
    } catch {
      user.broken += 1;
    }
    await Bun.sleep(10);
  };
  const { over, end } = startCallers(CALLERS, async (n) => {
    const user = users[(n >> 1) % users.length];
    const key = user?.keys[n % user.keys.length];
    if (user !== undefined && key !== undefined) await call(n % servers.length, user, key);
  });
  const presser = async ({ origin }: ServerProcess, user: LoadedUser) => {
    const [key = ""] = user.keys;
    try {
      await pressButtons(origin, { key, session: user.session }, (id, status) => {
        user.answers.set(id, status === 303 ? 200 : status);
        return !over.aborted;
      });
    } catch {
      user.broken += 1;
    }
  };
  const pressers = servers.flatMap((server, at) => {
    // The first user's credits run out; each of the others has a server of its own.
    const user = users[at + 1];
    return user === undefined ? [] : [presser(server, user)];
  });
  return { answered, end: () => Promise.all([end(), ...pressers]) };
}

interface Entry {
  userId: string;
  requestId: string;
  amount: number;
}

/** Findings in the users' ledgers: charges without an answer, and all violations. */
export interface LedgerCheck {
  cutOff: number;
  wrong: string[];
}

/** Compares ledger and balances with the callers' answers. */
export async function checkLedger(
  url: string,
  store: PostgresStore,
  users: readonly LoadedUser[],
): Promise<LedgerCheck> {
  // Bypasses the service's own code, which is under test.
  await using sql = new SQL(url, { max: 1 });
  const entries: Entry[] =
    await sql`SELECT user_id AS "userId", request_id AS "requestId", amount_credits::int AS amount FROM ledger WHERE kind = 'charged'`;
  const byUser = Map.groupBy(entries, ({ userId }) => userId);
  const unpaid: { user: string; paid: number; opened: number }[] = await sql.unsafe(PAID_AND_OPENED);
  const found: LedgerCheck = {
    cutOff: 0,
    wrong: unpaid.map(({ user, paid, opened }) => `${user} paid for ${paid} pages, and ${opened} are open`),
  };
  const credits = postgresCredits(store, realRuntime());
  for (const user of users) {
    const own = byUser.get(user.userId) ?? [];
    const { cutOff, wrong } = checkUser(user, own);
    found.cutOff += cutOff;
    found.wrong.push(...wrong);
    const summary = await credits.summary(user.userId);
    const left = own.reduce((sum, { amount }) => sum + amount, FIRST_CREDITS + user.grantedCredits);
    if (summary.balance !== left || left < 0)
      found.wrong.push(`${user.userId} has ${summary.balance} credits, by its ledger ${left}`);
  }
  for (const { userId, problem } of await credits.problems()) found.wrong.push(`${userId}: ${problem}`);
  return found;
}

function checkUser(user: LoadedUser, entries: readonly Entry[]): LedgerCheck {
  const byRequest = Map.groupBy(entries, ({ requestId }) => requestId);
  const wrong: string[] = [];
  let cutOff = 0;
  for (const [id, status] of user.answers) {
    const amounts = (byRequest.get(id) ?? []).map(({ amount }) => amount);
    const charged = amounts.reduce((sum, amount) => sum + amount, 0);
    if (status === 200 && (amounts.length !== 1 || charged !== -1))
      wrong.push(`request ${id} was answered as charged, and its entries are [${amounts}]`);
    if (status !== 200 && charged !== 0)
      wrong.push(`request ${id} was refused with ${status}, and its entries are [${amounts}]`);
  }
  for (const [id, all] of byRequest) {
    if (user.answers.has(id)) continue;
    const charged = all.reduce((sum, { amount }) => sum + amount, 0);
    if (charged === -1) cutOff += 1;
    else if (charged !== 0) wrong.push(`request ${id} was charged ${-charged} times`);
  }
  if (cutOff > user.broken)
    wrong.push(`${user.userId}: ${cutOff} charges without an answer, ${user.broken} requests were cut off`);
  return { cutOff, wrong };
}
