/**
 * Everything that must hold before a change lands: format, lint, types, layers, docs, tests. Prints how large the house is.
 *
 *     bun scripts/check.ts           all of it
 *     bun scripts/check.ts --fast    without slow tests, as `npm test`
 *     bun scripts/check.ts --no-tests
 *
 * A fresh worktree has no `data/snapshot.sqlite`: it is compiled first if it is missing or stale.
 */
import { dirname } from "node:path";
import { runCommand } from "./command-output.ts";
import { countsOf } from "./counts.ts";

/** Tests that `--fast` and `npm test` leave out and `npm run test:slow` runs. */
export const SLOW_TESTS = ["**/*.slow.test.ts", "test/journeys/**"];

const ROOT = dirname(import.meta.dir);

/** Each check with the words after `bun`, run at the top of the repository. */
const STEPS = {
  format: "fmt --check --no-script src scripts test docs/examples",
  lint: "x --bun oxlint -c scripts/oxlint.json src scripts test",
  types: "check --no-script",
  "types of the browser": "check --no-script -p src/web/browser",
  layers: "scripts/layers.ts",
  docs: "scripts/docs.ts --check",
};

async function run([name, words]: readonly [name: string, words: string]): Promise<boolean> {
  const began = performance.now();
  const { out, err, code } = await runCommand([process.execPath, ...words.split(" ")], { cwd: ROOT });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.error(`${code === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
  if (code !== 0) console.error(`${out}${err}`.trimEnd());
  return code === 0;
}

async function main(flags: readonly string[]): Promise<number> {
  if (!(await run(["snapshot", "scripts/compile-data.ts --if-stale"]))) return 1;
  console.error(countsOf(ROOT));
  const results = await Promise.all(Object.entries(STEPS).map(run));
  const ignored = flags.includes("--fast") ? SLOW_TESTS.map((one) => ` --path-ignore-patterns ${one}`) : [];
  if (!flags.includes("--no-tests")) results.push(await run(["tests", `test --dots${ignored.join("")}`]));
  return results.every(Boolean) ? 0 : 1;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
