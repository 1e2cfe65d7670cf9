/**
 * Shared parts of rounds: a user, a server in a separate process, load on it, and a check of the state it left behind.
 */
import { sqliteCredits } from "../../src/accounts/credits.ts";
import { Keys } from "../../src/accounts/keys.ts";
import { Users } from "../../src/accounts/users.ts";
import { realRuntime } from "../../src/runtime.ts";
import { openStore } from "../../src/store/open.ts";

const CALLERS = 16;
const CHARGED = "/api/executive-compensation?ticker=AAPL";
/** A free answer. */
export const FREE = "/api/executive-compensation?ticker=AAPL&limit=1";

/** One answer of the server under load. */
export interface Answered {
  id: string;
  status: number;
  charged: boolean;
  atMs: number;
}

/** A user with the 100 free credits and some more, and its key. */
export async function newUser(dataDir: string, extraCredits: number) {
  const runtime = realRuntime();
  const store = openStore({ dataDir, runtime });
  const user = await new Users(store, runtime).findOrCreate(`${runtime.id()}@example.com`);
  const { secret } = await new Keys(store, runtime).create(user.id, { name: "kill" });
  if (extraCredits > 0) await sqliteCredits(store, runtime).grant(user.id, extraCredits);
  store.close();
  return { secret, userId: user.id };
}

/** A server, once it is ready. */
export async function startServer(program: readonly string[], dataDir: string) {
  const child = Bun.spawn([...program, "serve", "--port", "0"], {
    env: { ...process.env, EXECCOMP_DATA_DIR: dataDir },
    stdout: "pipe",
    stderr: "ignore",
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk);
    const origin = /^ready (\S+)$/m.exec(said)?.[1];
    if (origin !== undefined) return { origin, child };
  }
  throw new Error(`the server ended instead of being ready: ${said}`);
}

/** Sixteen callers, each with one request at a time; one in four is free. Ends when the server is gone. */
export async function putLoad(origin: string, key: string, answers: Answered[]): Promise<void> {
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
  await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
}

/** Checks a store that no server has open, with SQLite and the ledgers: empty if all is well. */
export async function checkStore(dataDir: string): Promise<string[]> {
  const runtime = realRuntime();
  const store = openStore({ dataDir, runtime });
  try {
    const [sound] = store.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").all();
    const problems = await sqliteCredits(store, runtime).problems();
    const wrong = problems.map(({ userId, problem }) => `${userId}: ${problem}`);
    if (sound?.integrity_check !== "ok") wrong.push(`SQLite finds ${sound?.integrity_check ?? "nothing"}`);
    return wrong;
  } finally {
    await store.close();
  }
}
