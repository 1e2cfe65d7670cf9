/**
 * The container image as an OCI archive: one layer with the C library, one with the executable, and an index of the
 * architectures. Written without a daemon. @see OCI image specification 1.1
 */
import { bytesOf, type Entry, gzip, tar } from "../archives.ts";
import { type Contents, copyrightOf, type ReleaseFile } from "../contents.ts";
import type { Source } from "../source.ts";
import { GLIBC_VERSION, glibcFiles } from "./glibc.ts";

/** An architecture with its executable. */
export interface ImageInput {
  architecture: "amd64" | "arm64";
  executable: Uint8Array<ArrayBuffer>;
}

/** A user that is in no passwd file, so it owns nothing else in the image or on the host. */
const USER = 65_532;

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  platform?: { architecture: string; os: "linux" };
  annotations?: Readonly<Record<string, string>>;
}

/** The image for all given architectures, as an archive for `skopeo copy oci-archive:…` and `docker load`. */
export async function ociImage(
  source: Source,
  contents: Contents,
  inputs: readonly ImageInput[],
): Promise<ReleaseFile> {
  const blobs = new Map<string, Entry>();
  const put = (mediaType: string, bytes: Uint8Array<ArrayBuffer>): Descriptor => {
    const hash = sha256(bytes);
    blobs.set(hash, { path: `blobs/sha256/${hash}`, content: bytes, mode: 0o644 });
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  };
  const manifests: Descriptor[] = [];
  for (const input of inputs) {
    const manifest = await putImage(source, contents, input, put);
    manifests.push({ ...manifest, platform: { architecture: input.architecture, os: "linux" } });
  }
  const inner = put(INDEX, json({ schemaVersion: 2, mediaType: INDEX, manifests }));
  const annotations = {
    "org.opencontainers.image.ref.name": source.version,
    // The name under which `docker load` and `ctr image import` list it.
    "io.containerd.image.name": `docker.io/library/execcomp:${source.version}`,
  };
  const index = { schemaVersion: 2, mediaType: INDEX, manifests: [{ ...inner, annotations }] };
  const entries: Entry[] = [
    { path: "oci-layout", content: json({ imageLayoutVersion: "1.0.0" }), mode: 0o644 },
    { path: "index.json", content: json(index), mode: 0o644 },
    ...blobs.values(),
  ];
  return { name: `execcomp-${source.version}-image.tar`, bytes: await tar(entries, source.date) };
}

const INDEX = "application/vnd.oci.image.index.v1+json";
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const CONFIG = "application/vnd.oci.image.config.v1+json";
const LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";

async function putImage(
  source: Source,
  contents: Contents,
  { architecture, executable }: ImageInput,
  put: (mediaType: string, bytes: Uint8Array<ArrayBuffer>) => Descriptor,
): Promise<Descriptor> {
  const layers = [
    await tar(await glibcFiles(architecture), source.date),
    await tar(programFiles(contents, executable), source.date),
  ];
  const config = put(CONFIG, json(imageConfig(source, architecture, layers)));
  const descriptors = layers.map((layer) => put(LAYER, gzip(layer)));
  return put(MANIFEST, json({ schemaVersion: 2, mediaType: MANIFEST, config, layers: descriptors }));
}

function programFiles(contents: Contents, executable: Uint8Array<ArrayBuffer>): Entry[] {
  return [
    { path: "usr/bin/execcomp", content: executable, mode: 0o755 },
    { path: "usr/share/doc/execcomp/copyright", content: copyrightOf(contents), mode: 0o644 },
    { path: "data/", content: "", mode: 0o750, owner: USER },
    { path: "tmp/", content: "", mode: 0o1777 },
  ];
}

function imageConfig(source: Source, architecture: string, layers: readonly Uint8Array<ArrayBuffer>[]) {
  const created = source.date.toISOString();
  return {
    created,
    architecture,
    os: "linux",
    config: {
      User: `${USER}:${USER}`,
      // Bound to all addresses, the server requires EXECCOMP_PUBLIC_URL and says so: an image cannot know it.
      Env: ["PATH=/usr/bin", "EXECCOMP_DATA_DIR=/data", "EXECCOMP_HOST=0.0.0.0"],
      Entrypoint: ["/usr/bin/execcomp"],
      Cmd: ["serve"],
      WorkingDir: "/",
      ExposedPorts: { "8402/tcp": {} },
      Volumes: { "/data": {} },
      // Docker's own field: the OCI specification has none, and other engines ignore it.
      Healthcheck: {
        Test: ["CMD", "/usr/bin/execcomp", "get", "/readyz", "--url", "http://127.0.0.1:8402"],
        Interval: 10_000_000_000,
        Timeout: 5_000_000_000,
        Retries: 3,
      },
      Labels: {
        "org.opencontainers.image.title": "execcomp",
        "org.opencontainers.image.version": source.version,
        "org.opencontainers.image.revision": source.commit,
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.base.name": `scratch, with libc6 ${GLIBC_VERSION}`,
      },
    },
    rootfs: { type: "layers", diff_ids: layers.map((layer) => `sha256:${sha256(layer)}`) },
    history: ["libc6", "execcomp"].map((name) => ({ created, created_by: `scripts/release: ${name}` })),
  };
}

function json(value: unknown): Uint8Array<ArrayBuffer> {
  return bytesOf(JSON.stringify(value));
}

function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
