/**
 * What a request costs, in CPU time of all threads of the server, for every kind of caller. Needs Linux and wrk.
 *
 *     bun run build && bun run bench rows [ROW…] [--against EXECUTABLE|COMMIT] [--pairs 7] [--executable FILE] [--folder DIR]
 *
 * Bursts of one second alternate between warm servers, in reversed order each time, and the ratio is the median over the pairs:
 * other load on the machine affects both alike. Without `--against`, the comparison is a bare `Bun.serve` that returns the same
 * bytes, or the other request of ours that the row names. With it, another executable, or a commit that is built first, answers the
 * same requests; at least 15 pairs then, and what lies between the ends of the interval is noise. The row `peers` compares facts, keyed
 * and charged with what a user would write instead. All have a copy of one store:
 * 100,000 keys of 10,000 users and a million ledger entries, in DIR (in `/dev/shm`, flushes of others do not interfere).
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { fillStore, KEYS_A_USER } from "./fill.ts";
import { startPeers } from "./peers/start.ts";
import { alternate, bare, type Burst, EXECUTABLE, median, serve, type Started } from "./harness.ts";

const ROOT = dirname(dirname(import.meta.dir));
const KEYS = 100_000;
const ENTRIES = 1_000_000;
/** Keys used up by one burst of first uses. */
const FIRST_USES = 8000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: "string" },
    pairs: { type: "string" },
    executable: { type: "string", default: EXECUTABLE },
    folder: { type: "string", default: tmpdir() },
  },
});
const PAIRS = Number(values.pairs ?? (values.against === undefined ? 7 : 15));

/** A free answer for a key, and one that costs a credit. */
const LATEST = "/api/executive-compensation?ticker=AAPL&limit=1";
const HISTORY = "/api/executive-compensation?ticker=AAPL";
/** Through a proxy a request is a visitor's; otherwise it is the local operator's, who sees every year. */
const VISITOR = { accept: "text/html", "x-forwarded-for": "203.0.113.1" };
const FACTS: Burst = { path: "/t/AAPL/facts" };

const withOneKey = (path: string, [key = ""]: readonly string[]): Burst => ({
  path,
  headers: { "x-api-key": key },
});
/** One key of each of the first users; those of a user stand next to each other. */
const keyOfEach = (keys: readonly string[], users: number): string[] =>
  Array.from({ length: users }, (_, user) => keys[user * KEYS_A_USER] ?? "");

/** A call of the tool that returns rows, in a family of protocol versions. */
function toolCall(
  version: "2025-11-25" | "2026-07-28",
  limit: number,
  headers: Record<string, string> = {},
): Burst {
  const isModern = version === "2026-07-28";
  const name = "get_executive_compensation";
  const meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  };
  const params = { name, arguments: { ticker: "AAPL", limit }, ...(isModern ? { _meta: meta } : {}) };
  return {
    path: "/mcp",
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      ...(isModern ? { "mcp-method": "tools/call", "mcp-name": name } : {}),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params }),
  };
}

/** One line of the table. */
interface Row {
  name: string;
  connections: readonly number[];
  /** @param held entity tag of the company page in a visitor's browser */
  ask(keys: readonly string[], round: number, held: string): Burst;
  /** The comparison, if it is another request of ours and not the bare server. */
  beside?(keys: readonly string[]): Burst;
}

