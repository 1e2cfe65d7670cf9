import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GoldRow } from "../../scripts/accuracy.ts";

/** Real documents are next to the repository, not in it. */
export const FILINGS = join(import.meta.dir, "../../../shared/filings");

/** Why tests on real documents cannot run here, or null if they can. */
export function filingsAbsent(): string | null {
  return existsSync(join(FILINGS, "gold")) ? null : `${FILINGS} is absent`;
}

/** A part of a real document around its table. */
export interface Excerpt {
  readonly file: string;
  readonly text: string;
}

interface Gold {
  readonly rows?: readonly GoldRow[];
}

/** A real document with the totals of its gold rows as printed. */
export interface GoldDocument {
  readonly file: string;
  readonly text: string;
  readonly totals: readonly string[];
  readonly rows: readonly GoldRow[];
}

/** Every document of the folder that has gold rows. */
export function goldDocuments(): GoldDocument[] {
  return readdirSync(join(FILINGS, "gold")).flatMap((name): GoldDocument[] => {
    // The gold files are ours and have this form.
    const gold = JSON.parse(readFileSync(join(FILINGS, "gold", name), "utf8")) as Gold;
    const totals = (gold.rows ?? [])
      .map((row) => row.total_compensation.toLocaleString("en-US"))
      .filter((text) => text.length > 3);
    const base = name.replace(/\.json$/, "");
    const file = [`${base}.htm`, `${base}.txt`].find((candidate) => existsSync(join(FILINGS, candidate)));
    if (file === undefined || totals.length === 0) return [];
    return [{ file, text: readFileSync(join(FILINGS, file), "utf8"), totals, rows: gold.rows ?? [] }];
  });
}

/** Extracts the surroundings of the real table from every document that has one; located by its totals as printed. */
export function excerpts(around = 12_000): Excerpt[] {
  return goldDocuments().flatMap(({ file, text, totals }): Excerpt[] => {
    const span = narrowest(text, totals);
    if (span === null) return [];
    // From the beginning of a tag, whose rest would be text, up to the end of a table, which would swallow what a test appends.
    const start = Math.max(0, text.indexOf("<", span[0] - around));
    const end = text.toLowerCase().indexOf("</table>", span[1] + around);
    return [{ file, text: text.slice(start, end < 0 ? text.length : end + 8) }];
  });
}

/** The shortest stretch of the text that has all the totals in order, or null. */
export function narrowest(text: string, totals: readonly string[]): [number, number] | null {
  const first = totals[0] ?? "";
  let best: [number, number] | null = null;
  for (let start = text.indexOf(first); start >= 0; start = text.indexOf(first, start + 1)) {
    let at = start;
    for (const total of totals) at = at < 0 ? -1 : text.indexOf(total, at);
    if (at >= 0 && (best === null || at - start < best[1] - best[0])) best = [start, at];
  }
  return best;
}
