/** The C library in the container image: Debian's, by exact version and hash, fetched by apt. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackTar } from "modern-tar";
import { outputOf } from "../../command-output.ts";
import type { Entry } from "../archives.ts";

/**
 * Debian's version of libc6 (bookworm). To update it: `apt-cache policy libc6`, then the hashes that the error prints.
 */
export const GLIBC_VERSION = "2.36-9+deb12u14";

const HASHES = {
  amd64: "ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf",
  arm64: "01f4330719fd4f65580e16ea5a0527f372fca750e8f588d26deaf09f2d3b1cf4",
} as const;

/** The libraries that the executable needs: `objdump -p dist/execcomp | grep NEEDED`. */
const NEEDED = /\/(libc\.so\.6|libm\.so\.6|libdl\.so\.2|libpthread\.so\.0|ld-linux-[\w-]+\.so\.\d)$/;

/**
 * The library's files with its copyright. The loader's link from /lib or /lib64 becomes a copy: these archives have no
 * links.
 * @throws Error if apt cannot fetch that version, or returns another file
 */
export async function glibcFiles(architecture: keyof typeof HASHES): Promise<Entry[]> {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-glibc-"));
  try {
    const file = await download(folder, architecture);
    const hash = new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex");
    if (hash !== HASHES[architecture])
      throw new Error(
        `libc6 ${GLIBC_VERSION} for ${architecture} has the hash ${hash}, not the one that is known`,
      );
    const files = await unpackTar((await Bun.$`dpkg-deb --fsys-tarfile ${file}`.quiet()).bytes());
    const entries = files.flatMap(({ header, data }): Entry[] => {
      const path = header.name.replace(/^\.\//, "");
      const isWanted = NEEDED.test(path) || path === "usr/share/doc/libc6/copyright";
      return isWanted && data !== undefined ? [{ path, content: data, mode: header.mode ?? 0o644 }] : [];
    });
    const loader = entries.find(({ path }) => path.includes("/ld-linux-"));
    if (entries.length !== 6 || loader === undefined)
      throw new Error(`libc6 for ${architecture} has other files`);
    const at = architecture === "amd64" ? "lib64/ld-linux-x86-64.so.2" : "lib/ld-linux-aarch64.so.1";
    return [...entries, { ...loader, path: at }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fetches the package with separate apt lists, so that the machine's are not changed. */
async function download(folder: string, architecture: string): Promise<string> {
  for (const below of ["lists/partial", "cache/archives/partial"])
    mkdirSync(join(folder, below), { recursive: true });
  const options = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    `Dir::State::Lists=${join(folder, "lists")}`,
    `Dir::Cache=${join(folder, "cache")}`,
    "APT::Sandbox::User=root",
  ].flatMap((option) => ["-o", option]);
  const apt = (...words: string[]) => outputOf(["apt-get", "-qq", ...options, ...words], { cwd: folder });
  await apt("update");
  await apt("download", `libc6:${architecture}=${GLIBC_VERSION}`);
  return join(folder, `libc6_${GLIBC_VERSION}_${architecture}.deb`);
}
