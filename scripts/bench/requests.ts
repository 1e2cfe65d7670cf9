/**
 * What a request costs the executable, in CPU time of all its threads, beside a bare `Bun.serve` that answers the same
 * bytes. Needs Linux and wrk.
 *
 *     bun run build && bun run bench requests [ROW…] [--pairs 7] [--executable FILE]
 *
 * Each row alternates bursts of one second on the executable and on what it is compared with; the ratio is the median of
 * those of the pairs, so that what else the machine does hurts both alike. One store for all rows: 100,000 keys of
 * 10,000 users with 1,000,000 ledger entries.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type Burst, burn, median } from "./burst.ts";
import { fillStore, KEYS_A_USER } from "./fill.ts";
import { toolCall } from "./mcp.ts";
import { readyOrigin } from "./starting.ts";
import type { Target } from "./types.ts";

const ROOT = dirname(dirname(import.meta.dir));
const KEYS = 100_000;
const ENTRIES = 1_000_000;
const LATEST = "/api/executive-compensation?ticker=AAPL&limit=1";
const HISTORY = "/api/executive-compensation?ticker=AAPL";
/** Keys that are used up by one burst of first uses. */
const FIRST_USES = 8000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: "string", default: "7" },
    executable: { type: "string", default: join(ROOT, "dist", "execcomp") },
  },
});

/** One line of the table. */
interface Row {
  name: string;
  connections: readonly number[];
  /** @param held entity tag of the company page that a visitor's browser has */
  ask(keys: readonly string[], round: number, held: string): Burst;
  /** What it is compared with, where that is another request of ours and not the bare server. */
  beside?(keys: readonly string[]): Burst;
}

const ALL = [1, 16, 64] as const;
const keyed = (path: string, keys: readonly string[]): Burst => ({ path, keys });
const one = (path: string, keys: readonly string[]): Burst => ({
  path,
  headers: { "x-api-key": keys[0] ?? "" },
});
/** One key of each of the first users. */
const FACTS: Burst = { path: "/t/AAPL/facts" };
/** Through a proxy, a request is a visitor's; without, the local operator's, who sees every year. */
const VISITOR = { accept: "text/html", "x-forwarded-for": "203.0.113.1" };
const users = (keys: readonly string[], count: number) =>
  Array.from({ length: count }, (_, user) => keys[user * KEYS_A_USER] ?? "");

const ROWS: readonly Row[] = [
  { name: "keyed", connections: ALL, ask: (keys) => one(LATEST, keys) },
  { name: "facts", connections: ALL, ask: () => FACTS },
  {
    name: "company-page",
    connections: [1, 16],
    ask: () => ({ path: "/t/AAPL", headers: VISITOR }),
    beside: () => FACTS,
  },
  {
    name: "company-page-history",
    connections: [1, 16],
    ask: () => ({ path: "/t/AAPL", headers: { accept: "text/html" } }),
    beside: () => FACTS,
  },
  {
    name: "company-page-304",
    connections: [1, 16],
    ask: (_keys, _round, held) => ({ path: "/t/AAPL", headers: { ...VISITOR, "if-none-match": held } }),
    beside: () => FACTS,
  },
  { name: "charged", connections: ALL, ask: (keys) => one(HISTORY, keys) },
  {
    name: "charged-1000-users",
    connections: [16, 64],
    ask: (keys) => keyed(HISTORY, users(keys, 1000)),
    beside: (keys) => one(HISTORY, keys),
  },
  {
    name: "keys-10000",
    connections: [64],
    ask: (keys) => keyed(LATEST, keys.slice(0, 10_000)),
    beside: (keys) => keyed(LATEST, keys.slice(0, 1)),
  },
  {
    name: "first-use",
    connections: [64],
    // From the back: no other row asks with those.
    ask: (keys, round) => ({
      ...keyed(LATEST, keys.slice(KEYS - (round + 1) * FIRST_USES, KEYS - round * FIRST_USES)),
      once: true,
    }),
    beside: (keys) => keyed(LATEST, keys.slice(0, 1)),
  },
  { name: "mcp", connections: [64], ask: () => toolCall("legacy", { limit: 1 }, {}) },
  { name: "mcp-modern", connections: [64], ask: () => toolCall("modern", { limit: 1 }, {}) },
  {
    name: "mcp-charged",
    connections: [64],
    ask: (keys) => toolCall("legacy", { limit: 4 }, { "x-api-key": keys[0] ?? "" }),
  },
];

/** A process of ours, and what ends it. */
interface Started extends Target {
  stop(): Promise<void>;
}

