/** Any text in a dataset stays text on every page: names, titles, labels, cells, reasons, and invalid addresses. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AMOUNTS } from "../../src/domain/row-fields.ts";
import { installFile } from "../../src/dataset/installed.ts";
import { sealFile } from "../../src/dataset/seal.ts";
import { writeSnapshot } from "../../src/dataset/writer.ts";
import { OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { forgeRows } from "../support/snapshot.ts";

/** Closes a tag, an attribute in either quote, a script, a comment and a title; also executes as an address. */
const HOSTILE = `</title></script>--><script>alert(1)</script>"onload="alert(2)" 'onload='alert(3)' <img src=x onerror=alert(4)>`;
const ADDRESS = "javascript:alert(5)//";
const CIK = "0000000042";
const folder = mkdtempSync(join(tmpdir(), "execcomp-hostile-"));
let server: TestServer;

beforeAll(async () => {
  const path = join(folder, "hostile.sqlite");
  const accession = "0000000001-25-000001";
  const cells = Object.fromEntries(
    [...AMOUNTS, "name", "role", "year"].map((field, at) => [field, [[0, 1, at, HOSTILE]]]),
  );
  const filings = [2024, 2025].map((year) =>
    testFiling({
      year,
      form: "DEF 14A",
      symbol: HOSTILE,
      reason: HOSTILE,
      read: "pipeline",
      captions: Object.fromEntries(AMOUNTS.map((_, at) => [`0:${at}`, HOSTILE])),
    }),
  );
  const pending = testFiling({ year: 2026, status: "pending", read: null, reason: HOSTILE });
  const row = {
    name: `Ada ${HOSTILE}`,
    role: HOSTILE,
    label: HOSTILE,
    note: HOSTILE,
    checks: [HOSTILE],
    cells,
  };
  const boss = { ...row, peo: OFFICE, pfo: OFFICE };
  const written = writeSnapshot(path, {
    edition: "2026-01-01",
    listed: [{ cik: CIK, name: HOSTILE, symbols: [{ symbol: "ACME", exchange: HOSTILE }] }],
    reference: {
      registrants: [
        {
          cik: CIK,
          name: HOSTILE,
          sic: "7372",
          filerCategory: HOSTILE,
          fiscalYearEnd: "12-31",
          stateOfIncorporation: HOSTILE,
          businessState: HOSTILE,
        },
      ],
      sicCodes: [{ sic: "7372", description: HOSTILE }],
      formerNames: [{ cik: CIK, name: HOSTILE, usedFrom: "2001-01-01", usedUntil: HOSTILE }],
      members: [
        {
          cik: CIK,
          symbol: "ACME",
          name: HOSTILE,
          sector: HOSTILE,
          added: "2001-01-01",
          addedKnown: true,
          removed: null,
        },
      ],
      formerSymbols: [],
      successors: [],
    },
    records: [
      testRecord({
        name: HOSTILE,
        filings: [...filings, pending],
        observations: [
          testRow({ ...boss, accession: "0000000001-24-000001", fiscalYear: 2023 }),
          testRow({ ...boss, fiscalYear: 2024 }),
          testRow({ ...boss, position: 2, fiscalYear: 2023 }, { salary: 90 }),
          testRow({ ...row, position: 3, name: `Ben ${HOSTILE}` }, { salary: 50 }),
        ],
        grids: [0, 1].map((line) => ({
          accession,
          table: 0,
          row: line,
          caption: line === 0,
          cells: AMOUNTS.map((_, at) => [at, HOSTILE] as const),
        })),
        problems: [{ accession, position: 1, step: HOSTILE, code: HOSTILE, message: HOSTILE }],
      }),
    ],
  });
  withAddress(path);
  const dataDir = join(folder, "data");
  expect(written.rows).toBeGreaterThan(2);
  installFile(dataDir, path, new Date(0).toISOString());
  server = await startTestServer({ dataDir });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The writer refuses such an address, but the file may come from another program. */
function withAddress(path: string): void {
  const database = new Database(path);
  const [{ url }] = database.query<{ url: string }, []>("select url from filings limit 1").all() as [
    { url: string },
  ];
  expect(url).toStartWith("https://www.sec.gov/");
  database.run("update filings set url = ?", [ADDRESS]);
  forgeRows(database, (row) => ({ ...row, source: { ...row.source, filing_url: ADDRESS } }));
  database.close();
  sealFile(path);
}

test("every page that shows the dataset shows it as text", async () => {
  expect(server.services.snapshots.current().info.companiesWithRows).toBe(1);
  const home = await (await server.get("/t/ACME", { headers: { accept: "text/html" } })).text();
  const executives = [...new Set(home.match(/\/t\/ACME\/2024\/[a-z0-9-]+(?=")/g))];
  expect(executives.length).toBeGreaterThan(1);
  const people = executives.flatMap((path) => [path, ...AMOUNTS.map((name) => `${path}/${name}`)]);
  const id = await server.accounts.peerGroups.create(null, { name: HOSTILE.slice(0, 60), ciks: [CIK] });
  const pages = [
    "/",
    "/t/ACME",
    "/t/ACME?year=2023",
    `/c/${CIK}`,
    ...people,
    "/search?q=script",
    "/search?q=ada",
    "/compare?t=ACME",
    "/compare?t=ACME&who=all",
    `/compare?group=${id}`,
    "/rankings",
    `/rankings?group=${id}`,
    "/rankings?sort=company_name",
    "/coverage",
    "/coverage?search=ACME",
    "/groups",
    `/groups/${id}`,
    "/peers?t=ACME",
  ];
  for (const path of pages) {
    const answer = await server.get(path, { headers: { accept: "text/html" } });
    const text = await answer.text();
    expect([path, answer.status]).toEqual([path, 200]);
    // The page contains the words, so that the absence of elements below is meaningful.
    expect([path, /alert\(1\)/.test(text)]).toEqual([path, true]);
    expect([path, elementsOf(text)]).toEqual([path, []]);
  }
});

/** What the words would have become if they were not text. */
function elementsOf(text: string): string[] {
  const found: string[] = [];
  const note = (what: string) => () => {
    found.push(what);
  };
  new HTMLRewriter()
    .on("script:not([src])", { element: note("script") })
    .on("img", { element: note("img") })
    .on("[onload], [onerror]", { element: note("handler") })
    .on("[href^='javascript:'], [src^='javascript:']", { element: note("address") })
    .transform(new Response(text))
    .text();
  return found;
}
