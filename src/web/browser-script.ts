/** Called by the compiler, never at run time. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A script of `browser/` as JavaScript: plain, without modules. */
export function browserScript(name: string): string {
  const transpiler = new Bun.Transpiler({ loader: "ts", target: "browser", minifyWhitespace: true });
  return transpiler.transformSync(readFileSync(join(import.meta.dir, "browser", `${name}.ts`), "utf8"));
}
