import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The top of the repository. */
export const ROOT = join(import.meta.dir, "../..");

/** A copy of the sources in a separate folder, with one file changed; deleted on disposal. */
export function copySource(file: string, change: (text: string) => string): Disposable & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-source-"));
  for (const part of [
    "src",
    "test/support",
    "data/snapshot.sqlite",
    "data/known-proxies.zst",
    "package.json",
    "tsconfig.json",
  ])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const before = readFileSync(join(folder, file), "utf8");
  const after = change(before);
  if (after === before) throw new Error(`nothing was changed in ${file}`);
  writeFileSync(join(folder, file), after);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
