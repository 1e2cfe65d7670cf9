import { describe, expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { excerpts, filingsAbsent } from "../support/excerpts.ts";
import { invariantViolations } from "../support/parse-invariants.ts";
import { mutate } from "../support/mutate.ts";

const SEED = 7_000;
const CHUNK = 100;

describe("1,000 damaged excerpts of real filings", () => {
  const absent = filingsAbsent();
  if (absent !== null) {
    test.skip(`skipped: ${absent}`, () => {});
    return;
  }
  const sources = excerpts();

  for (let chunk = 0; chunk < 10; chunk++) {
    test(`are read or refused with a reason, never a throw: ${chunk * CHUNK + 1} to ${(chunk + 1) * CHUNK}`, () => {
      const wrong: string[] = [];
      for (let at = 0; at < CHUNK; at++) {
        const seed = SEED + chunk * CHUNK + at;
        const source = sources[seed % sources.length];
        if (source === undefined) throw new Error("No excerpt was found in ../shared/filings");
        const { text, damage } = mutate(source.text, seed);
        const parsed = parseFiling(new TextEncoder().encode(text));
        const broken =
          parsed.reason === "internal" ? [`internal: ${parsed.reasonDetail}`] : invariantViolations(parsed);
        if (broken.length > 0) wrong.push(`${source.file} seed ${seed} (${damage.join(", ")}): ${broken[0]}`);
      }
      expect(wrong).toEqual([]);
    }, 300_000);
  }
});
