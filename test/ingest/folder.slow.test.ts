import { expect, test } from "bun:test";
import { join } from "node:path";
import { findFiles } from "../../src/ingest/from-dir.ts";
import { ingestFromFolder } from "../../src/ingest/run.ts";
import { openIngestContext } from "../../src/ingest/context.ts";
import { readInstalled } from "../../src/dataset/installed.ts";
import { testClock, testFolder } from "../support/edgar-client.ts";
import { NO_SHARED } from "../support/edgar-shared.ts";
import { testRuntime } from "../support/runtime.ts";

test.skipIf(NO_SHARED !== null)(
  `a folder of real filings: each is read or refused with a reason, and a second run gives the same bytes ${NO_SHARED ?? ""}`,
  async () => {
    const source = join(import.meta.dir, "../../../shared/filings");
    const files = findFiles(source);
    const hashes: (string | undefined)[] = [];
    using folder = testFolder();
    using other = testFolder();
    for (const dataDir of [folder.path, folder.path, other.path]) {
      const runtime = testRuntime();
      using context = openIngestContext(dataDir, testClock(runtime), 2);
      const told = { request: "a test", monotonic: runtime.monotonic, onProgress: () => {} };
      const report = await ingestFromFolder(context, source, files, () => "", told);
      expect(report.documents.seen).toBe(files.length);
      expect(report.documents.read).toBeGreaterThanOrEqual(12);
      expect(report.withoutRows.every(({ reason }) => reason.length > 10)).toBe(true);
      hashes.push(readInstalled(dataDir).current?.contentHash);
    }
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(hashes).size).toBe(1);
  },
  300_000,
);
