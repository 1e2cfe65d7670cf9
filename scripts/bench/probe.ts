/**
 * A caller who asks for facts 200 times a second, whatever the server does: `bun scripts/bench/probe.ts ORIGIN` until SIGTERM, then prints
 * `{"answers","longestMs","failed"}`. A stall of the answering thread is somebody's wait: the longest is what callers felt.
 */
const EVERY_MS = 5;

async function ask(
  origin: string,
  counted: { answers: number; longestMs: number; failed: number },
): Promise<void> {
  const began = performance.now();
  try {
    const answer = await fetch(`${origin}/t/AAPL/facts`, { signal: AbortSignal.timeout(60_000) });
    await answer.arrayBuffer();
    if (answer.status >= 500) counted.failed += 1;
  } catch {
    counted.failed += 1;
  }
  counted.answers += 1;
  counted.longestMs = Math.max(counted.longestMs, performance.now() - began);
}

async function main(origin: string): Promise<void> {
  const ended = new AbortController();
  process.on("SIGTERM", () => ended.abort());
  // Connections and code are warm before anything counts.
  for (let n = 0; n < 100; n++) await ask(origin, { answers: 0, longestMs: 0, failed: 0 });
  console.log("ready");
  const counted = { answers: 0, longestMs: 0, failed: 0 };
  const waiting = new Set<Promise<void>>();
  for (let due = performance.now(); !ended.signal.aborted; due += EVERY_MS) {
    await Bun.sleep(Math.max(0, due - performance.now()));
    // If this process was late itself, the missed requests are not sent at once: that would be another load.
    due = Math.max(due, performance.now() - EVERY_MS);
    const one = ask(origin, counted).finally(() => void waiting.delete(one));
    waiting.add(one);
  }
  await Promise.all(waiting);
  console.log(JSON.stringify(counted));
}

void main(process.argv[2] ?? "");
