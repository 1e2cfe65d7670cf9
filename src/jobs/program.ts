/** What the jobs of a server share: each runs a command of this program in a separate process, and is repeated. */
import { constants, setPriority } from "node:os";
import { dependentEnvironment } from "../config/process.ts";
import { OperatorError } from "../errors.ts";

/** Command line that starts this program, without the command. */
export type Program = readonly string[];

/** How a process runs. */
interface ProcessOptions {
  /** By default this process's own environment. */
  env?: Record<string, string | undefined>;
  /** At the lowest priority. */
  isNice?: boolean;
  timeoutMs?: number;
  /** Stops it. */
  signal?: AbortSignal;
}

/**
 * Runs a command of this program in a separate process, so that long operations (reading all of a file, copying a
 * store) block no requests. Arguments are passed unchanged, without a shell. It ends when this process ends.
 *
 * @returns its exit code, or the signal that ended it; standard error is without escape sequences
 * @throws the system's error if it cannot start a process
 */
export async function runProgram(
  program: Program,
  words: readonly string[],
  { env, isNice = false, timeoutMs, signal }: ProcessOptions = {},
) {
  const child = Bun.spawn([...program, ...words], {
    env: dependentEnvironment(env),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  if (isNice) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const [out, err, code] = await Promise.all([
    Bun.readableStreamToText(child.stdout),
    Bun.readableStreamToText(child.stderr),
    child.exited,
  ]);
  // Keeps the pipe open until here.
  await child.stdin.end();
  return { code, out, err: Bun.stripANSI(err).trim(), signal: child.signalCode };
}

/** What a command prints. @throws OperatorError with its message if it fails */
export async function outputOf(...parameters: Parameters<typeof runProgram>): Promise<string> {
  const { code, out, err } = await runProgram(...parameters);
  if (code !== 0) throw new OperatorError(err === "" ? "The command failed without a message." : err);
  return out;
}

/**
 * Repeats work, which keeps no process alive. @param work returns the pause after it in milliseconds
 * @returns a function that ends it
 */
export function repeat(firstMs: number, work: () => Promise<number>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  const wait = (ms: number) => {
    if (isEnded) return;
    timer = setTimeout(() => void work().then(wait), ms);
    timer.unref();
  };
  wait(firstMs);
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
