import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scoreFolder, totalOf } from "../../scripts/accuracy.ts";

const FILINGS = join(import.meta.dir, "../../../shared/filings");

test.skipIf(!existsSync(FILINGS))("the smaller real filings are read as entered manually", () => {
  const scores = scoreFolder(FILINGS, 700_000);
  const total = totalOf(scores);
  expect(scores.length).toBeGreaterThanOrEqual(8);
  for (const { right, of } of [total.rows, total.cells, total.ids, total.flags, total.names, total.roles])
    expect(right).toBe(of);
  expect(total.rows.of).toBeGreaterThan(40);
  expect({ silent: total.silent, extra: total.extra }).toEqual({ silent: 0, extra: 0 });
});

if (!existsSync(FILINGS)) console.error(`skipped: no filings at ${FILINGS}`);
