import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type GoldCase, missesOf } from "../support/gold-cases.ts";

const CASES = join(import.meta.dir, "../../../shared/cases");
const KINDS = ["foreign", "currency", "officers", "amounts"];

describe.skipIf(!existsSync(CASES))("a small document that was once read wrongly", () => {
  for (const kind of existsSync(CASES) ? KINDS : [])
    for (const file of readdirSync(join(CASES, kind)).filter((name) => name.endsWith(".htm")))
      test(`${kind}/${file}`, () => {
        const base = join(CASES, kind, file);
        // A gold file has the shape of `GoldCase`.
        const gold = JSON.parse(readFileSync(base.replace(/\.htm$/, ".json"), "utf8")) as GoldCase;
        expect(missesOf(base, gold)).toEqual([]);
      });
});

if (!existsSync(CASES)) console.error(`skipped: no cases at ${CASES}`);
