/**
 * Latency at the load that a server should carry: all kinds of requests at once, at 70% of a core, alone, during an
 * ingest and during a swap of the dataset. Linux only.
 *
 *     bun run build && bun run bench mix [--share 0.7] [--seconds 10] [--executable FILE]
 *
 * Latency counts from when a request was due (open-loop.ts). First the rate is determined at which the server's threads
 * take that share of one core, or a lower one if this process cannot send that many in time; each line says what was
 * offered. 1,000 keys, visitors from 5,000 addresses, every company of the dataset.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { NO_SHARED } from "../../test/support/edgar-shared.ts";
import { cpuNanos } from "./burst.ts";
import { figure } from "./figures.ts";
import { fillStore } from "./fill.ts";
import { toolCall } from "./mcp.ts";
import { type OpenLoop, openLoop, type Planned } from "./open-loop.ts";
import { NO_LIMITS } from "./servers.ts";
import { readyOrigin } from "./starting.ts";
import type { Shot, Target } from "./types.ts";

const ROOT = dirname(dirname(import.meta.dir));
const FILINGS = join(ROOT, "..", "shared", "filings");
const CONNECTIONS = 128;
const CALIBRATE_SECONDS = 3;
/** If the p99 of the sending delay exceeds this, the client itself is being measured: it then offers less. */
const CLIENT_LATE_MS = 2;
/** The factor by which it offers less, and how often. */
const [EASED, MAX_EASED] = [0.6, 4];

const { values } = parseArgs({
  options: {
    share: { type: "string", default: "0.7" },
    seconds: { type: "string", default: "10" },
    executable: { type: "string", default: join(ROOT, "dist", "execcomp") },
  },
});

/** Requests of each kind, in percent. */
const WEIGHTS = { keyed: 40, facts: 25, charged: 12, mcp: 12, page: 6, list: 4, registration: 1 } as const;
type Kind = keyof typeof WEIGHTS;

const any = <Of>(list: readonly Of[], fallback: Of): Of =>
  list[Math.floor(Math.random() * list.length)] ?? fallback;
const visitor = () => ({
  "x-forwarded-for": `10.0.${Math.floor(Math.random() * 20)}.${1 + Math.floor(Math.random() * 250)}`,
});

/** The request of each kind, for a company and a key. */
const SHOTS: Readonly<Record<Kind, (ticker: string, key: string) => Shot>> = {
  keyed: (ticker, key) => ({
    path: `/api/executive-compensation?ticker=${ticker}&limit=1`,
    headers: { "x-api-key": key },
  }),
  facts: (ticker) => ({ path: `/t/${ticker}/facts`, headers: visitor() }),
  charged: (ticker, key) => ({
    path: `/api/executive-compensation?ticker=${ticker}`,
    headers: { "x-api-key": key },
  }),
  mcp: (ticker) => toolCall("legacy", { ticker, limit: 1 }, visitor()),
  page: (ticker) => ({ path: `/t/${ticker}`, headers: { accept: "text/html", ...visitor() } }),
  list: (_ticker, key) => ({ path: "/api/executive-compensation/tickers", headers: { "x-api-key": key } }),
  registration: () => ({
    path: "/oauth/register",
    method: "POST",
    headers: { "content-type": "application/json", ...visitor() },
    body: JSON.stringify({ redirect_uris: ["http://127.0.0.1:1234/callback"], client_name: "Bench" }),
  }),
};

/** Number of requests built beforehand: building one takes as long as serving some. */
const MADE = 20_000;

