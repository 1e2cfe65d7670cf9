/**
 * Latency of one company's answers while another caller sends expensive requests without pause, from the built
 * executable with half a million rows. Rounds alternate between no other caller and one of each kind, so that other
 * load on the machine affects both; the ratio is what counts. Also measured: how long the answering thread works on one
 * such request without other load. No caller can wait longer than that, and it does not depend on other processes.
 * Linux only.
 *
 *     bun run bench dataset --keep FILE && bun run build
 *     bun run bench beside --file FILE [--executable FILE] [--rounds 5] [--seconds 3] [KIND…]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { median } from "./burst.ts";
import { mainThreadMs } from "./process.ts";
import { installLarge } from "./servers.ts";
import { readyOrigin } from "./starting.ts";

const WIDE = "/api/executive-compensation";
/** A request that is sent without pause. `turn` makes each one different, so that no answer comes from a cache. */
const KINDS: Readonly<Record<string, { path(turn: number): string; coding?: string }>> = {
  statistics: {
    path: (turn) => `${WIDE}/statistics?fiscal_year_gte=0&group_by=fiscal_year,sic2&salary_gte=${turn}`,
  },
  query: { path: (turn) => `${WIDE}/query?fiscal_year_gte=0&max_rows=1000&salary_gte=${turn}` },
  gzip: { path: (turn) => `${WIDE}/query?fiscal_year_gte=0&max_rows=1000&bonus_gte=${turn}`, coding: "gzip" },
  zstd: { path: (turn) => `${WIDE}/query?fiscal_year_gte=0&max_rows=1000&bonus_lte=${turn}`, coding: "zstd" },
  search: { path: (turn) => `/api/companies?q=internasional%20busines%20machnes%20${turn}` },
  csv: { path: () => `${WIDE}/export?fiscal_year=2024` },
  parquet: { path: () => `${WIDE}/export?fiscal_year=2024&format=parquet` },
};
/** Milliseconds between two requests for one company. */
const EVERY_MS = 4;

interface Order {
  origin: string;
  key: string;
  kind: string;
  /** The first turn not used by another round. */
  from: number;
}

if (Bun.isMainThread) await measure();
else answerOrders();

declare const self: Worker;

/** In a separate thread: sends requests without pause until stopped, and returns their number. */
function answerOrders(): void {
  // On Linux a thread has its own priority. Reading answers is not part of the measurement.
  setPriority(0, 19);
  let asking = new AbortController();
  self.addEventListener("message", async ({ data }: MessageEvent<Order | "stop">) => {
    if (data === "stop") {
      asking.abort();
      return;
    }
    asking = new AbortController();
    const { signal } = asking;
    let asked = 0;
    for (; !signal.aborted; asked++) await ask(data, data.from + asked);
    self.postMessage(asked);
  });
}

async function ask({ origin, key, kind }: Order, turn: number): Promise<void> {
  const asked = KINDS[kind];
  if (asked === undefined) throw new Error(`no kind ${kind}`);
  const answer = await fetch(origin + asked.path(turn), {
    headers: { "x-api-key": key, "accept-encoding": asked.coding ?? "identity" },
  });
  await answer.body?.pipeTo(new WritableStream());
  if (!answer.ok) throw new Error(`${asked.path(turn)} answered ${answer.status}`);
}

