import type { Runtime } from "../../src/runtime.ts";

/** A runtime that a test controls: time stands still, ids count up, secrets are the same in every run. */
export interface TestRuntime extends Runtime {
  /** Advances both clocks. */
  advance(ms: number): void;
}

/**
 * A test's runtime. Its `fetch` refuses everything: tests reach only their own servers.
 *
 * @param startMs start of the clock, default 2026-06-01T12:00:00Z
 */
export function testRuntime(startMs = Date.UTC(2026, 5, 1, 12)): TestRuntime {
  let nowMs = startMs;
  let count = 0;
  return {
    now: () => nowMs,
    monotonic: () => nowMs - startMs,
    id: () => `00000000-0000-7000-8000-${String(++count).padStart(12, "0")}`,
    secret(bytes) {
      count += 1;
      const out = new Uint8Array(bytes);
      for (let at = 0; at < bytes; at += 32) {
        const block = new Bun.CryptoHasher("sha256").update(`secret ${count} ${at}`).digest();
        out.set(block.subarray(0, bytes - at), at);
      }
      return out;
    },
    fetch: (input) => Promise.reject(new Error(`a test must not reach ${String(input)}`)),
    resolve: (host) => Promise.reject(new Error(`a test must not look up ${host}`)),
    advance(ms) {
      nowMs += ms;
    },
  };
}