/** Every request of the mix as bytes, in random order. */
function planner(origin: URL, tickers: readonly string[], keys: readonly string[]): () => Planned {
  const kinds = (Object.keys(WEIGHTS) as Kind[]).flatMap((kind) => Array<Kind>(WEIGHTS[kind]).fill(kind));
  const make = (): Planned => {
    const kind = any(kinds, "keyed");
    const { method = "GET", path, headers, body = "" } = SHOTS[kind](any(tickers, "AAPL"), any(keys, ""));
    const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const lines = Object.entries({ host: origin.host, ...headers, ...length });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return { kind, bytes: Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`) };
  };
  const made = Array.from({ length: MADE }, make);
  let at = 0;
  return () => made[at++ % MADE] ?? make();
}

/** A run with its share of a core. */
interface Run extends OpenLoop {
  share: number;
  /** The server's CPU time per request. */
  micros: number;
  requests: number;
}

async function run(server: Target, next: () => Planned, perSecond: number, seconds: number): Promise<Run> {
  const before = cpuNanos(server.pid);
  const begun = performance.now();
  const loop = await openLoop(new URL(server.origin), next, { perSecond, seconds, connections: CONNECTIONS });
  const nanos = cpuNanos(server.pid) - before;
  const share = nanos / 1e6 / (performance.now() - begun);
  const requests = [...loop.latencies.values()].reduce((sum, all) => sum + all.length, 0);
  return { ...loop, share, requests, micros: nanos / 1e3 / requests };
}

/**
 * The requests per second at which the server takes the share of a core: measured twice, because a request costs less
 * the more there are.
 */
async function rateFor(share: number, server: Target, next: () => Planned): Promise<number> {
  let rate = 1000;
  for (let round = 0; round < 3; round += 1) {
    const { micros, requests } = await run(server, next, rate, CALIBRATE_SECONDS);
    if (requests > 0) rate = (share * 1e6) / micros;
  }
  return rate;
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** The p99 of the sending delay. */
function lateMs({ lateness }: Run): number {
  return quantile(
    [...lateness].sort((a, b) => a - b),
    0.99,
  );
}

/** A run at a rate that this process can sustain, lowering it if necessary. @returns the run with its rate */
async function easedRun(
  server: Target,
  next: () => Planned,
  rate: number,
): Promise<{ run: Run; rate: number }> {
  for (let [eased, perSecond] = [0, rate]; ; eased += 1, perSecond *= EASED) {
    const tried = await run(server, next, perSecond, Number(values.seconds));
    const late = lateMs(tried);
    if (late <= CLIENT_LATE_MS || eased === MAX_EASED) return { run: tried, rate: perSecond };
    console.log(
      `${perSecond.toFixed(0)} a second: the hundredth latest was sent ${late.toFixed(1)} ms late, so fewer are offered`,
    );
  }
}

function say(phase: string, done: Run): void {
  const { latencies, lateness, refused, share, micros, requests, offered } = done;
  const row = (name: string, unsorted: readonly number[]) => {
    const sorted = [...unsorted].sort((a, b) => a - b);
    const cells = [0.5, 0.99, 0.999].map((part) => quantile(sorted, part).toFixed(2));
    console.log(`| ${[phase, name, sorted.length, ...cells].join(" | ")} |`);
  };
  for (const kind of Object.keys(WEIGHTS)) row(kind, latencies.get(kind) ?? []);
  row("all", [...latencies.values()].flat());
  row("sending delay of the client", lateness);
  const not = [...refused].map(([what, times]) => `${times} × ${what}`).join(", ");
  console.log(
    `| ${phase} | ${offered} offered, ${micros.toFixed(1)} µs each, ${share.toFixed(2)} of a core${not === "" ? "" : `; NOT 2xx: ${not}`} | ${requests} | | | |`,
  );
  const late = lateMs(done);
  const all = [...latencies.values()].flat().sort((a, b) => a - b);
  const whose = late > CLIENT_LATE_MS ? `${late.toFixed(1)} ms of p99 may be the client's` : "";
  figure(`mix ${phase}`, quantile(all, 0.99), whose);
  if (whose !== "") console.log(`| ${phase} | the client was late: ${whose} | | | | |`);
}

/** Runs a command of the executable on the server's data folder under load. */
async function beside(
  server: Target,
  next: () => Planned,
  rate: number,
  command: readonly string[],
  env: Record<string, string>,
): Promise<Run> {
  const loaded = run(server, next, rate, Number(values.seconds));
  await Bun.sleep(500);
  const child = Bun.spawn([values.executable, ...command], { env, stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) console.log(`${command.join(" ")}: ${said.trim().split("\n").at(-1)}`);
  return loaded;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-mix-"));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const keys = fillStore(dataDir, 10_000, 100_000, 1000);
  const env = { ...NO_LIMITS, EXECCOMP_DATA_DIR: dataDir, EXECCOMP_TRUSTED_PROXIES: "127.0.0.1" };
  const child = Bun.spawn([values.executable, "serve", "--port", "0"], {
    env,
    stdout: "pipe",
    stderr: Bun.file("/dev/null"),
  });
  try {
    const server = { origin: await readyOrigin(child.stdout), pid: child.pid };
    const listed = await fetch(`${server.origin}/api/executive-compensation/tickers`, {
      headers: { "x-api-key": keys[0] ?? "" },
    });
    const { tickers } = (await listed.json()) as { tickers: string[] };
    const next = planner(new URL(server.origin), tickers, keys);
    const wanted = await rateFor(Number(values.share), server, next);
    const { run: alone, rate } = await easedRun(server, next, wanted);
    console.log(`${rate.toFixed(0)} requests a second at random times; ms from when each was due`);
    console.log("| During | Requests | Responses | p50 | p99 | p99.9 |\n|---|---|---|---|---|---|");
    say("no other load", alone);
    if (NO_SHARED !== null) console.log(`no ingest, and so no swap: ${NO_SHARED}`);
    else {
      const ingest = ["ingest", "--from-dir", FILINGS];
      say("an ingest and its swap", await beside(server, next, rate, ingest, env));
      say("a swap back", await beside(server, next, rate, ["data", "rollback"], env));
    }
  } finally {
    child.kill("SIGKILL");
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
process.exit(0);
