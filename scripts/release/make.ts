/** Builds all files of a release, and finally the list of their hashes with its signature. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openEmbedded } from "../../src/dataset/embedded.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";
import { buildExecutable, ENTRIES, prepareBuild } from "../build.ts";
import { createDeflate, tarGz, zip } from "./archives.ts";
import { bundledPackages } from "./bundled.ts";
import { archiveEntries, type Built, makeContents, type ReleaseFile, type ReleaseOrder } from "./contents.ts";
import { debPackage } from "./packages/deb.ts";
import { listTools, mcpBundle } from "./packages/mcpb.ts";
import { npmMainPackage, npmPlatformPackage } from "./packages/npm.ts";
import { type ImageInput, ociImage } from "./packages/oci.ts";
import { wheel } from "./packages/wheel.ts";
import { type Platform, PLATFORMS } from "./platforms.ts";
import { cycloneDx } from "./sbom.ts";
import { outputOf } from "../command-output.ts";

/** Builds the release, reporting each file with its size. */
export async function makeRelease(order: ReleaseOrder): Promise<void> {
  const { source, platforms, out } = order;
  const input = await prepareBuild();
  const packages = await bundledPackages(ENTRIES);
  const contents = await makeContents(source, input.notices);
  const tools = await listTools();
  const hashes = new Map<string, string>();
  const put = ({ name, bytes }: ReleaseFile) => {
    writeFileSync(join(out, name), bytes);
    hashes.set(name, new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
    console.log(`${name}  ${(bytes.length / 2 ** 20).toFixed(1)} MiB`);
  };
  const putText = (name: string, text: string) => put({ name, bytes: new TextEncoder().encode(text) });
  const images: ImageInput[] = [];
  for (const platform of platforms) {
    const executable = await compile(platform, input);
    const built = { source, platform, contents, executable, deflate: createDeflate(), tools };
    for await (const file of platformFiles(built)) put(file);
    if (platform.oci !== null) images.push({ architecture: platform.oci, executable });
  }
  // One image for all architectures, so it is built only with all of them.
  if (images.length === PLATFORMS.filter((one) => one.oci !== null).length)
    put(await ociImage(source, contents, images));
  put(await npmMainPackage(source, contents));
  const dataset = datasetOf(openEmbedded(tmpdir()), "embedded").info;
  putText(`execcomp-${source.version}.cdx.json`, cycloneDx(packages, { ...source, dataset }));
  putText("THIRD-PARTY-NOTICES.txt", contents.notices);
  putText("CHANGELOG.md", contents.changes);
  await writeSums(order, hashes);
}

/** Builds everything for one machine. */
async function* platformFiles(built: Built): AsyncGenerator<ReleaseFile> {
  yield archive(built);
  yield npmPlatformPackage(built);
  yield wheel(built);
  const bundle = await mcpBundle(built);
  if (bundle !== undefined) yield bundle;
  const deb = await debPackage(built);
  if (deb !== undefined) yield deb;
}

async function archive({ source, platform, contents, executable, deflate }: Built): Promise<ReleaseFile> {
  const folder = `execcomp-${source.version}-${platform.name}`;
  const entries = archiveEntries(folder, contents, { name: platform.executable, bytes: executable });
  const bytes =
    platform.archive === "zip" ? await zip(entries, source.date, deflate) : await tarGz(entries, source.date);
  return { name: `${folder}.${platform.archive}`, bytes };
}

/** Compiled under the same name everywhere: the name is part of the bytes. */
async function compile(
  platform: Platform,
  input: Awaited<ReturnType<typeof prepareBuild>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-release-"));
  try {
    const file = join(folder, platform.executable);
    await buildExecutable(file, input, platform.target);
    return new Uint8Array(readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeSums({ source, out, secretKeyFile }: ReleaseOrder, hashes: ReadonlyMap<string, string>) {
  const lines = [...hashes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hash]) => `${hash}  ${name}\n`);
  const list = lines.join("");
  writeFileSync(join(out, "SHA256SUMS"), list);
  console.log(`SHA256SUMS  ${new Bun.CryptoHasher("sha256").update(list).digest("hex")}`);
  if (secretKeyFile === null) console.log("unsigned: EXECCOMP_RELEASE_KEY does not name a secret key");
  else await signSums(out, resolve(secretKeyFile), `execcomp ${source.version}, commit ${source.commit}`);
}

/** Signs the list of hashes of a folder with minisign, whose Ed25519 gives the same bytes each time. @param comment signed too */
export async function signSums(out: string, secretKeyFile: string, comment: string): Promise<void> {
  const words = ["-S", "-s", secretKeyFile, "-m", "SHA256SUMS", "-t", comment];
  await outputOf(["minisign", ...words, "-c", "signature of an execcomp release"], { cwd: out });
}
