/** The packages in the executable, according to the bundler's own report, with their licences. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type } from "arktype";
import { outputOf } from "../command-output.ts";

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
  /** The package whose prebuilt bundle contains it; null for what our own bundler included. */
  within: string | null;
}

/** Packages that include code compiled from other sources without saying so: our own notices for it, in this folder. */
const COMPILED_IN: Readonly<Record<string, string>> = { "@resvg/resvg-wasm": "resvg-wasm.txt" };

/** A file that packages were bundled into by their authors, and the licences of the packages that its source map names. */
const REFERENCE = {
  package: "@scalar/api-reference",
  file: "src/rest/reference/scalar.js.gz",
  licences: "src/rest/reference/licences.json",
};

const Metafile = type({ inputs: { "[string]": "object" } });
const Kept = type({
  packages: type({
    name: "string",
    version: "string",
    "licence?": "string",
    "homepage?": "string",
    texts: "number[]",
  }).array(),
  texts: "string[]",
});
const Manifest = type({
  name: "string",
  version: "string",
  "license?": "unknown",
  "homepage?": "unknown",
});

/** The contents of the executable. @param entries the bundler's entry points, from the top of the repository */
export async function bundledPackages(entries: readonly string[]): Promise<BundledPackage[]> {
  const inputs = await bundledFiles(entries);
  const folders = new Set([...inputs].flatMap((file) => packageOf(file) ?? []));
  const ownPackages = inputs.has(REFERENCE.file) ? keptPackages() : [];
  const found = [...[...folders].map(packageIn), ...ownPackages].map(
    (one) => [`${one.name} ${one.version}`, one] as const,
  );
  return [...new Map(found)].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function packageIn(folder: string): BundledPackage {
  const { name, version, license, homepage } = readManifest(join(ROOT, folder));
  return {
    name,
    version,
    licence: typeof license === "string" ? license : "see its text",
    homepage: typeof homepage === "string" ? homepage : null,
    texts: [...licenceTexts(join(ROOT, folder)), ...compiledIn(name)],
    within: null,
  };
}

/** The packages in the file that we keep of one. */
function keptPackages(): BundledPackage[] {
  const { packages, texts } = Kept.assert(JSON.parse(readFileSync(join(ROOT, REFERENCE.licences), "utf8")));
  return packages.map((one) => ({
    name: one.name,
    version: one.version,
    licence: one.licence ?? "see its text",
    homepage: one.homepage ?? null,
    texts: one.texts.flatMap((at) => texts[at] ?? []),
    within: one.name === REFERENCE.package ? null : REFERENCE.package,
  }));
}

/** The bundled files by path. */
async function bundledFiles(entries: readonly string[]): Promise<Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-bundle-"));
  try {
    const metafile = join(folder, "meta.json");
    const out = join(folder, "out");
    const flags = ["--target=bun", "--production", `--metafile=${metafile}`, `--outdir=${out}`];
    await outputOf([process.execPath, "build", ...flags, ...entries], { cwd: ROOT });
    const { inputs } = Metafile.assert(JSON.parse(readFileSync(metafile, "utf8")));
    return new Set(Object.keys(inputs));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `node_modules/@scalar/themes` for a file in it; undefined for our own files. */
function packageOf(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

/** What the package.json of a folder says. */
function readManifest(folder: string): typeof Manifest.infer {
  return Manifest.assert(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
}

function compiledIn(name: string): string[] {
  const file = COMPILED_IN[name];
  return file === undefined ? [] : [readFileSync(join(import.meta.dir, "files", file), "utf8").trim()];
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice|copyright)([._-].*)?$/i;

/** The licence and notice files of a package's folder. */
function licenceTexts(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file) && !/\.(js|ts|json)$/.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
}
