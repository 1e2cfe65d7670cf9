/** Installs each package of a release from its file and runs it: `bun run release --verify`. */
import { type Check, runCheck } from "./verify/check.ts";
import { archive, mcpb, notebook, npm, sums, wheel } from "./verify/languages.ts";
import { arm64, formula, image, oldProcessor, packages, unit, windows } from "./verify/systems.ts";

/** Checks that run wherever the release was built, CI included. */
export const COMMON_CHECKS: readonly Check[] = [sums, archive, npm, wheel];
/** All checks that run on a Debian machine. */
export const ALL_CHECKS: readonly Check[] = [
  ...COMMON_CHECKS,
  notebook,
  mcpb,
  unit,
  packages,
  image,
  arm64,
  oldProcessor,
  windows,
  formula,
];

/** Runs the checks, printing a line for each. @returns whether none failed */
export async function verifyPackages(release: string, checks: readonly Check[]): Promise<boolean> {
  let failed = 0;
  for (const check of checks) {
    const outcome = await runCheck(check, release);
    if (outcome.kind === "failed") failed += 1;
    const reason = outcome.kind === "ok" ? "" : `: ${outcome.reason}`;
    console.log(`${outcome.kind.padEnd(8)}${check.name}${reason}`);
  }
  return failed === 0;
}
