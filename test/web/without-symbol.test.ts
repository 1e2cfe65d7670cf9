/** Companies without a symbol have pages by their CIK. */
import { expect, test } from "bun:test";
import { installFile } from "../../src/dataset/installed.ts";
import { tempFolder } from "../support/folder.ts";
import { openPage } from "../support/html.ts";
import { OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";
import { startTestServer } from "../support/server.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

function companyOf(cik: string, name: string, officer: string) {
  const accession = `${cik}-25-000001`;
  const url = `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll("-", "")}/proxy.htm`;
  return testRecord({
    cik,
    name,
    symbols: [],
    filings: [testFiling({ accession, symbol: null, url })],
    observations: [testRow({ accession, name: officer, peo: OFFICE })],
  });
}

test("each page shows its own company, even when it comes from the cache", async () => {
  const dataDir = tempFolder();
  const records = [
    companyOf("0000000051", "Blue River Bank", "Ada Byrne"),
    companyOf("0000000052", "Red Hill Steel", "Ben Cole"),
  ];
  installFile(dataDir, writeTestSnapshot(dataDir, "none.sqlite", records), new Date(0).toISOString());
  const server = await startTestServer({ dataDir });
  for (let time = 0; time < 2; time++) {
    for (const [path, own, other] of [
      ["/c/0000000051", "Ada Byrne", "Ben Cole"],
      ["/c/0000000052", "Ben Cole", "Ada Byrne"],
    ] as const) {
      const { status, text } = await openPage(server, path);
      expect([status, text.includes(own), text.includes(other)]).toEqual([200, true, false]);
    }
  }
  await server.stop();
});
