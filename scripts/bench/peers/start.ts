/**
 * Starts what a user would write instead, on the same rows and with the same keys: Fastify with better-sqlite3, Hono with `bun:sqlite`, and
 * Datasette, which has the rows alone. None is a dependency: npm and pip fetch them once, into a folder beside the temporary one's.
 */
import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { outputOf } from "../../command-output.ts";
import { installTool, TOOLS_FOLDER } from "../../external-tools.ts";
import { KEYS_A_USER } from "../fill.ts";
import { type Burst, type Started, started } from "../harness.ts";

const PACKAGES = ["fastify@5.12.8", "hono@4.13.19", "better-sqlite3@12.11.1"];
const DATASETTE = "datasette==0.65.1";

/** A server to compare with. */
export interface Peer {
  name: string;
  server: Started;
  /** The same question in its own words. @param ours a request of ours; null if it has no answer to it */
  ask(ours: Burst): Burst | null;
}

/** Writes the rows as the program exports them, with an index, and keys, users and credits beside them. */
async function fillPeer(
  file: string,
  executable: string,
  dataDir: string,
  keys: readonly string[],
): Promise<void> {
  await Bun.$`${executable} data export --format sqlite-views --out ${file}`
    .env({ EXECCOMP_DATA_DIR: dataDir })
    .quiet();
  using database = new Database(file);
  database.run("CREATE INDEX compensation_ticker ON compensation (ticker, fiscal_year)");
  database.run("CREATE TABLE keys (hash TEXT PRIMARY KEY, user_id TEXT NOT NULL) WITHOUT ROWID");
  database.run("CREATE TABLE balances (user_id TEXT PRIMARY KEY, credits INTEGER NOT NULL) WITHOUT ROWID");
  database.run(
    "CREATE TABLE ledger (id INTEGER PRIMARY KEY, user_id TEXT NOT NULL, at_ms INTEGER NOT NULL, amount INTEGER NOT NULL)",
  );
  database.run(
    "CREATE TABLE windows (holder TEXT, minute INTEGER, n INTEGER NOT NULL, PRIMARY KEY (holder, minute)) WITHOUT ROWID",
  );
  const key = database.query("INSERT INTO keys VALUES (?, ?)");
  const balance = database.query("INSERT OR IGNORE INTO balances VALUES (?, 100000000)");
  database.transaction(() => {
    for (const [at, secret] of keys.entries()) {
      const user = `user-${Math.floor(at / KEYS_A_USER)}`;
      key.run(createHash("sha256").update(secret).digest("base64"), user);
      balance.run(user);
    }
  })();
}

/** Datasette's own address for the latest year, with an array of objects. */
const DATASETTE_PATH = "/peer/compensation.json?ticker=AAPL&fiscal_year=2025&_shape=array&_nl=";

/** Starts them. What cannot be installed is told and left out. @param folder a scratch folder */
export async function startPeers(
  executable: string,
  dataDir: string,
  keys: readonly string[],
  folder: string,
): Promise<Peer[]> {
  const file = join(folder, "peer.sqlite");
  await fillPeer(file, executable, dataDir, keys);
  const peers: Peer[] = [];
  const add = async (name: string, start: () => Promise<Started>, ask: Peer["ask"]) => {
    try {
      peers.push({ name, server: await start(), ask });
    } catch (error) {
      console.log(`without ${name}: ${String(error).slice(0, 300)}`);
    }
  };
  const bundled = async (name: string, program: string, target: string) => {
    const home = await installTool(...PACKAGES);
    const out = join(home, `${name}.mjs`);
    const source = join(import.meta.dir, `${name}.ts`);
    const words = ["build", source, "--target", target, "--packages", "external", "--outfile", out];
    await outputOf([process.execPath, ...words]);
    return started([program, out, file], { PATH: process.env["PATH"] ?? "" });
  };
  await add(
    "Fastify with better-sqlite3",
    () => bundled("fastify", "node", "node"),
    (ours) => ours,
  );
  await add(
    "Hono with bun:sqlite",
    () => bundled("hono", process.execPath, "bun"),
    (ours) => ours,
  );
  await add(
    "Datasette",
    () => startDatasette(file),
    ({ path }) => (path.endsWith("/facts") ? { path: DATASETTE_PATH } : null),
  );
  return peers;
}

async function startDatasette(file: string): Promise<Started> {
  const home = join(TOOLS_FOLDER, DATASETTE.replaceAll(/\W+/g, "_"));
  const program = join(home, "bin", "datasette");
  if (!existsSync(program)) {
    await outputOf(["python3", "-m", "venv", home]);
    await outputOf([join(home, "bin", "python"), "-m", "pip", "install", "--quiet", DATASETTE]);
  }
  const port = 20_000 + (process.pid % 20_000);
  const child = Bun.spawn([program, "serve", file, "--host", "127.0.0.1", "--port", String(port)], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const origin = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(origin + DATASETTE_PATH).catch(() => null);
    if (answer?.status === 200) return { origin, pid: child.pid, stop };
    await Bun.sleep(200);
  }
  await stop();
  throw new Error("it did not answer");
}
