import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scoreFolder, totalOf } from "../../scripts/accuracy.ts";

const FILINGS = join(import.meta.dir, "../../../shared/filings");

test.skipIf(!existsSync(FILINGS))(
  "the real filings are read as entered manually, without a silent error",
  () => {
    const scores = scoreFolder(FILINGS);
    const total = totalOf(scores);
    expect(scores.length).toBeGreaterThanOrEqual(33);
    expect(total.rows.of).toBeGreaterThan(300);
    expect(total.rows.right).toBe(total.rows.of);
    expect(total.cells.right).toBe(total.cells.of);
    expect(total.ids.right).toBe(total.ids.of);
    for (const { right, of } of [total.flags, total.names, total.roles]) expect(right).toBe(of);
    expect(total.refusals).toEqual({ right: 2, of: 2 });
    expect({ silent: total.silent, extra: total.extra }).toEqual({ silent: 0, extra: 0 });
  },
);

if (!existsSync(FILINGS)) console.error(`skipped: no filings at ${FILINGS}`);
