/**
 * Alternatives for serving the same rows: Datasette, PocketBase and Fastify with better-sqlite3. Installs them through
 * their package managers into a folder outside the repository, gives each the rows of the executable's own export, and
 * requests all rows of one company after another from each.
 *
 *     bun run build && bun run bench peers [--rounds 5] [--companies 100] [--cache FOLDER] [--executable FILE]
 *
 * Needs Linux and wrk, and python3, go, or node with npm; a peer that cannot be installed is left out, with the reason.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Database } from "bun:sqlite";
import { parseArgs } from "node:util";
import { type Burned, burn, median } from "./burst.ts";
import { memoryOf } from "./process.ts";
import { DATASETTE, FASTIFY, FASTIFY_CACHED, type Peer, POCKETBASE } from "./peers/peer.ts";
import { readyOrigin } from "./starting.ts";

const ROOT = dirname(dirname(import.meta.dir));
const CONNECTIONS = 16;
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    companies: { type: "string", default: "100" },
    cache: { type: "string", default: join(tmpdir(), "execcomp-peers") },
    executable: { type: "string", default: join(ROOT, "dist", "execcomp") },
  },
});
const { executable, cache } = values;

/** A server under load, and its request for a company. */
interface Running {
  name: string;
  origin: string;
  pid: number;
  pathOf(ticker: string): string;
  headers: Record<string, string>;
  stop(): Promise<void>;
}

async function ours(dataDir: string): Promise<Running> {
  const env = { EXECCOMP_DATA_DIR: dataDir, EXECCOMP_RATE_KEY: "100000000", EXECCOMP_UNMETERED: "true" };
  const made = await Bun.$`${executable} keys create --user bench@example.com --json`.env(env).json();
  const child = Bun.spawn([executable, "serve", "--port", "0"], { env, stdout: "pipe", stderr: "ignore" });
  return {
    name: "execcomp",
    origin: await readyOrigin(child.stdout),
    pid: child.pid,
    pathOf: (ticker) => `/api/executive-compensation?ticker=${ticker}&limit=100`,
    headers: { "x-api-key": String(made.key) },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

async function start(peer: Peer, home: string, data: string): Promise<Running> {
  const port = freePort();
  const words = await peer.serve(home, data, port);
  const child = Bun.spawn(words, { cwd: data, env: { ...process.env }, stdout: "ignore", stderr: "ignore" });
  const origin = `http://127.0.0.1:${port}`;
  const { name, pathOf, headers } = peer;
  const running: Running = {
    name,
    origin,
    pid: child.pid,
    pathOf,
    headers,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
  await answering(origin);
  return running;
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("") });
  const { port = 0 } = server;
  void server.stop(true);
  return port;
}

async function answering(origin: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (
      await fetch(origin).then(
        () => true,
        () => false,
      )
    )
      return;
    await Bun.sleep(100);
  }
  throw new Error(`${origin} does not answer`);
}

/** The number of rows in a company's response, and its size: every server must return the same rows. */
async function answerOf({ name, origin, pathOf, headers }: Running, ticker: string) {
  const answer = await fetch(origin + pathOf(ticker), { headers });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${text.slice(0, 300)}`);
  return { rows: text.split('"executive_id":').length - 1, bytes: text.length };
}

async function main(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "execcomp-peers-run-"));
  const views = join(folder, "pay.sqlite");
  await Bun.$`${executable} data export --format sqlite-views --out ${views} --data-dir ${folder}`.quiet();
  const tickers = companiesIn(views);
  const running = [await ours(join(folder, "ours"))];
  try {
    for (const peer of [FASTIFY_CACHED, FASTIFY, DATASETTE, POCKETBASE]) {
      const home = join(cache, peer.folder);
      const data = join(folder, peer.name.replaceAll(/[^a-z]/gi, "-"));
      try {
        mkdirSync(data, { recursive: true });
        if (!existsSync(join(home, "installed"))) {
          mkdirSync(home, { recursive: true });
          await peer.install(home);
          writeFileSync(join(home, "installed"), "");
        }
        running.push(await start(peer, home, await peer.load(home, data, views)));
        console.log(`${peer.name}: ${await peer.version(home)}`);
      } catch (error) {
        console.log(`${peer.name}: left out: ${String(error).slice(0, 500)}`);
      }
    }
    await compare(running, tickers, folder);
  } finally {
    for (const one of running) await one.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Symbols of the companies with the most rows, and the index that any user would create. */
function companiesIn(views: string): string[] {
  using database = new Database(views);
  database.run("create index compensation_ticker on compensation (ticker, fiscal_year desc)");
  return database
    .query<{ ticker: string }, [number]>(
      `select ticker from compensation where ticker <> '' and ticker not like '%-%'
        group by ticker order by count(*) desc, ticker limit ?`,
    )
    .all(Number(values.companies))
    .map(({ ticker }) => ticker);
}

async function compare(
  running: readonly Running[],
  tickers: readonly string[],
  folder: string,
): Promise<void> {
  const [first = ""] = tickers;
  for (const one of running) {
    const { rows, bytes } = await answerOf(one, first);
    console.log(`${one.name}: ${rows} rows of ${first} in ${bytes} bytes`);
  }
  const burst = ({ pathOf, headers }: Running) => ({
    path: pathOf(first),
    paths: tickers.map(pathOf),
    headers: { ...headers, "accept-encoding": "identity" },
  });
  const bursts = new Map<string, Burned[]>(running.map(({ name }) => [name, []]));
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const one of running) {
      const burned = await burn(one, burst(one), CONNECTIONS, folder);
      if (burned.refused > 0) throw new Error(`${one.name}: ${burned.refused} answers were refused`);
      // The first round is a warm-up.
      if (round > 0) bursts.get(one.name)?.push(burned);
    }
  }
  const own = bursts.get("execcomp") ?? [];
  console.log(
    "| Server | CPU per request | Relative to ours | Requests a second | Memory |\n|---|---|---|---|---|",
  );
  for (const { name, pid } of running) {
    const all = bursts.get(name) ?? [];
    const ratio = median(all.map(({ micros }, at) => micros / (own[at]?.micros ?? Number.NaN)));
    const [micros, rate] = [median(all.map((one) => one.micros)), median(all.map((one) => one.requests))];
    const memory = memoryOf(pid).resident.toFixed(0);
    console.log(
      `| ${name} | ${micros.toFixed(0)} µs | ${ratio.toFixed(1)} × | ${rate.toFixed(0)} | ${memory} MB |`,
    );
  }
}

await main();
