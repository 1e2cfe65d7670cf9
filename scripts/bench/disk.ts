/**
 * The effect of a disk with slow flushes on callers. Needs Linux, wrk and strace, which delays the flushes:
 *
 *     bun run build && bun run bench disk [--flush-ms 10] [--pairs 5] [--executable FILE]
 *
 * Facts over four connections, alternately alone and alongside 500 charges a second; then the maximum number of charges
 * a second.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fillStore } from "./fill.ts";
import { EXECUTABLE, figure, median, NO_LIMITS, readyOrigin } from "./harness.ts";

const HISTORY = "/api/executive-compensation?ticker=AAPL";
const FACTS = "/t/AAPL/facts";
const CHARGES_PER_SECOND = 500;
/** Charges sent at a time, as often as the rate requires. */
const AT_A_TIME = 5;

const { values } = parseArgs({
  options: {
    "flush-ms": { type: "string", default: "10" },
    pairs: { type: "string", default: "5" },
    executable: { type: "string", default: EXECUTABLE },
  },
});

/** Facts for two seconds: median and p99, in ms. */
async function facts(origin: string): Promise<{ p50: number; p99: number }> {
  const output = await Bun.$`wrk -t1 -c4 -d2s --latency ${origin}${FACTS}`.quiet().text();
  const of = (percent: string) => {
    const [, figure = "", unit = ""] = new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? [];
    return Number(figure) * { us: 0.001, ms: 1, s: 1000 }[unit as "us" | "ms" | "s"];
  };
  return { p50: of("50"), p99: of("99") };
}

/**
 * Charges at a constant rate, however long each takes. @returns a function that stops it and returns how many were
 * answered
 */
function charging(origin: string, key: string): () => Promise<number> {
  let answered = 0;
  const requests = new Set<Promise<void>>();
  const ask = async () => {
    const answer = await fetch(origin + HISTORY, { headers: { "x-api-key": key } });
    await answer.arrayBuffer();
    if (answer.ok) answered += 1;
  };
  const timer = setInterval(
    () => {
      for (let n = 0; n < AT_A_TIME; n += 1) {
        const one: Promise<void> = ask().finally(() => requests.delete(one));
        requests.add(one);
      }
    },
    (1000 * AT_A_TIME) / CHARGES_PER_SECOND,
  );
  return async () => {
    clearInterval(timer);
    await Promise.all(requests);
    return answered;
  };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-disk-"));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const [key = ""] = await fillStore(dataDir, 10, 2);
  const delay = `inject=fdatasync,fsync:delay_enter=${Number(values["flush-ms"]) * 1000}`;
  const strace = ["strace", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=fdatasync,fsync"];
  const child = Bun.spawn([...strace, "-e", delay, values.executable, "serve", "--port", "0"], {
    env: { ...NO_LIMITS, EXECCOMP_DATA_DIR: dataDir },
    stdout: "pipe",
    stderr: "ignore",
  });
  try {
    const origin = await readyOrigin(child.stdout);
    await facts(origin);
    const alone: { p50: number; p99: number }[] = [];
    const beside: { p50: number; p99: number }[] = [];
    let charges = 0;
    for (let pair = 0; pair < Number(values.pairs); pair += 1) {
      alone.push(await facts(origin));
      const end = charging(origin, key);
      beside.push(await facts(origin));
      charges += await end();
    }
    const show = (name: "p50" | "p99") => {
      const of = (runs: typeof alone) => median(runs.map((run) => run[name]));
      const ratio = median(beside.map((run, pair) => run[name] / (alone[pair]?.[name] ?? Number.NaN)));
      const about = `${of(alone).toFixed(2)} ms alone, ${of(beside).toFixed(2)} alongside`;
      figure(`slow disk ${name}`, ratio, about);
      console.log(`facts, ${name}: ${about}, ${ratio.toFixed(2)} ×`);
    };
    show("p50");
    show("p99");
    console.log(`${(charges / Number(values.pairs) / 2).toFixed(0)} charges a second at the same time`);
    for (const connections of [64, 256]) {
      const words = ["-t1", `-c${connections}`, "-d3s", "-H", `X-API-KEY: ${key}`, origin + HISTORY];
      const output = await Bun.$`wrk ${words}`.quiet().text();
      const fit = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
      figure(`slow disk charges ${connections}`, fit);
      const failed = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? "0";
      console.log(`charges that fit, ${connections} connections: ${fit} a second, ${failed} refused`);
    }
  } finally {
    const server = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
    if (server !== "") process.kill(Number(server.split(" ")[0]), "SIGKILL");
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
