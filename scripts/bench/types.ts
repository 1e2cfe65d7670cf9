/**
 * What a file under `scripts/bench/` exports: `export const bench: Bench = { … }`. `scripts/bench.ts` finds it there
 * by itself, gives it the built executable already running, and prints what it says.
 */

/** A request that a load generator repeats. */
export interface Shot {
  /** Path with query, from `/`. */
  path: string;
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** What one run of load gave. */
export interface Load {
  requestsPerSecond: number;
  /** CPU time of the server process, user and system, for each request. NaN where the system does not tell. */
  cpuMicrosPerRequest: number;
  /** Answers that were not 2xx. A run with any proves nothing. */
  refused: number;
}

/** A server that load is put on. */
export interface Target {
  origin: string;
  pid: number;
}

/** What a bench may use. */
export interface Bench {
  name: string;
  run(given: BenchGiven): Promise<void>;
}

/** The executable under test, and the tools to measure it with. */
export interface BenchGiven {
  /** `dist/execcomp serve` on a free port, windows wide open, `key`'s user unmetered unless the bench says otherwise. */
  server: Target;
  /** An API key of that server. */
  key: string;
  /** The executable's path, for benches that start it in their own way. */
  executable: string;
  /** A scratch folder that is removed afterwards. */
  folder: string;
  /** Puts load on a server for `seconds` over 64 connections. */
  load(target: Target, shot: Shot, seconds?: number): Promise<Load>;
  /**
   * Alternates load between the executable and a bare `Bun.serve` that parses the URL, looks the hashed key up in a
   * Map and returns the very bytes that the executable answers, and prints the best ratio of both.
   */
  compare(name: string, shot: Shot): Promise<void>;
  /** Prints one figure. */
  say(name: string, figure: string): void;
}
