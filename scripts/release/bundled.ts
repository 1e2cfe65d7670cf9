/** The packages in the executable, according to the bundler's own report, with their licences. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type } from "arktype";

const ROOT = dirname(dirname(import.meta.dir));

/** A package with at least one module in the executable. */
export interface BundledPackage {
  name: string;
  version: string;
  /** From its package.json, normally an SPDX expression. */
  licence: string;
  homepage: string | null;
  /** The full text of its licence and notice files; empty if the package has none. */
  texts: readonly string[];
  /** The package whose prebuilt bundle may contain it; null for what our own bundler included. */
  within: string | null;
}

/** Packages that include code compiled from other sources without saying so: our own notices for it, in this folder. */
const COMPILED_IN: Readonly<Record<string, string>> = { "@resvg/resvg-wasm": "resvg-wasm.txt" };

const Metafile = type({ inputs: { "[string]": { bytes: "number" } } });
const Manifest = type({
  name: "string",
  version: "string",
  "license?": "unknown",
  "homepage?": "unknown",
  "dependencies?": { "[string]": "string" },
});

/** The contents of the executable. @param entries the bundler's entry points, from the top of the repository */
export async function bundledPackages(entries: readonly string[]): Promise<BundledPackage[]> {
  const found = new Map<string, BundledPackage>();
  const add = (folder: string, within: string | null): readonly string[] => {
    const manifest = readManifest(folder);
    const id = `${manifest.name}@${manifest.version}`;
    if (found.has(id)) return [];
    const { name, version, license, homepage } = manifest;
    found.set(id, {
      name,
      version,
      licence: typeof license === "string" ? license : "see its text",
      homepage: typeof homepage === "string" ? homepage : null,
      texts: [...licenceTexts(folder), ...compiledIn(name)],
      within,
    });
    return Object.keys(manifest.dependencies ?? {});
  };
  const inputs = await bundledFiles(entries);
  for (const file of inputs.keys()) {
    const folder = packageOf(file);
    if (folder !== undefined) add(folder, null);
  }
  // A file that is included unchanged was bundled by its own authors: its package's dependencies may be inside.
  for (const [file, bytes] of inputs) {
    const folder = bytes === 0 && readFileSync(join(ROOT, file)).length > 0 ? packageOf(file) : undefined;
    if (folder !== undefined) addDependencies(folder, readManifest(folder).name, add);
  }
  return [...found.values()].toSorted((a, b) =>
    `${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1,
  );
}

/** All transitive dependencies of a package, resolved as Node does. */
function addDependencies(
  folder: string,
  within: string,
  add: (folder: string, within: string | null) => readonly string[],
): void {
  const names = Object.keys(readManifest(folder).dependencies ?? {});
  const waiting = names.map((name) => ({ from: folder, name }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { from, name } = next;
    const at = resolvePackage(from, name);
    if (at !== undefined) waiting.push(...add(at, within).map((below) => ({ from: at, name: below })));
  }
}

function resolvePackage(from: string, name: string): string | undefined {
  for (let folder = from; folder.length > 1; folder = dirname(folder)) {
    const at = join(folder, "node_modules", name);
    if (existsSync(join(ROOT, at, "package.json"))) return at;
  }
  const top = join("node_modules", name);
  return existsSync(join(ROOT, top, "package.json")) ? top : undefined;
}

/** Sizes of the bundled files by path; 0 for a file that is included unchanged. */
async function bundledFiles(entries: readonly string[]): Promise<Map<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-bundle-"));
  try {
    const metafile = join(folder, "meta.json");
    const flags = [
      "--target=bun",
      "--production",
      `--metafile=${metafile}`,
      `--outdir=${join(folder, "out")}`,
    ];
    const child = Bun.spawn([process.execPath, "build", ...flags, ...entries], {
      cwd: ROOT,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    const complaints = await new Response(child.stderr).text();
    if ((await child.exited) !== 0) throw new Error(`cannot bundle: ${complaints}`);
    const { inputs } = Metafile.assert(JSON.parse(readFileSync(metafile, "utf8")));
    return new Map(Object.entries(inputs).map(([file, { bytes }]) => [file, bytes]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `node_modules/@scalar/themes` for a file in it; undefined for our own files. */
function packageOf(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function readManifest(folder: string): typeof Manifest.infer {
  return Manifest.assert(JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")));
}

function compiledIn(name: string): string[] {
  const file = COMPILED_IN[name];
  return file === undefined ? [] : [readFileSync(join(import.meta.dir, "files", file), "utf8").trim()];
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice|copyright)([._-].*)?$/i;

function licenceTexts(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((file) => LICENCE_FILE.test(file) && !/\.(js|ts|json)$/.test(file))
    .toSorted()
    .map((file) =>
      readFileSync(join(ROOT, folder, file), "utf8")
        .replaceAll("\r\n", "\n")
        .trim(),
    );
}
