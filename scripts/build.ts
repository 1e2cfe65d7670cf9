/**
 * Builds the self-contained executable.
 *
 *     bun scripts/build.ts              dist/execcomp for this machine
 *     bun scripts/build.ts --if-stale   the same, unless it was already built from these sources
 *     bun scripts/build.ts --all        and dist/execcomp-linux-arm64, -macos-arm64, -windows-x64.exe
 *     bun scripts/build.ts --target bun-linux-x64-musl
 *
 * The same tree produces the same bytes. A snapshot older than its inputs is compiled again first, so that a stale one
 * is never embedded.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { requireWhole } from "../src/dataset/open.ts";
import { bundledPackages } from "./release/bundled.ts";
import { thirdPartyNotices } from "./release/notices.ts";
import { isBuiltFrom, noteSources, sourcesHash } from "./sources-hash.ts";

const ROOT = dirname(import.meta.dir);

/** All but the first are loaded by URL, each in its own thread, by their path below `src`. */
export const ENTRIES = [
  "src/main.ts",
  "src/ingest/worker.ts",
  "src/charts/worker.ts",
  "src/analysis/worker.ts",
  "src/analysis/export/worker.ts",
  "src/analysis/sql/worker.ts",
] as const;

/** The targets that `--all` builds besides this machine's, by their common names. */
const TARGETS = [
  { target: "bun-linux-arm64", outfile: "execcomp-linux-arm64" },
  { target: "bun-darwin-arm64", outfile: "execcomp-macos-arm64" },
  { target: "bun-windows-x64", outfile: "execcomp-windows-x64.exe" },
] as const;

/** docs/decisions/executable.md has the measurements behind each flag. */
const FLAGS = [
  "--compile",
  "--minify",
  "--splitting",
  "--sourcemap",
  "--bytecode",
  "--format=esm",
  "--compile-jit-policy=10",
  // A stray .env or bunfig.toml in the current folder must have no effect.
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];

async function bun(...words: string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await child.exited;
  if (code !== 0) throw new Error(`bun ${words.slice(0, 2).join(" ")} … ended with ${code}`);
}

/** What every executable contains besides the code. */
export interface BuildInput {
  /** The third-party notices, for `execcomp version --licences`. */
  notices: string;
  /** The embedded snapshot, compressed. */
  snapshot: Uint8Array;
  /** Its content hash, by which a server recognizes the file that it was extracted into, and its uncompressed size in bytes. */
  snapshotHash: string;
}

/**
 * Compiles the executable.
 *
 * @param out path of the executable; its name is part of the bytes
 * @param target Bun's name of another machine; default this one
 */
export async function buildExecutable(out: string, input: BuildInput, target?: string): Promise<void> {
  const cross = target === undefined ? [] : [`--target=${target}`];
  // Built in a separate folder: source maps are left next to it, and on Windows `.exe` is added.
  const work = join(dirname(out), `.build-${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    const { notices, snapshotHash, snapshot } = input;
    const assets = { "notices.txt": notices, "snapshot.hash": snapshotHash, "snapshot.zst": snapshot };
    const words = Object.entries(assets).flatMap(([name, content]) => {
      writeFileSync(join(work, name), content);
      return ["--asset", join(work, name)];
    });
    const outfile = join(work, basename(out));
    await bun("build", ...FLAGS, ...cross, ...words, ...ENTRIES, "--outfile", outfile);
    renameSync(existsSync(outfile) ? outfile : `${outfile}.exe`, out);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Recompiles a stale snapshot, and collects the notices of the bundled packages. */
export async function prepareBuild(): Promise<BuildInput> {
  await bun("scripts/compile-data.ts", "--if-stale");
  const file = join(ROOT, "data", "snapshot.sqlite");
  const contentHash = requireWhole(file);
  const bytes = readFileSync(file);
  return {
    notices: thirdPartyNotices(await bundledPackages(ENTRIES)),
    // A first start decompresses it: level 19 saves another 0.4 MB of 137, and takes a quarter longer.
    snapshot: Bun.zstdCompressSync(bytes, { level: 9 }),
    snapshotHash: `${contentHash} ${bytes.length}`,
  };
}

async function build(outfile: string, input: BuildInput, target?: string): Promise<void> {
  const out = join(ROOT, "dist", outfile);
  await buildExecutable(out, input, target);
  const bytes = await Bun.file(out).bytes();
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  console.log(`dist/${outfile}  ${(bytes.length / 2 ** 20).toFixed(1)} MiB  sha256 ${hash}`);
}

async function main(words: readonly string[]): Promise<void> {
  const target = words[words.indexOf("--target") + 1];
  if (words.includes("--target") && target === undefined)
    throw new Error("--target needs a name, see bun build --help");
  const name = process.platform === "win32" ? "execcomp.exe" : "execcomp";
  const out = join(ROOT, "dist", name);
  if (words.includes("--if-stale") && isBuiltFrom(await sourcesHash(), out)) return;
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  const input = await prepareBuild();
  if (words.includes("--target") && target !== undefined) {
    await build(`execcomp-${target.replace(/^bun-/, "")}`, input, target);
    return;
  }
  await build(name, input);
  noteSources(out, await sourcesHash());
  if (words.includes("--all")) for (const one of TARGETS) await build(one.outfile, input, one.target);
}

if (import.meta.main) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(`build: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
