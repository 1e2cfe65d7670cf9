/** Called by the compiler, never at run time. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A script for browsers as JavaScript: plain, without modules. @param path of its TypeScript, in `src` */
export function browserScript(path: string): string {
  const transpiler = new Bun.Transpiler({ loader: "ts", target: "browser", minifyWhitespace: true });
  return transpiler.transformSync(readFileSync(join(import.meta.dir, "..", path), "utf8"));
}
