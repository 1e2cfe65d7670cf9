/** The output of a command, and its exit code. */
export interface CommandOutput {
  code: number;
  out: string;
  err: string;
}

/** How a command is run; by default in this folder, with this environment, and with nothing on standard input. */
export interface CommandOptions {
  cwd?: string;
  /** All of its environment. */
  env?: Readonly<Record<string, string | undefined>>;
  stdin?: string;
  /** After how many milliseconds it is killed. */
  timeout?: number;
}

/** Runs a command to its end. */
export async function runCommand(
  command: readonly string[],
  { stdin, ...options }: CommandOptions = {},
): Promise<CommandOutput> {
  const child = Bun.spawn([...command], {
    ...options,
    stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  // Both pipes are read at the same time, because a full one would block the command.
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

/** A command's standard output. @throws Error with what it said if it does not exit with 0 */
export async function outputOf(command: readonly string[], options?: CommandOptions): Promise<string> {
  const { code, out, err } = await runCommand(command, options);
  if (code !== 0)
    throw new Error(`${command.join(" ")} ended with ${code}: ${err.trim().slice(-800)}${out.slice(-200)}`);
  return out;
}
