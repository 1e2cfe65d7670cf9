/** Packages for npm: `execcomp` chooses one of the platform packages, which npm installs by `os`, `cpu` and `libc`. */
import { type Entry, tarGz } from "../archives.ts";
import type { Built, Contents, ReleaseFile } from "../contents.ts";
import { type Platform, PLATFORMS } from "../platforms.ts";
import { ROOT, type Source } from "../source.ts";

const COMMON = {
  description:
    "What public companies paid their named executive officers: one executable with its own dataset.",
  license: "Apache-2.0",
} as const;

/** The name of a platform's package. */
function npmName(platform: Platform): string {
  return `@execcomp/${platform.name}`;
}

/** The package with one machine's executable. */
export async function npmPlatformPackage(built: Built): Promise<ReleaseFile> {
  const { platform, source, contents, executable } = built;
  const { os, cpu, libc } = platform.npm;
  const manifest = {
    name: npmName(platform),
    version: source.version,
    ...COMMON,
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
    files: [platform.executable, "THIRD-PARTY-NOTICES.txt"],
  };
  const file = { path: `package/${platform.executable}`, content: executable, mode: 0o755 };
  return pack(source, `execcomp-${source.version}-npm-${platform.name}.tgz`, manifest, file, contents);
}

/** The package that users install. @param platforms those that have packages */
export async function npmMainPackage(source: Source, contents: Contents): Promise<ReleaseFile> {
  const manifest = {
    name: "execcomp",
    version: source.version,
    ...COMMON,
    bin: { execcomp: "launcher.js" },
    type: "module",
    engines: { node: ">=18" },
    files: ["launcher.js", "THIRD-PARTY-NOTICES.txt"],
    optionalDependencies: Object.fromEntries(PLATFORMS.map((one) => [npmName(one), source.version])),
  };
  const file = { path: "package/launcher.js", content: await launcher(), mode: 0o755 };
  return pack(source, `execcomp-${source.version}-npm.tgz`, manifest, file, contents);
}

/** `launcher.ts` as JavaScript for Node. */
async function launcher(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [`${ROOT}/scripts/release/files/launcher.ts`],
    target: "node",
    format: "esm",
    banner: "#!/usr/bin/env node",
  });
  const [output] = built.outputs;
  if (output === undefined) throw new Error("the launcher does not bundle");
  return output.text();
}

async function pack(
  { date }: Source,
  name: string,
  manifest: object,
  program: Entry,
  { licence, readme, notices }: Contents,
): Promise<ReleaseFile> {
  const text = (path: string, content: string) => ({ path: `package/${path}`, content, mode: 0o644 });
  const entries = [
    text("package.json", `${JSON.stringify(manifest, null, 2)}\n`),
    program,
    text("LICENSE", licence),
    text("README.md", readme),
    text("THIRD-PARTY-NOTICES.txt", notices),
  ];
  return { name, bytes: await tarGz(entries, date) };
}
