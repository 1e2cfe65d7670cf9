/**
 * A caller who asks for facts 200 times a second, whatever the server does: `bun scripts/bench/probe.ts ORIGIN` until SIGTERM, then prints
 * `{"answers","longestMs","failed","ownMs"}`. A stall of the answering thread is somebody's wait: the longest is what callers felt. `ownMs`
 * is the longest time for which this process did not run itself, where other work had the cores: a wait no longer than that says nothing.
 */
import { setPriority } from "node:os";

const EVERY_MS = 5;
/** Requests without an answer: more would be another load, and measure this process. What is due then waits, which counts. */
const MAX_OUTSTANDING = 8;

const counted = { answers: 0, longestMs: 0, failed: 0, ownMs: 0 };

async function ask(origin: string, dueMs: number): Promise<void> {
  try {
    const answer = await fetch(`${origin}/t/AAPL/facts`, { signal: AbortSignal.timeout(120_000) });
    await answer.arrayBuffer();
    if (!answer.ok) counted.failed += 1;
  } catch {
    counted.failed += 1;
  }
  counted.answers += 1;
  counted.longestMs = Math.max(counted.longestMs, performance.now() - dueMs);
}

async function main(origin: string): Promise<void> {
  const ended = new AbortController();
  process.on("SIGTERM", () => ended.abort());
  try {
    setPriority(-10);
  } catch {
    // Only root may; without it other work holds this process up more often.
  }
  // Connections and code are warm before anything counts.
  for (let n = 0; n < 100; n++) await ask(origin, performance.now());
  Object.assign(counted, { answers: 0, longestMs: 0, failed: 0 });
  console.log("ready");
  const outstanding = new Set<Promise<void>>();
  for (let dueMs = performance.now(); !ended.signal.aborted; dueMs += EVERY_MS) {
    await Bun.sleep(Math.max(0, dueMs - performance.now()));
    const lateMs = performance.now() - dueMs;
    counted.ownMs = Math.max(counted.ownMs, lateMs);
    if (lateMs > EVERY_MS) dueMs += lateMs;
    while (outstanding.size >= MAX_OUTSTANDING) await Promise.race(outstanding);
    const one = ask(origin, dueMs).finally(() => void outstanding.delete(one));
    outstanding.add(one);
    // What was due meanwhile has waited for less than this one; sent at once, it would be another load.
    dueMs = Math.max(dueMs, performance.now() - EVERY_MS);
  }
  await Promise.all(outstanding);
  console.log(JSON.stringify(counted));
}

void main(process.argv[2] ?? "");
