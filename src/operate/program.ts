import { constants, setPriority } from "node:os";
import { dependentEnvironment } from "../config.ts";

/** Command line that starts this program, without the command. */
export type Program = readonly string[];

/** A process that has ended. */
export interface ProgramResult {
  code: number;
  out: string;
  /** Standard error, without escape sequences. */
  err: string;
}

/**
 * Runs a command of this program in a separate process, so that long operations (reading all of a file, copying a
 * store) block no requests. Arguments are passed unchanged, without a shell. It ends when this process ends.
 *
 * @param env by default this process's own
 * @param how.isNice at the lowest priority
 * @throws the system's error if it cannot start a process
 */
export async function runProgram(
  program: Program,
  words: readonly string[],
  env?: Record<string, string | undefined>,
  { isNice = false, timeoutMs }: { isNice?: boolean; timeoutMs?: number } = {},
): Promise<ProgramResult> {
  const child = Bun.spawn([...program, ...words], {
    env: dependentEnvironment(env),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
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
  // Until here, so that the pipe stays open.
  await child.stdin.end();
  return { code, out, err: Bun.stripANSI(err).trim() };
}
