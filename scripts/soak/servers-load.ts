/** Users of three servers on one PostgreSQL, and the charged requests that they send. */
import { postgresCredits } from "../../src/cluster/charges.ts";
import { Keys } from "../../src/accounts/keys.ts";
import { Sessions } from "../../src/accounts/sessions.ts";
import { Users } from "../../src/accounts/users.ts";
import { realRuntime } from "../../src/runtime.ts";
import type { PostgresStore } from "../../src/cluster/store.ts";
import type { SeededRandom } from "../../test/support/seeded-random.ts";
import type { ServerProcess } from "../../test/support/server-process.ts";
import { pressButtons } from "./round.ts";
import type { LoadedUser } from "./servers-ledger.ts";

const USERS = 4;
const CALLERS = 12;
const HISTORY = "/api/executive-compensation?ticker=AAPL";

/** One whose credits run out within the round, the others with enough; two keys each. */
export async function makeUsers(store: PostgresStore, random: SeededRandom): Promise<LoadedUser[]> {
  const runtime = realRuntime();
  const keys = new Keys(store, runtime);
  const users: LoadedUser[] = [];
  for (let n = 0; n < USERS; n += 1) {
    const user = await new Users(store, runtime).findOrCreate(`${runtime.id()}@example.com`);
    const { id: userId } = user;
    const sessions = new Sessions(store, runtime);
    const browser = { address: "127.0.0.1", userAgent: null, previous: null };
    const { secret: session } = await store.transact((tx) => sessions.open(tx, user, browser, "link"));
    const made = [await keys.create(userId, { name: "one" }), await keys.create(userId, { name: "two" })];
    const grantedCredits = n === 0 ? -random.whole(50, 95) : 100_000;
    await postgresCredits(store, runtime).grant(userId, grantedCredits);
    users.push({
      userId,
      session,
      keys: made.map(({ secret }) => secret),
      grantedCredits,
      answers: new Map(),
      broken: 0,
    });
  }
  return users;
}

/**
 * Callers with one charged request at a time, each to the next server with another user, and one person at the page
 * buttons of each server.
 */
export function putLoad(servers: readonly ServerProcess[], users: readonly LoadedUser[]) {
  const answered = servers.map(() => 0);
  const over = new AbortController();
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
  const caller = async (first: number) => {
    for (let n = first; !over.signal.aborted; n += 1) {
      const user = users[(n >> 1) % users.length];
      const key = user?.keys[n % user.keys.length];
      if (user !== undefined && key !== undefined) await call(n % servers.length, user, key);
    }
  };
  const presser = async ({ origin }: ServerProcess, user: LoadedUser) => {
    const [key = ""] = user.keys;
    try {
      await pressButtons(origin, { key, session: user.session }, (id, status) => {
        user.answers.set(id, status === 303 ? 200 : status);
        return !over.signal.aborted;
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
  const callers = [...Array.from({ length: CALLERS }, (_, n) => caller(n * 5)), ...pressers];
  return {
    answered,
    async end() {
      over.abort();
      await Promise.all(callers);
    },
  };
}
