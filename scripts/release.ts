/**
 * Builds a release in `dist/release`: archives and packages for every machine, their hashes and bill of materials.
 *
 *     bun run release                      from the tag vVERSION, with a clean tree, signed
 *     bun run release --current            from the current commit, for a trial
 *     bun run release --only linux-x64     for one machine (or native); may be repeated; builds no image
 *     bun run release --verify             installs each package of dist/release from its file and asks it for AAPL
 *     bun run release --verify --ci        only what needs neither root nor a network
 *
 * It is signed with the key in EXECCOMP_RELEASE_KEY, a minisign secret key file without a password. The same commit
 * produces the same hashes. See `docs/releasing.md`.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PLATFORMS, requirePlatform } from "./release/platforms.ts";
import { readSource, ROOT } from "./release/source.ts";
import { ALL_CHECKS, COMMON_CHECKS, verifyPackages } from "./release/verify.ts";

/** The folder of the release. */
const OUT = join(ROOT, "dist", "release");

async function main(words: string[]): Promise<number> {
  const { values } = parseArgs({
    args: words,
    options: {
      current: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      verify: { type: "boolean", default: false },
      ci: { type: "boolean", default: false },
    },
  });
  if (values.verify) return (await verifyPackages(OUT, values.ci ? COMMON_CHECKS : ALL_CHECKS)) ? 0 : 1;
  const source = await readSource();
  if (!source.isTagged && !values.current) {
    console.error(
      `release: this is not the tag v${source.version} with an unchanged tree. --current makes one from this commit, to try it.`,
    );
    return 1;
  }
  const secretKey = process.env["EXECCOMP_RELEASE_KEY"];
  if (secretKey === undefined && !values.current) {
    console.error(
      "release: EXECCOMP_RELEASE_KEY names no secret key, and a release is signed. See docs/releasing.md.",
    );
    return 1;
  }
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const platforms = values.only.length === 0 ? PLATFORMS : values.only.map(requirePlatform);
  // The following imports need the snapshot, which a fresh clone does not have yet.
  await Bun.$`${process.execPath} scripts/compile-data.ts --if-stale`.cwd(ROOT);
  const { makeRelease } = await import("./release/make.ts");
  await makeRelease({ source, platforms, out: OUT, secretKeyFile: secretKey ?? null });
  return 0;
}

if (import.meta.main) {
  try {
    process.exit(await main(process.argv.slice(2)));
  } catch (error) {
    console.error(`release: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