async function measure(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      file: { type: "string" },
      executable: { type: "string", default: join(dirname(dirname(import.meta.dir)), "dist", "execcomp") },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "3" },
    },
  });
  const { file, executable } = values;
  if (file === undefined)
    throw new Error("--file FILE: a snapshot that `bun run bench dataset --keep FILE` made");
  const folder = mkdtempSync(join(tmpdir(), "execcomp-beside-"));
  const { env, key } = await installLarge(executable, folder, file);
  const child = Bun.spawn([executable, "serve", "--port", "0"], { env, stdout: "pipe", stderr: "ignore" });
  const caller = new Worker(import.meta.url);
  try {
    const origin = await readyOrigin(child.stdout);
    const server = { origin, pid: child.pid, key, facts: await factsPath(origin, key) };
    const kinds = Object.keys(KINDS).filter((kind) => positionals.length === 0 || positionals.includes(kind));
    await warmedUp(server);
    let turn = 0;
    for (const kind of kinds) {
      const alone = await singly(server, kind, turn);
      turn += 1000;
      console.log(
        `${kind}: first ${alone.first.toFixed(1)} ms of the answering thread, then ${alone.median.toFixed(2)}, ${alone.most.toFixed(2)} at most`,
      );
      const rounds: { alone: Latencies; beside: Latencies; asked: number }[] = [];
      for (let round = 0; round < Number(values.rounds); round++) {
        const quiet = await probe(server, Number(values.seconds));
        caller.postMessage({ ...server, kind, from: turn } satisfies Order);
        await Bun.sleep(100);
        const beside = await probe(server, Number(values.seconds));
        const asked = await stopped(caller);
        turn += asked + 1;
        rounds.push({ alone: quiet, beside, asked });
      }
      for (const share of ["p50", "p99", "most"] as const) {
        const of = (which: "alone" | "beside") => median(rounds.map((round) => round[which][share]));
        const ratios = rounds.map((round) => round.beside[share] / round.alone[share]);
        console.log(
          `  ${share.padEnd(5)} alone ${of("alone").toFixed(2)} ms, beside ${of("beside").toFixed(2)}; ratio by round ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}, middle ${median(ratios).toFixed(2)}`,
        );
      }
      const busy = (which: "alone" | "beside") => median(rounds.map((round) => round[which].busy));
      console.log(
        `  answering thread ${busy("alone").toFixed(3)} ms a question alone, ${busy("beside").toFixed(3)} beside with its share of ${median(rounds.map(({ asked }) => asked))} requests a round`,
      );
    }
  } finally {
    caller.terminate();
    child.kill("SIGKILL");
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first query reads the columns: on a busy machine that takes longer than a connection is kept open. */
async function warmedUp({ origin, key }: Server): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await ask({ origin, key, kind: "statistics", from: 0 }, 0);
      return;
    } catch (cause) {
      if (tries === 10) throw cause;
    }
  }
}

function stopped(caller: Worker): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  caller.addEventListener("message", ({ data }: MessageEvent<number>) => resolve(data), { once: true });
  caller.postMessage("stop");
  return promise;
}

interface Server {
  origin: string;
  pid: number;
  key: string;
  /** The URL of one company's facts. */
  facts: string;
}

async function factsPath(origin: string, key: string): Promise<string> {
  const answer = await fetch(`${origin}/api/executive-compensation/tickers?limit=1`, {
    headers: { "x-api-key": key },
  });
  const found = /"tickers":\["([^"]+)/.exec(await answer.text())?.[1];
  if (found === undefined) throw new Error("the dataset has no ticker");
  return `/t/${found}/facts`;
}

/** CPU time of the answering thread for one request of a kind, without other load. */
async function singly(server: Server, kind: string, from: number) {
  const costs: number[] = [];
  const begun = performance.now();
  for (let turn = 0; turn < 30 && performance.now() - begun < 10_000; turn++) {
    const before = mainThreadMs(server.pid);
    await ask({ ...server, kind, from }, from + turn);
    costs.push(mainThreadMs(server.pid) - before);
  }
  const [first = 0, ...later] = costs;
  return { first, median: median(later), most: Math.max(...later) };
}

interface Latencies {
  p50: number;
  p99: number;
  most: number;
  /** Milliseconds of CPU time of the answering thread per request. */
  busy: number;
}

/** Requests one company every few milliseconds over one connection, whether or not the last answer has arrived. */
async function probe({ origin, pid, facts }: Server, seconds: number): Promise<Latencies> {
  const { hostname, port } = new URL(origin);
  const asked: number[] = [];
  const took: number[] = [];
  let rest = "";
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, bytes) {
        rest += bytes.toString("latin1");
        for (;;) {
          const end = rest.indexOf("\r\n\r\n");
          const length = Number(/^content-length: (\d+)/im.exec(rest.slice(0, end))?.[1]);
          if (end < 0 || rest.length < end + 4 + length) return;
          rest = rest.slice(end + 4 + length);
          took.push(performance.now() - (asked[took.length] ?? 0));
        }
      },
    },
  });
  const before = mainThreadMs(pid);
  const begun = performance.now();
  for (let due = begun; due < begun + seconds * 1000; due += EVERY_MS) {
    const wait = due - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    asked.push(performance.now());
    socket.write(`GET ${facts} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
  }
  while (took.length < asked.length) await Bun.sleep(1);
  const busy = (mainThreadMs(pid) - before) / took.length;
  socket.end();
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), most: at(1), busy };
}
