import { Glob } from "bun";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = dirname(import.meta.dir);

/** The inputs of the executable: code, data, dependencies, its version, and the notices that the build writes. */
const INPUTS = [
  "src/**/*",
  "data/*.{sqlite,zst}",
  "data/reference/*",
  "package.json",
  "CHANGELOG.md",
  "docs/api.md",
  "bun.lock",
  "scripts/build.ts",
  "scripts/release/{bundled,notices}.ts",
  "scripts/release/files/*.txt",
] as const;

/** The files that go into the executable, by their paths from the top of the repository. */
export function sourcePaths(): string[] {
  return INPUTS.flatMap((pattern) => [...new Glob(pattern).scanSync(ROOT)]).toSorted();
}

/** A hash of everything that goes into the executable, which shows whether an existing one was built from this tree. */
export async function sourcesHash(): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const path of sourcePaths())
    hasher.update(`${path}\n`).update(await Bun.file(join(ROOT, path)).bytes());
  return hasher.digest("hex");
}

/** Records next to an executable from which sources it was built. */
export function noteSources(executable: string, sources: string): void {
  const { size, mtimeMs } = statSync(executable);
  writeFileSync(noteOf(executable), JSON.stringify({ sources, size, mtimeMs }));
}

/** Whether an executable exists and was built from these sources. */
export function isBuiltFrom(sources: string, executable: string): boolean {
  if (!existsSync(executable) || !existsSync(noteOf(executable))) return false;
  const { size, mtimeMs } = statSync(executable);
  return readFileSync(noteOf(executable), "utf8") === JSON.stringify({ sources, size, mtimeMs });
}

const noteOf = (executable: string): string => `${executable}.sources`;
