/**
 * Everything that must hold before a change lands: format, lint, types, layers, docs, tests. Prints how large the house is.
 *
 *     bun scripts/check.ts           all of it
 *     bun scripts/check.ts --fast    without slow tests, as `npm test`
 *     bun scripts/check.ts --no-tests
 *
 * A fresh worktree has no `data/snapshot.sqlite`: it is compiled first if it is missing or stale.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCommand } from "./command-output.ts";
import { countTree, keptCounts, report } from "./counts.ts";

/** Tests that `--fast` and `npm test` leave out and `npm run test:slow` runs. */
export const SLOW_TESTS = ["**/*.slow.test.ts", "test/journeys/**"];

const ROOT = dirname(import.meta.dir);

/** One check: a command, run at the top of the repository. */
interface Step {
  name: string;
  command: string[];
}

function staticSteps(): Step[] {
  const bun = process.execPath;
  return [
    { name: "format", command: [bun, "fmt", "--check", "--no-script", "src", "scripts", "test"] },
    {
      name: "lint",
      command: [bun, "x", "--bun", "oxlint", "-c", "scripts/oxlint.json", "src", "scripts", "test"],
    },
    { name: "types", command: [bun, "check", "--no-script"] },
    { name: "layers", command: [bun, "scripts/layers.ts"] },
    { name: "docs", command: [bun, "scripts/docs.ts", "--check"] },
  ];
}

function testStep(fast: boolean): Step {
  const ignored = fast ? SLOW_TESTS.flatMap((pattern) => ["--path-ignore-patterns", pattern]) : [];
  return { name: "tests", command: [process.execPath, "test", "--timeout", "300000", "--dots", ...ignored] };
}

async function run(step: Step): Promise<boolean> {
  const began = performance.now();
  const { out, err, code } = await runCommand(step.command, { cwd: ROOT });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.error(`${code === 0 ? "ok  " : "FAIL"} ${step.name} (${seconds} s)`);
  if (code !== 0) console.error(`${out}${err}`.trimEnd());
  return code === 0;
}

async function main(flags: readonly string[]): Promise<number> {
  const compile = "scripts/compile-data.ts";
  if (existsSync(join(ROOT, compile))) {
    const compiled = await run({ name: "snapshot", command: [process.execPath, compile, "--if-stale"] });
    if (!compiled) return 1;
  }
  console.error(report(countTree(ROOT), keptCounts(ROOT)));
  const results = await Promise.all(staticSteps().map(run));
  if (!flags.includes("--no-tests")) results.push(await run(testStep(flags.includes("--fast"))));
  return results.every(Boolean) ? 0 : 1;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
