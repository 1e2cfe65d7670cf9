/**
 * The cost of a request to the executable, in CPU time of all its threads, compared with a bare `Bun.serve` that
 * returns the same bytes. Needs Linux and wrk.
 *
 *     bun run build && bun run bench requests [ROW…] [--pairs 7] [--executable FILE]
 *
 * Each row alternates bursts of one second between the executable and its comparison; the ratio is the median over the
 * pairs, because other load on the machine affects both alike. One store for all rows: 100,000 keys of 10,000 users
 * with 1,000,000 ledger entries.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { HISTORY, keyOfEach, LATEST, withOneKey } from "./asked.ts";
import { type Burst, median } from "./burst.ts";
import { figure } from "./figures.ts";
import { fillStore } from "./fill.ts";
import { toolCall } from "./mcp.ts";
import { alternate, bare, serve, type Started } from "./servers.ts";

const ROOT = dirname(dirname(import.meta.dir));
const KEYS = 100_000;
const ENTRIES = 1_000_000;
/** Keys used up by one burst of first uses. */
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
  /** @param held entity tag of the company page in a visitor's browser */
  ask(keys: readonly string[], round: number, held: string): Burst;
  /** The comparison, if it is another request of ours and not the bare server. */
  beside?(keys: readonly string[]): Burst;
}

const ALL = [1, 16, 64] as const;
const keyed = (path: string, keys: readonly string[]): Burst => ({ path, keys });
const FACTS: Burst = { path: "/t/AAPL/facts" };
/** Through a proxy a request is a visitor's; otherwise it is the local operator's, who sees every year. */
const VISITOR = { accept: "text/html", "x-forwarded-for": "203.0.113.1" };

const ROWS: readonly Row[] = [
  { name: "keyed", connections: ALL, ask: (keys) => withOneKey(LATEST, keys) },
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
  { name: "charged", connections: ALL, ask: (keys) => withOneKey(HISTORY, keys) },
  {
    name: "charged-1000-users",
    connections: [16, 64],
    ask: (keys) => keyed(HISTORY, keyOfEach(keys, 1000)),
    beside: (keys) => withOneKey(HISTORY, keys),
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
    // From the end: no other row uses those.
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
    const { micros, refused } = await alternate(sides, connections, Number(values.pairs), folder);
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
    const about = `${median(ours).toFixed(1)} to ${median(base).toFixed(1)} µs`;
    if (refused === 0)
      figure(`${row.name} ${connections}`, beside === undefined ? 1 / dearer : dearer, about);
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
      "| Row | Connections | µs | Comparison, µs | Ratio | Bare with our headers |\n|---|---|---|---|---|---|",
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
