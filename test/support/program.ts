import { dirname, join } from "node:path";
import { isBuiltFrom, sourcesHash } from "../../scripts/sources-hash.ts";

const ROOT = dirname(dirname(import.meta.dir));

/** The program as sources, run by Bun; it ends with the tests, however they end. */
export const SOURCES = [process.execPath, "--no-orphans", join(ROOT, "src", "main.ts")];

const EXECUTABLE = join(ROOT, "dist", process.platform === "win32" ? "execcomp.exe" : "execcomp");

/**
 * The program that tests start in a separate process: the executable if it was built from the current sources,
 * otherwise the sources. `npm test` builds it first: its server starts in a tenth of the time.
 */
export const PROGRAM: readonly string[] = isBuiltFrom(await sourcesHash(), EXECUTABLE)
  ? [EXECUTABLE]
  : SOURCES;
