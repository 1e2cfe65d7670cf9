/** The search for executives by name: in whatever currency they are paid, with every year of each. */
import { expect, test } from "bun:test";
import { installFile } from "../../src/snapshot/installed.ts";
import { tempFolder } from "../support/folder.ts";
import { OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";
import { startTestServer } from "../support/server.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

const dataDir = tempFolder();
const YEARS = Array.from({ length: 12 }, (_, n) => 2013 + n);

test("people paid in euros are found, and of a name that many have the years are all told", async () => {
  const accessionOf = (year: number) => `0000000001-${String(year + 1).slice(2)}-000001`;
  const record = testRecord({
    filings: YEARS.map((year) => testFiling({ year: year + 1, currency: "EUR" })),
    observations: YEARS.flatMap((fiscalYear) =>
      Array.from({ length: 25 }, (_, n) =>
        testRow({
          accession: accessionOf(fiscalYear),
          fiscalYear,
          position: n + 1,
          name: `${"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n]}nna Schmidt`,
          ...(n === 0 ? { peo: OFFICE } : {}),
        }),
      ),
    ),
  });
  installFile(dataDir, writeTestSnapshot(dataDir, "euro.sqlite", [record]), new Date(0).toISOString());
  const server = await startTestServer({ dataDir });
  try {
    const answer = await server.get("/search?q=schmidt", { headers: { accept: "text/html" } });
    const text = (await answer.text()).replaceAll(/\s+/g, " ");
    expect(text.match(/Acme Corp, fiscal 2013 to 2024/gi)).toHaveLength(20);
    expect(text).toContain("Showing the first 20.");
  } finally {
    await server.stop();
  }
});
