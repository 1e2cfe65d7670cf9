/** Called by the compiler, never at run time; see `card.ts`. */

/** Bundles the card's script for browsers, including the charts. */
export function bundleScript(): string {
  // A macro must not call the bundler that is waiting for it.
  const built = Bun.spawnSync([
    process.execPath,
    "build",
    `${import.meta.dir}/view.ts`,
    "--minify",
    "--target=browser",
    "--format=iife",
  ]);
  if (!built.success) throw new Error(built.stderr.toString());
  // Escaped for a script element.
  return built.stdout.toString().trim().replaceAll("</", "<\\/");
}
