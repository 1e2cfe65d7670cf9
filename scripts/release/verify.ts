/** Installs each package of a release from its file and runs it: `bun run release --verify`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CannotTry, type Check } from "./verify/check.ts";
import { archive, mcpb, notebook, npm, sums, wheel } from "./verify/languages.ts";
import { deb, image } from "./verify/systems.ts";

/** Checks that run wherever the release was built, CI included. */
export const COMMON_CHECKS: readonly Check[] = [sums, archive, npm, wheel];
/** All checks that run on a Debian machine. */
export const ALL_CHECKS: readonly Check[] = [...COMMON_CHECKS, notebook, mcpb, deb, image];

/** Runs the checks, printing a line for each. @returns whether none failed */
export async function verifyPackages(release: string, checks: readonly Check[]): Promise<boolean> {
  let failed = 0;
  for (const check of checks) {
    const folder = mkdtempSync(join(tmpdir(), "execcomp-verify-"));
    try {
      const missing = check.needs.filter((command) => Bun.which(command) === null);
      if (missing.length > 0) throw new CannotTry(`${missing.join(", ")} is not installed`);
      if (check.root && process.getuid?.() !== 0) throw new CannotTry("it needs root");
      await check.run({ release, folder });
      console.log(`ok      ${check.name}`);
    } catch (error) {
      const isFailed = !(error instanceof CannotTry);
      if (isFailed) failed += 1;
      const reason = error instanceof Error ? error.message : String(error);
      console.log(`${isFailed ? "failed " : "skipped"} ${check.name}: ${reason}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return failed === 0;
}
