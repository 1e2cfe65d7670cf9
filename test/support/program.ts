import { dirname, join } from "node:path";
import { isBuiltFrom, sourcesHash } from "../../scripts/sources-hash.ts";

const ROOT = dirname(dirname(import.meta.dir));

/** The program as sources, run by Bun; it ends with the tests however they end. */
const SOURCES = [process.execPath, "--no-orphans", join(ROOT, "src", "main.ts")];

const EXECUTABLE = join(ROOT, "dist", process.platform === "win32" ? "execcomp.exe" : "execcomp");

/**
 * What tests start in a process of its own: the executable where it was built from the sources as they are, else those
 * sources. `npm test` builds it first: a server of it starts in a tenth of the time.
 */
export const PROGRAM: readonly string[] = isBuiltFrom(await sourcesHash(), EXECUTABLE)
  ? [EXECUTABLE]
  : SOURCES;
