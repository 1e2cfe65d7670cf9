import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { CommitQueue } from "../../src/store/commit.ts";
import { WriteBehind } from "../../src/store/store.ts";

/** A queue over an in-memory database whose flushes end when the test says so. */
function queue() {
  const client = new Database(":memory:");
  client.run("CREATE TABLE written (name TEXT)");
  const flushes: ((error: unknown) => void)[] = [];
  const said: string[] = [];
  let flushNow: () => void = () => {};
  const commits = new CommitQueue({
    client: () => client,
    monotonic: () => 0,
    lockWaitMs: () => 0,
    failed: (error) => error,
    log: { start: (done) => void flushes.push(done), now: () => flushNow() },
    doubtful: () => void said.push("doubtful"),
    committed: (jobs) => void said.push(`committed ${jobs}`),
  });
  const add = (name: string) =>
    commits.add({
      size: () => 1,
      write: () => void client.query("INSERT INTO written VALUES (?)").run(name),
      settled: (error, isInDoubt) =>
        void said.push(error === null ? `${name} told` : `${name} refused${isInDoubt ? " in doubt" : ""}`),
    });
  const written = () =>
    client
      .query<{ name: string }, []>("SELECT name FROM written")
      .all()
      .map(({ name }) => name);
  const failNow = () =>
    void (flushNow = () => {
      throw new Error("no disk");
    });
  return { client, commits, add, written, said, flushes, failNow };
}

/** Longer than a commit gathers. */
async function turns(): Promise<void> {
  for (let n = 0; n < 8; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("a commit and its flush", () => {
  test("no caller is answered before the flush has ended", async () => {
    const { add, written, said, flushes } = queue();
    add("a");
    await turns();
    expect(written()).toEqual(["a"]);
    expect(said).toEqual([]);
    flushes[0]?.(null);
    expect(said).toEqual(["committed 1", "a told"]);
  });

  test("writes that arrive during a flush share the next transaction, which begins when it has ended", async () => {
    const { add, written, said, flushes } = queue();
    add("a");
    await turns();
    add("b");
    await turns();
    add("c");
    await turns();
    expect(written()).toEqual(["a"]);
    expect(flushes).toHaveLength(1);
    flushes[0]?.(null);
    await turns();
    expect(written()).toEqual(["a", "b", "c"]);
    expect(said).toEqual(["committed 1", "a told"]);
    flushes[1]?.(null);
    expect(said).toEqual(["committed 1", "a told", "committed 2", "b told", "c told"]);
  });

  test("one that fails puts the whole batch in doubt, and the next continues", async () => {
    const { add, said, flushes } = queue();
    add("a");
    add("b");
    await turns();
    add("c");
    flushes[0]?.(new Error("no disk"));
    expect(said).toEqual(["a refused in doubt", "b refused in doubt", "doubtful"]);
    await turns();
    flushes[1]?.(null);
    expect(said.slice(3)).toEqual(["committed 1", "c told"]);
  });

  test("a commit that fails puts the whole batch in doubt", async () => {
    const { client, add, said, flushes } = queue();
    client.run("PRAGMA foreign_keys = ON");
    client.run("CREATE TABLE of_none (name TEXT REFERENCES none (name) DEFERRABLE INITIALLY DEFERRED)");
    client.run("CREATE TABLE none (name TEXT PRIMARY KEY)");
    client.run("CREATE TRIGGER spoil AFTER INSERT ON written BEGIN INSERT INTO of_none VALUES ('b'); END");
    add("a");
    await turns();
    expect(said).toEqual(["a refused in doubt"]);
    expect(flushes).toEqual([]);
  });

  test("a resolved caller requests another commit: one follows, and closing makes the last", async () => {
    const { commits, add, said, flushes } = queue();
    let left = 2;
    commits.onEveryCommit({
      size: () => 1,
      write() {},
      settled() {
        left -= 1;
        if (left >= 0) commits.schedule();
      },
    });
    add("a");
    await turns();
    flushes[0]?.(null);
    await turns();
    add("b");
    await turns();
    expect(flushes).toHaveLength(2);
    flushes[1]?.(null);
    await turns();
    flushes[2]?.(null);
    expect(said).toEqual(["committed 1", "a told", "committed 0", "committed 1", "b told"]);
    left = 1;
    add("c");
    await commits.close();
    expect(said.slice(5)).toEqual(["committed 1", "c told", "committed 0"]);
  });

  test("a commit waits a few turns for as many writes as the last one had, and no longer", async () => {
    const { commits, said, flushes } = queue();
    let waiting = 0;
    const ask = (count: number) => {
      waiting = count;
      commits.add({ size: () => waiting, write: () => void (waiting = 0), settled: () => {} });
    };
    ask(4);
    await turns();
    flushes[0]?.(null);
    ask(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(flushes).toHaveLength(1);
    waiting = 4;
    await turns();
    flushes[1]?.(null);
    expect(said).toEqual(["committed 4", "committed 4"]);
  });

  test("a caller without writes is left out", async () => {
    const { commits, add, said, flushes } = queue();
    let size = 0;
    const told: string[] = [];
    commits.onEveryCommit({
      size: () => size,
      write: () => void told.push("written"),
      settled: () => void told.push("told"),
    });
    add("a");
    await turns();
    flushes[0]?.(null);
    expect(told).toEqual([]);
    size = 1;
    add("b");
    await turns();
    flushes[1]?.(null);
    expect(told).toEqual(["written", "told"]);
    expect(said).toEqual(["committed 1", "a told", "committed 1", "b told"]);
  });

  test("closing flushes pending and waiting writes, and resolves each once", async () => {
    const { commits, add, written, said, flushes } = queue();
    add("a");
    await turns();
    add("b");
    await commits.close();
    expect(written()).toEqual(["a", "b"]);
    expect(said).toEqual(["committed 1", "a told", "committed 1", "b told"]);
    flushes[0]?.(null);
    await turns();
    expect(said).toHaveLength(4);
    expect(flushes).toHaveLength(1);
  });

  test("closing on a failing disk refuses both", async () => {
    const { commits, add, said, failNow } = queue();
    add("a");
    await turns();
    add("b");
    failNow();
    await commits.close();
    expect(said.filter((line) => line !== "doubtful")).toEqual(["a refused in doubt", "b refused in doubt"]);
  });
});

describe("deferred writes", () => {
  test("newer ones wait for the next commit, those of a failed one wait again", () => {
    const values = new WriteBehind<string, number[]>((failed, newer) => [...failed, ...newer]);
    values.set("a", [1]);
    values.set("b", [1]);
    expect([...values.take()]).toEqual([
      ["a", [1]],
      ["b", [1]],
    ]);
    values.set("a", [2]);
    values.settled(new Error("no disk"));
    expect(values.get("a")).toEqual([1, 2]);
    expect(values.get("b")).toEqual([1]);
    values.take();
    values.settled(null);
    expect(values.size).toBe(0);
  });

  test("a commit takes no more than its maximum, the longest waiting first", () => {
    const values = new WriteBehind<string, number>();
    for (const [at, name] of ["a", "b", "c"].entries()) values.set(name, at);
    expect([...values.take(2).keys()]).toEqual(["a", "b"]);
    values.settled(new Error("no disk"));
    expect([...values.take(2).keys()]).toEqual(["c", "a"]);
    values.settled(null);
    expect([...values.entries()]).toEqual([["b", 1]]);
  });
});
