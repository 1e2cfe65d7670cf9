import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";

/** Documents as they were fetched, by the SHA-256 of their bytes, so that an improved reader can read them without the network. */
export interface RawStore {
  /** Stores bytes, each content once. @returns their SHA-256 in hex */
  put(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
  /** The bytes with that SHA-256; null if they are missing or damaged. */
  get(sha256: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Whether there is a file with that name; its content is checked only by `get`. */
  has(sha256: string): boolean;
}

/** A raw store in a folder: `ab/abcdef….zst`, each file compressed separately. */
export function rawStore(folder: string): RawStore {
  const fileOf = (sha256: string) => join(folder, sha256.slice(0, 2), `${sha256}.zst`);
  return {
    async put(bytes) {
      const sha256 = hashOf(bytes);
      const file = fileOf(sha256);
      if (existsSync(file)) return sha256;
      mkdirSync(join(folder, sha256.slice(0, 2)), { recursive: true });
      // Written to a temporary file and renamed, so that a crash leaves a complete file or none.
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

/** SHA-256 in hex. */
export function hashOf(bytes: Uint8Array<ArrayBuffer>): string {
  return Bun.CryptoHasher.hash("sha256", bytes, "hex");
}
