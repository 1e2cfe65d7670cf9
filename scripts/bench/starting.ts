import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./types.ts";

const RUNS = 7;

/** Start of the process to its first answer, with an empty and with a used data folder; memory at idle. */
export const bench: Bench = {
  name: "starting",
  async run({ executable, folder, say }) {
    const used = join(folder, "used");
    mkdirSync(used);
    await start(executable, used);
    const first: Started[] = [];
    const later: Started[] = [];
    for (let run = 0; run < RUNS; run++) {
      const empty = join(folder, `empty-${run}`);
      mkdirSync(empty);
      first.push(await start(executable, empty));
      later.push(await start(executable, used));
    }
    for (const [name, runs] of [
      ["empty data folder", first],
      ["used data folder", later],
    ] as const) {
      const sorted = runs.map(({ firstAnswerMs }) => firstAnswerMs).sort((a, b) => a - b);
      const median = sorted[Math.floor(RUNS / 2)] ?? Number.NaN;
      say(`first answer, ${name}`, `median ${median.toFixed(0)} ms, best ${(sorted[0] ?? 0).toFixed(0)} ms`);
    }
    const rss = later.map(({ rssMb }) => rssMb).sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
    say("resident memory at idle", `${rss.toFixed(1)} MB`);
  },
};

interface Started {
  firstAnswerMs: number;
  rssMb: number;
}

async function start(executable: string, dataDir: string): Promise<Started> {
  const began = performance.now();
  const child = Bun.spawn([executable, "serve", "--port", "0", "--data-dir", dataDir], {
    cwd: dataDir,
    env: {},
    stdout: "pipe",
    stderr: "ignore",
  });
  try {
    const origin = await readyOrigin(child.stdout);
    const answer = await fetch(`${origin}/t/AAPL/facts`);
    await answer.bytes();
    const firstAnswerMs = performance.now() - began;
    if (answer.status !== 200) throw new Error(`first answer was ${answer.status}`);
    await Bun.sleep(1500);
    return { firstAnswerMs, rssMb: rssOf(child.pid) };
  } finally {
    child.kill();
    await child.exited;
  }
}

/** The origin in the line `ready http://…` of a server's standard output. */
export async function readyOrigin(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk);
    const origin = /^ready (\S+)$/m.exec(text)?.[1];
    if (origin !== undefined) return origin;
  }
  throw new Error(`the server ended without a ready line; it said: ${text}`);
}

function rssOf(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kb) / 1024;
}
