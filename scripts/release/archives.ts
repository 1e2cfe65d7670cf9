/** Archives whose bytes depend on nothing but their content and one date: entries in order of path, owned by root. */
import { crc32 } from "node:zlib";
import { Zip, ZipPassThrough } from "fflate";
import { packTar, type TarEntry } from "modern-tar";

/** One file of an archive. Folders follow from the paths, unless one is listed with a mode of its own. */
export interface Entry {
  /** With `/` between folders; a folder ends with it. */
  path: string;
  content: Uint8Array<ArrayBuffer> | string;
  mode: number;
  /** User and group by number, where it is not root's. */
  owner?: number;
}

/** Compresses raw DEFLATE; the same bytes once only, as an executable stands in several zip files. */
export type Deflate = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;

/** libdeflate gives the same bytes on every processor, zlib-ng does not. */
const COMPRESSION = { library: "libdeflate", level: 6 } as const;

/** A compressor that remembers what it compressed, by identity, as long as somebody holds it. */
export function createDeflate(): Deflate {
  const known = new WeakMap<Uint8Array, Uint8Array<ArrayBuffer>>();
  return (bytes) => {
    const done = known.get(bytes) ?? Bun.deflateSync(bytes, COMPRESSION);
    known.set(bytes, done);
    return done;
  };
}

/** @see RFC 1952; no name and no time are in the header. */
export function gzip(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Bun.gzipSync(bytes, COMPRESSION);
}

/** A tar archive with the folders of its entries. @param date modification time of everything */
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

/** A zip archive of files. @param date modification time of everything, which zip has to two seconds */
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

/** The entries in order of path, with every folder above them, each once. */
export function withFolders(entries: readonly Entry[]): Entry[] {
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

/** fflate writes a date as the clock on the wall says it: the archive must not depend on where it is made. */
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

/** A file of a zip archive that is compressed by `deflate`; its size and checksum are set beforehand. */
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