const ALL = [1, 16, 64] as const;
const ROWS: readonly Row[] = [
  { name: "facts", connections: ALL, ask: () => FACTS },
  { name: "keyed", connections: ALL, ask: (keys) => withOneKey(LATEST, keys) },
  { name: "charged", connections: ALL, ask: (keys) => withOneKey(HISTORY, keys) },
  {
    name: "charged-200-users",
    connections: [16, 64],
    ask: (keys) => ({ path: HISTORY, keys: keyOfEach(keys, 200) }),
    beside: (keys) => withOneKey(HISTORY, keys),
  },
  {
    name: "keys-10000",
    connections: [64],
    ask: (keys) => ({ path: LATEST, keys: keys.slice(0, 10_000) }),
    beside: (keys) => ({ path: LATEST, keys: keys.slice(0, 1) }),
  },
  {
    name: "first-use",
    connections: [64],
    // From the end: no other row uses those.
    ask: (keys, round) => ({
      path: LATEST,
      keys: keys.slice(KEYS - (round + 1) * FIRST_USES, KEYS - round * FIRST_USES),
      once: true,
    }),
    beside: (keys) => ({ path: LATEST, keys: keys.slice(0, 1) }),
  },
  {
    name: "company-page",
    connections: [1, 16],
    ask: () => ({ path: "/t/AAPL", headers: VISITOR }),
    beside: () => FACTS,
  },
  {
    name: "company-page-304",
    connections: [1, 16],
    ask: (_keys, _round, held) => ({ path: "/t/AAPL", headers: { ...VISITOR, "if-none-match": held } }),
    beside: () => FACTS,
  },
  {
    name: "query",
    connections: [16],
    ask: (keys) =>
      withOneKey("/api/executive-compensation/query?fiscal_year=2024&office=peo&max_rows=25", keys),
    beside: (keys) => withOneKey(HISTORY, keys),
  },
  {
    name: "mcp",
    connections: [64],
    ask: () => toolCall("2025-11-25", 1),
    beside: (keys) => withOneKey(LATEST, keys),
  },
  {
    name: "mcp-modern",
    connections: [64],
    ask: () => toolCall("2026-07-28", 1),
    beside: (keys) => withOneKey(LATEST, keys),
  },
  {
    name: "mcp-charged",
    connections: [64],
    ask: (keys) => toolCall("2025-11-25", 4, { "x-api-key": keys[0] ?? "" }),
    beside: (keys) => withOneKey(HISTORY, keys),
  },
];

/** The median of the ratios of pairs, and the interval that contains the true one with 95%, by the ranks of a binomial. */
function ratioOf(ours: readonly number[], theirs: readonly number[]) {
  const sorted = ours.map((each, pair) => each / (theirs[pair] ?? Number.NaN)).toSorted((a, b) => a - b);
  const spread = Math.ceil(0.98 * Math.sqrt(sorted.length));
  const middle = Math.floor(sorted.length / 2);
  const at = (rank: number) => sorted[Math.min(Math.max(rank, 0), sorted.length - 1)] ?? Number.NaN;
  return { ratio: median(sorted), low: at(middle - spread), high: at(middle + spread) };
}

async function measure(
  row: Row,
  server: Started,
  before: Started | undefined,
  keys: readonly string[],
  folder: string,
) {
  const page = await fetch(`${server.origin}/t/AAPL`, { headers: VISITOR });
  const held = page.headers.get("etag") ?? "";
  const ask = (round: number) => row.ask(keys, round, held);
  const { beside } = row;
  const plain = before === undefined && beside === undefined ? await bare(server, ask(0), folder) : undefined;
  const other = before ?? plain ?? server;
  const askOther =
    before === undefined && beside !== undefined
      ? () => beside(keys)
      : plain === undefined
        ? ask
        : () => ask(0);
  for (const connections of row.connections) {
    const sides = [
      { target: server, ask },
      { target: other, ask: askOther },
    ];
    const { micros, refused } = await alternate(sides, connections, PAIRS, folder);
    const [ours = [], theirs = []] = micros;
    // Relative to a bare server: its cost over ours; to another request or executable: ours over its.
    const { ratio, low, high } = plain === undefined ? ratioOf(ours, theirs) : ratioOf(theirs, ours);
    const against = plain === undefined ? (before === undefined ? "beside" : "before") : "bare";
    const cells = [row.name, connections, median(ours).toFixed(1), median(theirs).toFixed(1)];
    const ratios = [against, ratio.toFixed(2), `${low.toFixed(2)}–${high.toFixed(2)}`];
    console.log(`| ${[...cells, ...ratios].join(" | ")} |${refused === 0 ? "" : ` ${refused} NOT 2xx`}`);
  }
  await plain?.stop();
}

