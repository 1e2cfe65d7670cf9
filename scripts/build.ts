/**
 * Builds the executable with everything inside.
 *
 *     bun scripts/build.ts              dist/execcomp for this machine
 *     bun scripts/build.ts --all        and dist/execcomp-linux-arm64, -macos-arm64, -windows-x64.exe
 *     bun scripts/build.ts --target bun-linux-x64-musl
 *
 * The same tree gives the same bytes. A snapshot that is older than what it is compiled from is compiled again first,
 * so a stale one is never inside.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = dirname(import.meta.dir);

/** What `--all` builds besides this machine's, by the name that people know. */
export const TARGETS = [
  { target: "bun-linux-arm64", outfile: "execcomp-linux-arm64" },
  { target: "bun-darwin-arm64", outfile: "execcomp-macos-arm64" },
  { target: "bun-windows-x64", outfile: "execcomp-windows-x64.exe" },
] as const;

/** Why each flag is there is measured in docs/decisions/0001-executable.md. */
const FLAGS = [
  "--compile",
  "--minify",
  "--sourcemap",
  "--bytecode",
  "--format=esm",
  "--compile-jit-policy=10",
  // A stray .env or bunfig.toml in the folder that it is started in is none of its business.
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];

async function bun(...words: string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  const code = await child.exited;
  if (code !== 0) throw new Error(`bun ${words.slice(0, 2).join(" ")} … ended with ${code}`);
}

async function build(outfile: string, target?: string): Promise<void> {
  const out = join(ROOT, "dist", outfile);
  const cross = target === undefined ? [] : [`--target=${target}`];
  // The outfile's name is part of the bytes, so it is built under its own name in a folder of its own.
  const work = join(ROOT, "dist", `.build-${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    // The second is loaded by address, in a thread of its own: `readers.ts` names it by its path below `src`.
    const entries = ["src/main.ts", "src/ingest/worker.ts"];
    await bun("build", ...FLAGS, ...cross, ...entries, "--outfile", join(work, outfile));
    const built = existsSync(join(work, outfile)) ? join(work, outfile) : join(work, `${outfile}.exe`);
    renameSync(built, out);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const bytes = await Bun.file(out).bytes();
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  console.log(`dist/${outfile}  ${(bytes.length / 2 ** 20).toFixed(1)} MiB  sha256 ${hash}`);
}

async function main(words: readonly string[]): Promise<void> {
  const target = words[words.indexOf("--target") + 1];
  if (words.includes("--target") && target === undefined)
    throw new Error("--target needs a name, see bun build --help");
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  await bun("scripts/compile-data.ts", "--if-stale");
  if (words.includes("--target") && target !== undefined) {
    await build(`execcomp-${target.replace(/^bun-/, "")}`, target);
    return;
  }
  await build(process.platform === "win32" ? "execcomp.exe" : "execcomp");
  if (words.includes("--all")) for (const one of TARGETS) await build(one.outfile, one.target);
}

if (import.meta.main) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(`build: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
