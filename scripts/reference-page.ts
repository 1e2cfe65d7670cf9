/**
 * Renews the API reference that the server carries: one prebuilt file of `@scalar/api-reference`, without the 150 MB of packages that
 * it was bundled from, and the licences of exactly those that its source map names.
 *
 *     bun scripts/reference-page.ts VERSION     writes src/rest/reference/scalar.js.gz and licences.json
 *
 * Look at `/api/docs` afterwards, in a browser with the developer tools open: its content security policy may refuse something new.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type } from "arktype";
import { licenceTexts, readManifest } from "./release/bundled.ts";

const FOLDER = join(dirname(import.meta.dir), "src/rest/reference");
const PACKAGE = "@scalar/api-reference";
const SourceMap = type({ sources: "string[]" });

/** The packages that a source map names, with the version where its path says it. */
function packagesOf(sources: readonly string[]): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>([[PACKAGE, undefined]]);
  for (const source of sources) {
    const theirs = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
    // Built in Scalar's own repository: `../../../themes/dist/…` is `@scalar/themes`.
    const own = /^(?:\.\.\/){3}([\w-]+)\/dist\//.exec(source)?.[1];
    if (theirs !== undefined) {
      const version = new RegExp(`\\.pnpm/${RegExp.escape(theirs.replace("/", "+"))}@([\\w.-]+?)[_/]`).exec(
        source,
      )?.[1];
      found.set(theirs, version);
    } else if (own !== undefined) found.set(`@scalar/${own}`, undefined);
  }
  return found;
}

async function main(version: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-reference-"));
  try {
    writeFileSync(join(folder, "package.json"), "{}");
    const add = async (packages: readonly string[]) => {
      if (packages.length > 0)
        await Bun.$`${process.execPath} add --silent --ignore-scripts ${packages}`.cwd(folder);
    };
    await add([`${PACKAGE}@${version}`]);
    const modules = join(folder, "node_modules");
    const script = join(modules, PACKAGE, "dist/browser/standalone.js");
    const { sources } = SourceMap.assert(await Bun.file(`${script}.map`).json());
    const inside = packagesOf(sources);
    // What the bundle has and the package no longer asks for is installed for its licence.
    const absent = [...inside].filter(([name]) => !existsSync(join(modules, name)));
    await add(absent.map(([name, version]) => `${name}@${version ?? "latest"}`));
    const texts: string[] = [];
    const packages = [...inside.keys()].toSorted().map((name) => {
      const manifest = readManifest(join(modules, name));
      const own = licenceTexts(join(modules, name)).map((text) => {
        if (!texts.includes(text)) texts.push(text);
        return texts.indexOf(text);
      });
      const { license: licence, homepage } = manifest;
      return { name, version: inside.get(name) ?? manifest.version, licence, homepage, texts: own };
    });
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, "scalar.js.gz"), Bun.gzipSync(readFileSync(script), { level: 9 }));
    writeFileSync(join(FOLDER, "licences.json"), `${JSON.stringify({ packages, texts }, null, 1)}\n`);
    console.log(`${PACKAGE} ${version}: ${packages.length} packages, ${texts.length} licence texts`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const version = process.argv[2];
  if (version === undefined) throw new Error("which version? bun scripts/reference-page.ts 1.72.1");
  await main(version);
}
