import { appendFileSync, closeSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import type { IngestedFiling } from "./ingested-filing.ts";

/** Parsed filings kept on disk until the end of a run, so that memory use does not grow with the number of documents. */
export interface Spill extends Disposable {
  add(ingested: IngestedFiling): void;
  /** Companies by CIK, ascending, each with its parsed filings by accession number. */
  companies(): Iterable<readonly [cik: string, filings: readonly IngestedFiling[]]>;
}

/** A spill in a file, which is deleted on disposal. */
export function fileSpill(file: string): Spill {
  const places = new Map<string, { offset: number; length: number }[]>();
  let end = 0;
  writeFileSync(file, "");
  return {
    add(ingested) {
      const bytes = new TextEncoder().encode(JSON.stringify(ingested));
      appendFileSync(file, bytes);
      const of = places.get(ingested.company.cik) ?? [];
      of.push({ offset: end, length: bytes.length });
      places.set(ingested.company.cik, of);
      end += bytes.length;
    },
    *companies() {
      const handle = openSync(file, "r");
      try {
        for (const [cik, of] of [...places].sort(([a], [b]) => (a < b ? -1 : 1))) {
          const filings = of.map(({ offset, length }) => {
            const bytes = new Uint8Array(length);
            readSync(handle, bytes, 0, length, offset);
            // Written by `add` from an `IngestedFiling` in this process.
            return JSON.parse(new TextDecoder().decode(bytes)) as IngestedFiling;
          });
          yield [cik, filings.sort((a, b) => (a.filing.accession < b.filing.accession ? -1 : 1))] as const;
        }
      } finally {
        closeSync(handle);
      }
    },
    [Symbol.dispose]: () => rmSync(file, { force: true }),
  };
}
