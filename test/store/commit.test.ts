import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { users } from "../../src/store/schema.ts";
import { SqliteStore } from "../../src/store/open.ts";
import { testRuntime } from "../support/runtime.ts";
import { temporaryFolder } from "../support/accounts.ts";

async function withStore<T>(work: (store: SqliteStore) => Promise<T>): Promise<T> {
  using folder = temporaryFolder();
  const store = new SqliteStore({ dataDir: folder.path, runtime: testRuntime() });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const user = (id: string) => ({ id, email: `${id}@example.com`, role: "member" as const, createdAtMs: 0 });
const ids = (store: SqliteStore) =>
  store.db
    .select({ id: users.id })
    .from(users)
    .orderBy(users.id)
    .all()
    .map(({ id }) => id);

/** Counts the commits of a store from now on. */
function commitsOf(store: SqliteStore): () => number {
  const { total } = {
    total: () => store.client.query<{ n: number }, []>("SELECT count(*) AS n FROM counted").get()?.n ?? 0,
  };
  store.client.run("CREATE TEMP TABLE counted (at INTEGER)");
  store.onEveryCommit({
    size: () => 1,
    async write() {
      store.client.run("INSERT INTO counted VALUES (1)");
    },
    settled: () => {},
  });
  return total;
}

describe("one commit per turn", () => {
  test("the writes of one turn go to disk in one transaction, and are there when they resolve", () =>
    withStore(async (store) => {
      const commits = commitsOf(store);
      await Promise.all(
        Array.from({ length: 100 }, async (_, n) => {
          const id = `u${String(n).padStart(3, "0")}`;
          await store.transact((tx) => tx.insert(users).values(user(id)).run());
          expect(ids(store)).toContain(id);
        }),
      );
      expect(commits()).toBe(1);
    }));

  test("a job that fails does not affect the others, and leaves nothing behind", () =>
    withStore(async (store) => {
      const outcomes = await Promise.allSettled([
        store.transact((tx) => tx.insert(users).values(user("a")).returning().get()),
        store.transact(async (tx) => {
          await tx.insert(users).values(user("b")).run();
          throw new Error("changed my mind");
        }),
        store.transact((tx) => tx.insert(users).values(user("a")).run()),
        store.transact((tx) => tx.insert(users).values(user("c")).returning().get()),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual([
        "fulfilled",
        "rejected",
        "rejected",
        "fulfilled",
      ]);
      expect(ids(store)).toEqual(["a", "c"]);
      expect(store.failure).toBeNull();
    }));

  test("a job that waits for something inside its transaction is refused and rolled back", () =>
    withStore(async (store) => {
      const refused = await store
        .transact(async (tx) => {
          await tx.insert(users).values(user("a")).run();
          await Bun.sleep(200);
        })
        .catch(String);
      expect(refused).toContain("must not wait");
      expect(ids(store)).toEqual([]);
    }));

  test("closing writes what is pending", () =>
    withStore(async (store) => {
      const last = store.transact((tx) => tx.insert(users).values(user("z")).run());
      await store.close();
      await last;
      using again = openAgain(store);
      expect(ids(again.store)).toEqual(["z"]);
    }));
});

function openAgain(closed: SqliteStore): Disposable & { store: SqliteStore } {
  const store = new SqliteStore({ dataDir: closed.path.replace(/\/[^/]+$/, ""), runtime: testRuntime() });
  return { store, [Symbol.dispose]: () => store.close() };
}

test("SQLite keeps a log, which we flush before an answer (flush.test.ts)", () =>
  withStore(async (store) => {
    const pragma = (name: string) => Object.values(store.client.query(`PRAGMA ${name}`).get() ?? {})[0];
    expect(pragma("journal_mode")).toBe("wal");
    expect(pragma("synchronous")).toBe(1);
    expect(pragma("foreign_keys")).toBe(1);
  }));

/** What another process would find: the file and its log as they are, opened where nobody else has them open. */
function openAsFound(path: string, folder: string): Database {
  mkdirSync(folder, { recursive: true });
  const copy = join(folder, "store.sqlite");
  for (const tail of ["", "-wal"]) copyFileSync(path + tail, copy + tail);
  return new Database(copy);
}

test("what a failed COMMIT leaves in the log is not there for the next process", () =>
  withStore(async (store) => {
    using folder = temporaryFolder();
    const { client, path } = store;
    const query = client.query.bind(client);
    const insert =
      "INSERT INTO users (id, email, role, created_at_ms) VALUES ('lost', 'l@example.com', 'member', 0)";
    // The pages and the end of the transaction reach the log; then the system fails, as where its index cannot grow.
    const commit = {
      run() {
        client.query = query;
        const twin = openAsFound(path, join(folder.path, "twin"));
        twin.run(insert);
        const log = readFileSync(`${twin.filename}-wal`).subarray(statSync(`${path}-wal`).size);
        expect(log.length).toBeGreaterThan(0);
        query("ROLLBACK").run();
        appendFileSync(`${path}-wal`, log);
        twin.close();
        throw Object.assign(new Error("disk I/O error"), { code: "EIO" });
      },
    };
    client.query = ((text: string) => (text === "COMMIT" ? commit : query(text))) as typeof client.query;
    const refused = await store.transact((tx) => tx.rows(insert)).catch(({ kind }) => kind);
    expect(refused).toBe("unavailable");
    using next = openAsFound(path, join(folder.path, "next"));
    expect(next.query("SELECT id FROM users").all()).toEqual([]);
    expect(next.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  }));
