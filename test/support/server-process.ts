import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAllTests } from "./background-server.ts";
import { PROGRAM } from "./program.ts";

/** A server in a separate process, as an operator starts it. */
export interface ServerProcess {
  origin: string;
  pid: number;
  dataDir: string;
  /** Its standard error so far, and its standard output. */
  log(): string;
  output(): string;
  /** Log events of that name. */
  events(event: string): Record<string, unknown>[];
  /** Stops it with a signal, default SIGTERM; returns its exit code, null if the signal killed it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A process that ended before it answered. */
export class EndedError extends Error {
  constructor(
    readonly code: number,
    readonly output: string,
  ) {
    super(`ended with ${code}: ${output}`);
  }
}

/**
 * Starts one on a free port, unless a flag says otherwise, and waits until it answers. It is stopped after the tests of
 * this file at the latest.
 *
 * @param dataDir default a new folder
 * @throws EndedError with its output
 */
export async function startServerProcess(
  flags: readonly string[] = [],
  {
    dataDir = newFolder(),
    environment = {},
    program = PROGRAM,
  }: { dataDir?: string; environment?: Record<string, string>; program?: readonly string[] } = {},
): Promise<ServerProcess> {
  const port = flags.includes("--port") ? [] : ["--port", "0"];
  const words = ["serve", ...port, ...flags, "--data-dir", dataDir];
  const child = Bun.spawn([...program, ...words], {
    env: { HOME: dataDir, PATH: process.env["PATH"] ?? "", ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  afterAllTests(() => child.kill("SIGKILL"));
  let log = "";
  const logged = collect(child.stderr, (text) => (log += text));
  let out = "";
  const ready = Promise.withResolvers<string>();
  void collect(child.stdout, (text) => {
    out += text;
    const origin = /^ready (\S+)$/m.exec(out)?.[1];
    if (origin !== undefined) ready.resolve(origin);
  });
  const ended = child.exited.then(async (code) => {
    await logged;
    throw new EndedError(code, log + out);
  });
  const origin = await Promise.race([ready.promise, ended]);
  ended.catch(() => {});
  return {
    origin,
    pid: child.pid,
    dataDir,
    log: () => log,
    output: () => out,
    events: (event) =>
      log
        .split("\n")
        .filter((line) => line.includes(`"${event}"`))
        .map((line): Record<string, unknown> => JSON.parse(line))
        .filter((line) => line["event"] === event),
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await child.exited;
      await logged;
      return child.exitCode;
    },
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-server-"));
  afterAllTests(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function collect(stream: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
}