async function started(words: string[], env: Record<string, string>): Promise<Started> {
  const child = Bun.spawn(words, { env, stdout: "pipe", stderr: Bun.file("/dev/null") });
  const origin = words.includes("serve") ? await readyOrigin(child.stdout) : await firstLine(child.stdout);
  return {
    origin,
    pid: child.pid,
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function firstLine(stdout: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stdout) return new TextDecoder().decode(chunk).trim();
  throw new Error("the bare server ended");
}

/** A server on a store of its own. */
function serve(executable: string, dataDir: string): Promise<Started> {
  const env = {
    EXECCOMP_RATE_ANONYMOUS: "100000000",
    EXECCOMP_RATE_KEY: "100000000",
    EXECCOMP_DATA_DIR: dataDir,
  };
  return started([executable, "serve", "--port", "0"], env);
}

/** The bare server over the body that ours answers with, with one header or with ours. */
async function bare(server: Target, burst: Burst, folder: string, whose: "one" | "ours"): Promise<Started> {
  const key = burst.keys?.[0] ?? burst.headers?.["x-api-key"] ?? "";
  const answer = await fetch(server.origin + burst.path, {
    method: burst.method ?? "GET",
    headers: { ...burst.headers, ...(burst.keys === undefined ? {} : { "x-api-key": key }) },
    ...(burst.body === undefined ? {} : { body: burst.body }),
  });
  if (!answer.ok) throw new Error(`${burst.path} answered ${answer.status}: ${await answer.text()}`);
  const file = join(folder, `body-${whose}`);
  writeFileSync(file, await answer.bytes());
  const { date: _date, "content-length": _length, ...ours } = Object.fromEntries(answer.headers);
  const headers = whose === "ours" ? ours : { "content-type": "application/json" };
  return started(
    [process.execPath, join(import.meta.dir, "bare.ts"), file, key, JSON.stringify(headers)],
    {},
  );
}

/** Alternating bursts; the first of each warms up. @returns the micros of each side */
async function alternate(
  sides: readonly { target: Target; ask(round: number): Burst }[],
  connections: number,
  folder: string,
) {
  const micros: number[][] = sides.map(() => []);
  let refused = 0;
  for (let round = 0; round <= Number(values.pairs); round++) {
    for (const [at, { target, ask }] of sides.entries()) {
      const burned = await burn(target, ask(round), connections, folder);
      if (round > 0) micros[at]?.push(burned.micros);
      refused += burned.refused;
    }
  }
  return { micros, refused };
}

async function measure(row: Row, server: Started, keys: readonly string[], folder: string): Promise<void> {
  const page = await fetch(`${server.origin}/t/AAPL`, { headers: VISITOR });
  const held = page.headers.get("etag") ?? "";
  const asked = row.ask(keys, 0, held);
  const { beside } = row;
  const others =
    beside === undefined
      ? [await bare(server, asked, folder, "ours"), await bare(server, asked, folder, "one")]
      : [];
  const sides = [
    { target: server, ask: (round: number) => row.ask(keys, round, held) },
    ...others.map((target) => ({ target, ask: () => asked })),
    ...(beside === undefined ? [] : [{ target: server, ask: () => beside(keys) }]),
  ];
  for (const connections of row.connections) {
    const { micros, refused } = await alternate(sides, connections, folder);
    const [ours = [], ...rest] = micros;
    const base = rest.at(-1) ?? [];
    const dearer = median(ours.map((each, pair) => each / (base[pair] ?? Number.NaN)));
    const bound = rest.length < 2 ? "" : (median(base) / median(rest[0] ?? [])).toFixed(2);
    const cells = [
      row.name,
      connections,
      median(ours).toFixed(1),
      median(base).toFixed(1),
      beside === undefined ? (1 / dearer).toFixed(2) : `${dearer.toFixed(2)} ×`,
      bound,
    ];
    console.log(`| ${cells.join(" | ")} |${refused === 0 ? "" : ` ${refused} NOT 2xx`}`);
  }
  for (const other of others) await other.stop();
}

async function main(): Promise<void> {
  if (Bun.which("wrk") === null) throw new Error("needs wrk");
  const folder = mkdtempSync(join(tmpdir(), "execcomp-requests-"));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const keys = fillStore(dataDir, KEYS, ENTRIES, KEYS);
  const server = await serve(values.executable, dataDir);
  try {
    console.log(
      "| Row | Connections | µs | Beside, µs | Ratio | Bare with our headers |\n|---|---|---|---|---|---|",
    );
    for (const row of ROWS) {
      if (positionals.length === 0 || positionals.includes(row.name))
        await measure(row, server, keys, folder);
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
