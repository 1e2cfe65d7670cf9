/**
 * Preloaded by `bun test` in a separate process: leaves out the entry named in `EXECCOMP_LEFT_OUT`, so that a test of
 * the reader shows whether it is needed.
 */
import { plugin } from "bun";
import { withLeftOut } from "./ablation.ts";

await plugin({
  name: "leave one entry out",
  setup(build) {
    build.onLoad({ filter: /src\/reader\/lexicon\/entry\.ts$/ }, async ({ path }) => ({
      contents: withLeftOut(await Bun.file(path).text())
        .replace(
          "declare const LEFT_OUT: string | null;",
          `const LEFT_OUT = ${JSON.stringify(process.env["EXECCOMP_LEFT_OUT"] ?? null)};`,
        )
        .replace(
          "declare const HIT: ((rule: string) => void) | null;",
          "const HIT: ((rule: string) => void) | null = null;",
        ),
      loader: "ts",
    }));
  },
});
