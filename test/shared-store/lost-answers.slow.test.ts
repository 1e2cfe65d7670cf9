import { SQL } from "bun";
import { afterAll, describe, expect, test } from "bun:test";
import { type Credits } from "../../src/accounts/credits.ts";
import { postgresCredits } from "../../src/shared-store/postgres-charges.ts";
import { Users } from "../../src/accounts/users.ts";
import { ServiceError } from "../../src/errors.ts";
import { QUOTAS } from "../../src/accounts/rate-limits/limits.ts";
import { postgresRateLimits } from "../../src/shared-store/postgres-rate-limits.ts";
import { RateLimits } from "../../src/accounts/rate-limits/rate-limits.ts";
import { SharedRateLimits } from "../../src/accounts/rate-limits/shared-rate-limits.ts";
import { realRuntime } from "../../src/runtime.ts";
import { PostgresStore } from "../../src/shared-store/postgres-store.ts";
import type { Mark } from "../../src/shared-store/transactions.ts";
import {
  addPerson,
  authorizeUrl,
  BrowserSession,
  callHistory,
  codeFields,
  postForm,
  readJson,
  register,
} from "../contract/oauth/support.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { type Fate, type PostgresRelay, startPostgresRelay } from "../support/postgres-relay.ts";
import { startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const postgres = hasPostgres ? await startPostgres() : null;

const FATES: readonly Fate[] = ["committed", "not committed"];
const COMMIT_OF_CHARGES = /INTO ledger[^]*COMMIT$/;
const COMMIT_OF_CODE = /update "oauth_codes"[^]*COMMIT$/;
const COMMIT_OF_REFRESH = /insert into "oauth_tokens"[^]*COMMIT$/;

const runtime = realRuntime();
const relays: PostgresRelay[] = [];
afterAll(() => relays.forEach((relay) => relay.close()));

/** An empty database behind a relay. */
async function startRelay(): Promise<PostgresRelay & { direct: string }> {
  if (postgres === null) throw new Error("no PostgreSQL");
  const direct = await postgres.createDatabase();
  const relay = await startPostgresRelay(direct);
  relays.push(relay);
  return Object.assign(relay, { direct });
}

/** A store that, on request, does not report the outcome of transactions that were not looked up before. */
class HidingStore extends PostgresStore {
  hides: "nothing" | "new" = "nothing";
  private readonly asked = new Set<string>();

  override async statusOf(mark: Mark): ReturnType<PostgresStore["statusOf"]> {
    if (this.hides === "new" && !this.asked.has(mark.id)) return "unknown";
    this.asked.add(mark.id);
    return super.statusOf(mark);
  }
}

interface Books {
  relay: Awaited<ReturnType<typeof startRelay>>;
  store: HidingStore;
  credits: Credits;
  users: readonly string[];
  close(): Promise<void>;
}

/** A server's accounts, and users with 100 credits. */
async function openBooks(): Promise<Books> {
  const relay = await startRelay();
  const store = new HidingStore({ url: relay.url, runtime });
  const credits = postgresCredits(store, runtime);
  const users: string[] = [];
  for (const name of ["ann", "bob", "cat"]) {
    const { id } = await new Users(store, runtime).findOrCreate(`${name}@example.com`);
    await credits.grant(id, 100);
    users.push(id);
  }
  return { relay, store, credits, users, close: () => store.close() };
}

/** The caller's answer: null for a charge, otherwise the kind of refusal. */
async function charge(credits: Credits, userId: string, requestId: string): Promise<string | null> {
  try {
    await credits.charge({ userId, costCredits: 1, operation: "t", ticker: null, requestId });
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.kind;
    throw error;
  }
}

/** Amounts of each request's entries, read bypassing the relay and the service's own code. */
async function amountsOf({ relay }: Books): Promise<Record<string, number[]>> {
  await using sql = new SQL(relay.direct, { max: 1 });
  const rows: { id: string; amount: number }[] =
    await sql`SELECT request_id AS id, amount_credits::int AS amount FROM ledger WHERE kind = 'charged' ORDER BY ledger.id`;
  const amounts: Record<string, number[]> = {};
  for (const { id, amount } of rows) (amounts[id] ??= []).push(amount);
  return amounts;
}

describe.skipIf(postgres === null).each(FATES)("the answer to a commit is lost, which was %s", (fate) => {
  test("a charge is answered, and in the ledger once", async () => {
    const books = await openBooks();
    const [user = ""] = books.users;
    const isLost = books.relay.lose(COMMIT_OF_CHARGES, fate);
    expect(await charge(books.credits, user, "one")).toBeNull();
    await isLost;
    expect(await amountsOf(books)).toEqual({ one: [-1] });
    expect((await books.credits.summary(user)).balance).toBe(99);
    expect(await books.credits.problems()).toEqual([]);
    await books.close();
  });

  test("each charge of a batch is answered, and in the ledger once; none exceeds the credits", async () => {
    const books = await openBooks();
    const isLost = books.relay.lose(COMMIT_OF_CHARGES, fate);
    const ids = Array.from({ length: 360 }, (_, n) => `request ${n}`);
    const told = await Promise.all(ids.map((id, n) => charge(books.credits, books.users[n % 3] ?? "", id)));
    await isLost;
    expect(told.filter((kind) => kind === null)).toHaveLength(300);
    expect(told.filter((kind) => kind === "payment_required")).toHaveLength(60);
    const charged = ids.filter((_, n) => told[n] === null).map((id): [string, number[]] => [id, [-1]]);
    expect(await amountsOf(books)).toEqual(Object.fromEntries(charged));
    for (const user of books.users) expect((await books.credits.summary(user)).balance).toBe(0);
    expect(await books.credits.problems()).toEqual([]);
    await books.close();
  });

  test("a charge in doubt is refused with 503 and reversed once its outcome is known", async () => {
    const books = await openBooks();
    const [user = "", poor = ""] = books.users;
    await books.credits.grant(poor, -100);
    const isLost = books.relay.lose(COMMIT_OF_CHARGES, fate);
    // In one transaction with a charge for which there is no credit: what was never charged is not reversed.
    const both = [charge(books.credits, poor, "poor"), charge(books.credits, user, "one")];
    await isLost;
    books.relay.refuse("all");
    expect(await Promise.all(both)).toEqual(["unavailable", "unavailable"]);
    books.relay.refuse("none");
    const takenBack = fate === "committed" ? [-1, 1] : undefined;
    // This does not need a further request.
    await until("it is taken back", async () => {
      const { one } = await amountsOf(books);
      return one?.length === takenBack?.length;
    });
    await until(
      "charges are answered again",
      async () => (await charge(books.credits, user, runtime.id())) === null,
    );
    expect((await amountsOf(books))["one"]).toEqual(takenBack);
    // Once: the next charge does not reverse it again.
    expect(await charge(books.credits, user, "two")).toBeNull();
    expect((await amountsOf(books))["one"]).toEqual(takenBack);
    expect((await books.credits.summary(poor)).balance).toBe(0);
    expect(await books.credits.problems()).toEqual([]);
    await books.close();
  }, 300_000);

  test("a charge in doubt that one charge reverses is not reversed by another in the meantime", async () => {
    const books = await openBooks();
    const [user = ""] = books.users;
    const loseAll = async (requestId: string) => {
      const isLost = books.relay.lose(COMMIT_OF_CHARGES, fate);
      let told: Promise<string | null> | undefined;
      // The first attempts are refused while the old connections are given up.
      await until("it is lost", async () => {
        told = charge(books.credits, user, requestId);
        return Promise.race([isLost.then(() => true), told.then(() => false)]);
      });
      books.relay.refuse("all");
      expect(await told).toBe("unavailable");
      books.relay.refuse("none");
    };
    await loseAll("one");
    await loseAll("two");
    const charged = (requestId: string) =>
      until("charges are answered", async () => (await charge(books.credits, user, requestId)) === null);
    books.store.hides = "new";
    await charged("three");
    books.store.hides = "nothing";
    await charged("four");
    const { one, two = [] } = await amountsOf(books);
    expect(one).toEqual(fate === "committed" ? [-1, 1] : undefined);
    // What was lost may have been a transaction that did nothing but reverse.
    expect(two.reduce((sum, amount) => sum + amount, 0)).toBe(0);
    expect(await books.credits.problems()).toEqual([]);
    await books.close();
  }, 300_000);

  test("a code is exchanged for one pair of tokens, and a refresh token for another", async () => {
    const relay = await startRelay();
    const { monotonic, now } = runtime;
    const server = await startTestServer({ store: relay.url }, { monotonic, now });
    await addPerson(server);
    const clientId = String((await register(server))["client_id"]);
    const back = await new BrowserSession(server).decide(authorizeUrl(server, clientId));
    const code = back.searchParams.get("code") ?? "";
    const codeLost = relay.lose(COMMIT_OF_CODE, fate);
    const redeemed = await postForm(server, "/oauth/token", codeFields(server, clientId, code));
    await codeLost;
    expect(redeemed.status).toBe(200);
    const first = await readJson(redeemed);
    expect((await callHistory(server, String(first["access_token"]))).status).toBe(200);
    const refreshLost = relay.lose(COMMIT_OF_REFRESH, fate);
    const refreshed = await postForm(server, "/oauth/token", {
      grant_type: "refresh_token",
      client_id: clientId,
      refresh_token: String(first["refresh_token"]),
    });
    await refreshLost;
    expect(refreshed.status).toBe(200);
    const second = await readJson(refreshed);
    expect((await callHistory(server, String(second["access_token"]))).status).toBe(200);
    // One pair each: nothing remains of a failed attempt.
    await using sql = new SQL(relay.direct, { max: 1 });
    const made: { kind: string; n: number }[] =
      await sql`SELECT kind, count(*)::int AS n FROM oauth_tokens GROUP BY kind ORDER BY kind`;
    expect(made).toEqual([
      { kind: "access", n: 2 },
      { kind: "refresh", n: 2 },
    ]);
    const grants: { n: number }[] =
      await sql`SELECT count(*)::int AS n FROM oauth_grants WHERE revoked_at_ms IS NULL`;
    expect(grants).toEqual([{ n: 1 }]);
    await server.stop();
  }, 300_000);
});

describe.skipIf(postgres === null).each(FATES)("the answer to a count is lost, which was %s", (fate) => {
  test("a rate limit admits its quota, no more and no less", async () => {
    const relay = await startRelay();
    const changes: string[] = [];
    const windows = new SharedRateLimits({
      services: [postgresRateLimits(relay.url)],
      local: new RateLimits(runtime, null),
      quotas: QUOTAS,
      runtime,
      onChange: (service, error) => void changes.push(`${service} ${error === null ? "back" : "lost"}`),
    });
    const takes = (times: number) =>
      Promise.all(
        Array.from({ length: times }, async () => {
          try {
            return await windows.acquire("anon", "198.51.100.7", "calls");
          } catch (refused) {
            if (refused instanceof ServiceError && refused.kind === "rate_limited") return null;
            throw refused;
          }
        }),
      );
    expect((await takes(10)).every((window) => window !== null)).toBe(true);
    const isLost = relay.lose(/execcomp_count\(/, fate);
    // This process admits them on its own.
    expect((await takes(10)).every((window) => window !== null)).toBe(true);
    await isLost;
    await until("it is back", () => changes.at(-1) === "postgresql back");
    expect(changes).toEqual(["postgresql lost", "postgresql back"]);
    expect((await takes(60)).filter((window) => window !== null)).toHaveLength(40);
    windows.close();
  }, 300_000);
});
