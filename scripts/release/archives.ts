/** Archives whose bytes depend only on their content and one date: entries in path order, owned by root. */
import { crc32 } from "node:zlib";
import { Zip, ZipPassThrough } from "fflate";
import { packTar, type TarEntry } from "modern-tar";

/** One file of an archive. Folders follow from the paths, unless one is listed with its own mode. */
export interface Entry {
  /** With `/` between folders; a folder's path ends with it. */
  path: string;
  content: Uint8Array<ArrayBuffer> | string;
  mode: number;
  /** User and group by number, if not root's. */
  owner?: number;
}

/** Compresses to raw DEFLATE; each content only once, because an executable is in several zip files. */
export type Deflate = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;

/** libdeflate produces the same bytes on every processor, zlib-ng does not. */
const COMPRESSION = { library: "libdeflate", level: 6 } as const;

/** A compressor that caches its results by identity, as long as the content is referenced. */
export function createDeflate(): Deflate {
  const cache = new WeakMap<Uint8Array, Uint8Array<ArrayBuffer>>();
  return (bytes) => {
    const done = cache.get(bytes) ?? Bun.deflateSync(bytes, COMPRESSION);
    cache.set(bytes, done);
    return done;
  };
}

/** @see RFC 1952; the header has no name and no time. */
export function gzip(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Bun.gzipSync(bytes, COMPRESSION);
}

/** A tar archive with the folders of its entries. @param date modification time of all entries */
export function tar(entries: readonly Entry[], date: Date): Promise<Uint8Array<ArrayBuffer>> {
  const packed = withFolders(entries).map(({ path, content, mode, owner = 0 }): TarEntry => {
    const name = owner === 0 ? "root" : "";
    const common = { name: path, mode, mtime: date, uid: owner, gid: owner, uname: name, gname: name };
    if (path.endsWith("/")) return { header: { ...common, size: 0, type: "directory" } };
    const body = bytesOf(content);
    return { header: { ...common, size: body.length }, body };
  });
  return packTar(packed);
}

/** `tar`, compressed. */
export async function tarGz(entries: readonly Entry[], date: Date): Promise<Uint8Array<ArrayBuffer>> {
  return gzip(await tar(entries, date));
}

/** A zip archive of files. @param date modification time of all entries, which zip stores to two seconds */
export function zip(
  entries: readonly Entry[],
  date: Date,
  deflate: Deflate,
): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const chunks: Uint8Array[] = [];
  const archive = new Zip((error, chunk, final) => {
    if (error !== null) return reject(error);
    chunks.push(chunk);
    if (final) resolve(new Uint8Array(Buffer.concat(chunks)));
  });
  for (const { path, content, mode } of entries.toSorted(byPath)) {
    const body = bytesOf(content);
    const file = new Deflated(path, deflate);
    file.crc = crc32(body);
    file.size = body.length;
    file.os = UNIX;
    file.attrs = (REGULAR_FILE | mode) << 16;
    file.mtime = asLocal(date);
    archive.add(file);
    file.push(body, true);
  }
  archive.end();
  return promise;
}

/** The text or bytes of an entry as bytes. */
export function bytesOf(content: Uint8Array<ArrayBuffer> | string): Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

/** The entries in path order, with each of their parent folders once. */
function withFolders(entries: readonly Entry[]): Entry[] {
  const all = new Map<string, Entry>();
  for (const { path } of entries) {
    const parts = path.split("/").slice(0, -1);
    for (const [index] of parts.entries()) {
      const folder = `${parts.slice(0, index + 1).join("/")}/`;
      if (folder !== "./") all.set(folder, { path: folder, content: "", mode: 0o755 });
    }
  }
  for (const entry of entries) all.set(entry.path, entry);
  return [...all.values()].toSorted(byPath);
}

const UNIX = 3;
const REGULAR_FILE = 0o100000;

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);

/** fflate writes a date in local time, but the archive must not depend on where it is built. */
function asLocal(date: Date): Date {
  return new Date(
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  );
}

/** A file of a zip archive that `deflate` compresses; its size and checksum are set beforehand. */
class Deflated extends ZipPassThrough {
  readonly #deflate: Deflate;

  constructor(path: string, deflate: Deflate) {
    super(path);
    this.#deflate = deflate;
    this.compression = 8;
  }

  override push(bytes: Uint8Array<ArrayBuffer>, final: boolean): void {
    this.ondata(null, this.#deflate(bytes), final);
  }
}
