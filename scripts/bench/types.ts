/**
 * The interface of a file in `scripts/bench/`: `export const bench: Bench = { … }`. `scripts/bench.ts` finds it there,
 * runs it with the built executable already started, and prints its output.
 */

/** A request that a load generator repeats. */
export interface Shot {
  /** Path with query, from `/`. */
  path: string;
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** The result of one run of load. */
export interface Load {
  requestsPerSecond: number;
  /** CPU time (user and system) of the server process per request. NaN if the system does not provide it. */
  cpuMicrosPerRequest: number;
  /** Responses other than 2xx. A run with any of them is invalid. */
  refused: number;
}

/** A server under load. */
export interface Target {
  origin: string;
  pid: number;
}

/** The tools of a bench. */
export interface Bench {
  name: string;
  run(given: BenchGiven): Promise<void>;
}

/** The executable under test, and tools to measure it. */
export interface BenchGiven {
  /**
   * `dist/execcomp serve` on a free port, with unlimited windows; `key`'s user is unmetered unless the bench says
   * otherwise.
   */
  server: Target;
  /** An API key of that server. */
  key: string;
  /** The executable's path, for benches that start it themselves. */
  executable: string;
  /** A scratch folder that is removed afterwards. */
  folder: string;
  /** Puts load on a server for `seconds` over 64 connections. */
  load(target: Target, shot: Shot, seconds?: number): Promise<Load>;
  /**
   * Alternates load between the executable and a bare `Bun.serve` that parses the URL, looks up the hashed key in a Map
   * and returns the same bytes, and prints the best ratio of both.
   */
  compare(name: string, shot: Shot): Promise<void>;
  /** Prints one figure. */
  say(name: string, figure: string): void;
}
