/**
 * Runs the recipes of the data dictionary with the real libraries, and compares what each prints with the comment at its end.
 *
 *     npm run test:recipes [-- --python FILE]
 *
 * Without `--python`, pip puts the libraries into a temporary environment. A recipe whose library is absent is told and skipped.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { buildExecutable, prepareBuild } from "./build.ts";
import { type CommandOutput, runCommand } from "./command-output.ts";

const ROOT = dirname(import.meta.dir);
const LIBRARIES = ["pandas", "polars", "duckdb", "pyarrow"];

const { values } = parseArgs({ options: { python: { type: "string" } } });
const folder = mkdtempSync(join(tmpdir(), "execcomp-recipes-"));

function run(words: readonly string[], env: Record<string, string> = {}): Promise<CommandOutput> {
  return runCommand(words, { cwd: folder, env: { ...process.env, ...env } });
}

/** The interpreter, with as many of the libraries as can be had. */
async function pythonWithLibraries(): Promise<string> {
  if (values.python !== undefined) return values.python;
  await run(["python3", "-m", "venv", join(folder, "venv")]);
  const python = join(folder, "venv", "bin", "python");
  for (const library of LIBRARIES) await run([python, "-m", "pip", "install", "--quiet", library]);
  return python;
}

/** The executable and the module of the wheel, as an environment has them. */
async function installModule(): Promise<string> {
  const module = join(folder, "module");
  mkdirSync(join(module, "bin"), { recursive: true });
  cpSync(join(ROOT, "scripts/release/files/python"), join(module, "execcomp"), { recursive: true });
  await buildExecutable(join(module, "bin", "execcomp"), await prepareBuild());
  return module;
}

async function main(): Promise<number> {
  const python = await pythonWithLibraries();
  const module = await installModule();
  const env = { EXECCOMP_DATA_DIR: join(folder, "data"), PYTHONPATH: module };
  const text = readFileSync(join(ROOT, "docs/data-dictionary.md"), "utf8");
  const blocks = (language: string) =>
    [...text.matchAll(/```(\w+)\n([^]*?)```/g)]
      .filter(([, of]) => of === language)
      .map(([, , code = ""]) => code);
  const [exporting = ""] = blocks("sh");
  const exported = await run(["sh", "-c", exporting], {
    ...env,
    PATH: `${module}/bin:${process.env["PATH"]}`,
  });
  if (exported.code !== 0) throw new Error(exported.err);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const code of blocks("python")) {
    const library = /^import (\w+)/m.exec(code)?.[1] ?? "";
    const version = await run(
      [python, "-c", `import ${library}; print(getattr(${library}, "__version__", ""))`],
      env,
    );
    if (version.code !== 0) {
      counts.skipped++;
      console.log(`skipped ${library}: it is not installed`);
      continue;
    }
    const expected = code.trimEnd().split("\n").at(-1)?.replace(/^# /, "") ?? "";
    const ran = await run([python, "-c", code], env);
    const isRight = ran.code === 0 && ran.out.trim() === expected;
    counts[isRight ? "passed" : "failed"]++;
    console.log(`${isRight ? "ok     " : "FAILED "} ${library} ${version.out.trim()}`);
    if (!isRight) console.log(`expected ${expected}\nprinted  ${ran.out} ${ran.err}`);
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
