import { expect, test } from "bun:test";
import { createWorkerPool } from "../../src/ingest/worker-pool.ts";

test("a document that takes too long is given up, and the next one is read", async () => {
  using pool = createWorkerPool(1, 1);
  const document = new TextEncoder().encode("<p>Summary Compensation Table</p>".repeat(1_000_000));
  const filing = await pool.read(document, {});
  expect([filing.status, filing.reason, filing.rows]).toEqual(["refused", "internal", []]);
  expect(filing.reasonDetail).toContain("took longer than");
  using patient = createWorkerPool(1);
  expect((await patient.read(new TextEncoder().encode("<p>nothing</p>"), {})).reason).toBe("no_table");
});