/**
 * An executable to compare with, and the tree that it was built from. A commit is built in a worktree of its own, which `remove` takes
 * away.
 */
async function otherExecutable(named: string, folder: string) {
  if (existsSync(named)) return { executable: named, tree: dirname(dirname(named)), remove: async () => {} };
  const tree = join(folder, "before");
  await Bun.$`git worktree add --detach ${tree} ${named}`.cwd(ROOT).quiet();
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
  await Bun.$`${process.execPath} scripts/build.ts`.cwd(tree).quiet();
  const remove = async () => void (await Bun.$`git worktree remove --force ${tree}`.cwd(ROOT).quiet());
  return { executable: join(tree, "dist", "execcomp"), tree, remove };
}

/** Fills the store as the older tree does, if it is there: the newer program migrates it, the older one could not read ours. */
async function fill(filled: string, tree: string | undefined): Promise<string[]> {
  const older = join(tree ?? "", "scripts/bench/fill.ts");
  if (tree === undefined || !existsSync(older)) return fillStore(filled, KEYS, ENTRIES, KEYS);
  const { fillStore: fillOlder } = (await import(older)) as { fillStore: typeof fillStore };
  return fillOlder(filled, KEYS, ENTRIES, KEYS);
}

/** The first rows over 64 connections, of us and of each peer in alternation. */
async function measurePeers(server: Started, dataDir: string, keys: readonly string[], folder: string) {
  const peers = await startPeers(values.executable, dataDir, keys, folder);
  try {
    for (const row of ROWS.slice(0, 3)) {
      const ours = row.ask(keys, 0, "");
      for (const peer of peers) {
        const theirs = peer.ask(ours);
        if (theirs === null) continue;
        const sides = [
          { target: server, ask: () => ours },
          { target: peer.server, ask: () => theirs },
        ];
        const { micros, refused } = await alternate(sides, 64, PAIRS, folder);
        const [us = [], them = []] = micros;
        const { ratio, low, high } = ratioOf(them, us);
        const cells = [row.name, 64, median(us).toFixed(1), median(them).toFixed(1), peer.name];
        const ratios = [`${ratio.toFixed(2)} ×`, `${low.toFixed(2)}–${high.toFixed(2)}`];
        console.log(`| ${[...cells, ...ratios].join(" | ")} |${refused === 0 ? "" : ` ${refused} NOT 2xx`}`);
      }
    }
  } finally {
    for (const { server: peer } of peers) await peer.stop();
  }
}

async function main(): Promise<void> {
  const names = [...ROWS.map(({ name }) => name), "peers"];
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`no row ${unknown.join(", ")}; there is ${names.join(", ")}`);
  if (Bun.which("wrk") === null) throw new Error("needs wrk");
  const folder = mkdtempSync(join(values.folder, "execcomp-rows-"));
  const filled = join(folder, "filled");
  mkdirSync(filled);
  const other = values.against === undefined ? undefined : await otherExecutable(values.against, folder);
  const keys = await fill(filled, other?.tree);
  const servers: Started[] = [];
  const start = async (executable: string) => {
    const dataDir = join(folder, `store-${servers.length}`);
    cpSync(filled, dataDir, { recursive: true });
    const server = await serve(executable, dataDir);
    servers.push(server);
    return server;
  };
  try {
    const server = await start(values.executable);
    const before = other && (await start(other.executable));
    console.log(
      "| Row | Connections | µs | Comparison, µs | With | Ratio | 95% |\n|---|---|---|---|---|---|---|",
    );
    for (const row of ROWS) {
      if (positionals.length === 0 || positionals.includes(row.name))
        await measure(row, server, before, keys, folder);
    }
    const wantsPeers = positionals.length === 0 ? before === undefined : positionals.includes("peers");
    if (wantsPeers) await measurePeers(server, filled, keys, folder);
  } finally {
    for (const server of servers) await server.stop();
    await other?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
