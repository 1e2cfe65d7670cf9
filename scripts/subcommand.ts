/**
 * Runs `scripts/FOLDER/NAME.ts` in a separate process, with the arguments that follow NAME.
 *
 * @param folder under `scripts/`
 * @param about what each subcommand does, by name
 * @param argv the subcommand and its arguments
 * @returns the subcommand's exit code; 2, after listing the subcommands, if none is named
 */
export async function runSubcommand(
  folder: string,
  about: Readonly<Record<string, string>>,
  argv: readonly string[],
): Promise<number> {
  const [name = "", ...rest] = argv;
  if (!Object.hasOwn(about, name)) {
    const lines = Object.entries(about).map(([each, what]) => `  ${each.padEnd(10)} ${what}`);
    console.error([`Usage: bun run ${folder} SUBCOMMAND [FLAGS]`, ...lines].join("\n"));
    return 2;
  }
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/${folder}/${name}.ts`, ...rest], {
    stdio: ["inherit", "inherit", "inherit"],
  });
  return child.exited;
}
