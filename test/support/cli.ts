import type { Runtime } from "../../src/runtime.ts";
import { type Process, run } from "../../src/cli/run.ts";
import { testRuntime } from "./runtime.ts";

/** The result of a command line. */
export interface Ran {
  code: number;
  /** Standard output. */
  out: string;
  /** Standard error. */
  err: string;
  /** Standard output parsed as one JSON document. */
  json(): unknown;
}

/** What a test may pass to a command line. */
export interface CliOptions {
  environment?: Record<string, string>;
  stdin?: string;
  /** Standard input as a stream, instead of `stdin`. */
  input?: ReadableStream<Uint8Array>;
  runtime?: Runtime;
  /** Settles `io.untilStopped()`. */
  stopped?: Promise<string>;
  /** The command that starts this program in another process; default none. */
  program?: readonly string[];
  /** Width of the terminal that both outputs are; default no terminal. */
  terminal?: number;
  /** Height of the terminal; default unlimited. */
  rows?: number;
  /** Called with what the pager is given. */
  onPage?: (text: string) => void;
  /** Called with standard output as it is written. */
  onOut?: (text: string) => void;
  /** Called with standard error as it is written. */
  onErr?: (text: string) => void;
}

/**
 * Command lines on one data folder. @returns a function that runs a line of arguments, and the clock that they share
 */
export function cliOn(dataDir: string) {
  const runtime = testRuntime();
  const run = (line: string, options: CliOptions = {}) =>
    cli(...line.split(" "), { environment: { EXECCOMP_DATA_DIR: dataDir }, runtime, ...options });
  return { dataDir, runtime, run };
}

/**
 * Runs a command line in this process, without the machine's environment.
 *
 * @example await cli("show", "AAPL", "--json", { environment: { EXECCOMP_DATA_DIR: folder } })
 */
export async function cli(...words: (string | CliOptions)[]): Promise<Ran> {
  const argv = words.filter((word) => typeof word === "string");
  const options = words.find((word) => typeof word !== "string") ?? {};
  const out: Uint8Array[] = [];
  let err = "";
  const process: Process = {
    runtime: options.runtime ?? testRuntime(),
    environment: options.environment ?? {},
    async write(bytes) {
      const chunk = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
      out.push(chunk);
      options.onOut?.(new TextDecoder().decode(chunk));
    },
    printError(text) {
      err += text;
      options.onErr?.(text);
    },
    stdin: () => options.input ?? new Blob([options.stdin ?? ""]).stream(),
    untilStopped: () => options.stopped ?? Promise.resolve("SIGTERM"),
    whenReloaded: () => {},
    terminal: options.terminal !== undefined,
    watched: options.terminal !== undefined,
    columns: options.terminal ?? null,
    rows: options.rows ?? null,
    page(_command, text) {
      options.onPage?.(text);
      return Promise.resolve(true);
    },
    program: options.program ?? null,
  };
  const code = await run(argv, process);
  const text = Buffer.concat(out).toString("utf8");
  return { code, out: text, err, json: () => JSON.parse(text) };
}
