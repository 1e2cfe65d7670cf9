/** Called by the compiler, never by the program: see `card.ts`. */

/** The card's script for browsers, with the charts inside. */
export function bundleScript(): string {
  // A macro may not call the bundler that waits for it.
  const built = Bun.spawnSync([
    process.execPath,
    "build",
    `${import.meta.dir}/view.ts`,
    "--minify",
    "--target=browser",
    "--format=iife",
  ]);
  if (!built.success) throw new Error(built.stderr.toString());
  // Inside a script element.
  return built.stdout.toString().trim().replaceAll("</", "<\\/");
}
