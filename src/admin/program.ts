/** What starts this program in a further process, before the command. */
export type Program = readonly string[];

/** A process that has ended. */
export interface Ended {
  code: number;
  out: string;
  /** What it said to people, without escape sequences. */
  err: string;
}

/**
 * Runs a command of this program in a process of its own, so that what takes long (reading every page of a file,
 * copying a store) holds up no answer. The words go to it as they are: no shell reads them.
 *
 * @param env this process's own by default
 * @throws the system's error where it starts no process
 */
export async function runProgram(
  program: Program,
  words: readonly string[],
  env?: Record<string, string | undefined>,
): Promise<Ended> {
  const child = Bun.spawn([...program, ...words], {
    ...(env === undefined ? {} : { env }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    Bun.readableStreamToText(child.stdout),
    Bun.readableStreamToText(child.stderr),
    child.exited,
  ]);
  return { code, out, err: Bun.stripANSI(err).trim() };
}
