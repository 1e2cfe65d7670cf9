import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Known } from "../reader/pipeline.ts";
import type { ParsedFiling } from "../reader/parsed.ts";

/** Cached results of reading documents, so that a run after a crash reads none of them twice. */
export interface ParseCache {
  get(sha256: string, known: Known): Promise<ParsedFiling | null>;
  put(sha256: string, known: Known, parsed: ParsedFiling): Promise<void>;
}

/**
 * A cache of parsed filings in a folder. The key is a hash of the document, the facts known about it, and the reader itself,
 * so a changed reader reads everything anew.
 */
export function parseCache(folder: string, reader: string): ParseCache {
  const fileOf = (sha256: string, known: Known) => {
    const name = Bun.CryptoHasher.hash("sha256", `${reader} ${sha256} ${JSON.stringify(known)}`, "hex");
    return join(folder, name.slice(0, 2), `${name}.json.zst`);
  };
  return {
    async get(sha256, known) {
      const file = Bun.file(fileOf(sha256, known));
      if (!(await file.exists())) return null;
      try {
        const text = new TextDecoder().decode(await Bun.zstdDecompress(await file.bytes()));
        // Written by `put` of the same reader from a `ParsedFiling`; a damaged file does not decompress.
        return JSON.parse(text) as ParsedFiling;
      } catch {
        return null;
      }
    },
    async put(sha256, known, parsed) {
      const file = fileOf(sha256, known);
      if (existsSync(file)) return;
      mkdirSync(dirname(file), { recursive: true });
      const fresh = `${file}.${process.pid}.new`;
      await Bun.write(fresh, await Bun.zstdCompress(JSON.stringify(parsed)));
      renameSync(fresh, file);
    },
  };
}

/** Identifies a version of the reader: by the executable, or by the sources it runs from. */
export function readerIdentity(): string {
  if (/\$bunfs|~BUN/.test(import.meta.url)) {
    const { size, mtimeMs } = statSync(process.execPath);
    return `${size}-${mtimeMs}`;
  }
  const source = join(import.meta.dir, "..");
  const files = [...new Bun.Glob("{reader,domain,ingest,dataset}/**/*.ts").scanSync(source)].sort();
  const hasher = new Bun.CryptoHasher("sha256");
  for (const file of files) hasher.update(readFileSync(join(source, file)));
  return hasher.digest("hex");
}
