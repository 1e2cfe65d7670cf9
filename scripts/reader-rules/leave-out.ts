/**
 * Preloaded by `bun test` in a process of its own: leaves the entry out that `EXECCOMP_LEFT_OUT` names, so that a test of the
 * reader shows whether it needs it.
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
