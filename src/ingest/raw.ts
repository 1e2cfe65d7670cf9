import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";

/** The documents as they came, by the SHA-256 of their bytes, so that a better reader never needs the network. */
export interface RawStore {
  /** Keeps bytes; the same bytes are kept once. @returns their SHA-256, hex */
  put(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
  /** The bytes of that SHA-256; null when they are not here, or are no longer what they were. */
  get(sha256: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Whether there is a file of that name; what is in it is checked by `get`. */
  has(sha256: string): boolean;
}

/** A raw store in a folder: `ab/abcdef….zst`, each compressed by itself. */
export function rawStore(folder: string): RawStore {
  const fileOf = (sha256: string) => join(folder, sha256.slice(0, 2), `${sha256}.zst`);
  return {
    async put(bytes) {
      const sha256 = hashOf(bytes);
      const file = fileOf(sha256);
      if (existsSync(file)) return sha256;
      mkdirSync(join(folder, sha256.slice(0, 2)), { recursive: true });
      // Written beside and renamed: a kill leaves a whole file or none.
      const fresh = `${file}.${process.pid}.new`;
      await Bun.write(fresh, await Bun.zstdCompress(bytes, { level: 3 }));
      renameSync(fresh, file);
      return sha256;
    },
    async get(sha256) {
      const file = Bun.file(fileOf(sha256));
      if (!(await file.exists())) return null;
      try {
        const bytes = new Uint8Array(await Bun.zstdDecompress(await file.bytes()));
        return hashOf(bytes) === sha256 ? bytes : null;
      } catch {
        return null;
      }
    },
    has: (sha256) => existsSync(fileOf(sha256)),
  };
}

/** SHA-256, hex. */
export function hashOf(bytes: Uint8Array<ArrayBuffer>): string {
  return Bun.CryptoHasher.hash("sha256", bytes, "hex");
}
