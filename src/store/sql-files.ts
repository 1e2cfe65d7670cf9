/** Called by the compiler, never at run time. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The texts of the SQL files in a folder of `src`, by name without extension, in order. */
export function sqlFiles(folder: string): Record<string, string> {
  const path = join(import.meta.dir, "..", folder);
  const names = readdirSync(path).filter((name) => name.endsWith(".sql"));
  return Object.fromEntries(
    names.sort().map((name) => [name.replace(".sql", ""), readFileSync(join(path, name), "utf8")]),
  );
}
