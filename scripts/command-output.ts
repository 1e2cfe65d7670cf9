/** The output of a command, and its exit code. */
export interface CommandOutput {
  code: number;
  out: string;
  err: string;
}

/** Waits for a started command. Both pipes are read at the same time, because a full one would block the command. */
export async function outputOf(
  child: Bun.Subprocess<Bun.SpawnOptions.Writable, "pipe", "pipe">,
): Promise<CommandOutput> {
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}
