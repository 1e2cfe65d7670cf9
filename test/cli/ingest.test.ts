import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { progressLine } from "../../src/cli/filings/ingest.ts";
import { embeddedBytes } from "../../src/dataset/embedded.ts";
import { openBytes } from "../../src/dataset/open.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";
import { realRuntime } from "../../src/runtime.ts";
import { cli } from "../support/cli.ts";
import { type ReplayEdgar, startReplay } from "../support/edgar.ts";
import { type MadeCompany, madeCompany, madeCorpus, madeProxy } from "../support/edgar-made.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
const NEW: MadeCompany = { ...madeCompany(920_001, 2025, 3, 500_000), ticker: "NEWCO" };
/** A real registrant with a known filing that is not loaded: EDGAR lists exactly that filing. */
const PENDING = pendingCompany();

let replay: ReplayEdgar;
beforeAll(async () => {
  replay = await startReplay(madeCorpus([NEW, PENDING]));
});
afterAll(() => replay.stop());

function pendingCompany(): MadeCompany {
  const embedded = datasetOf(openBytes("embedded", embeddedBytes()), "embedded");
  const [known] = embedded.all<{
    cik: number;
    ticker: string;
    accession: string;
    filing_date: string;
    url: string;
  }>(
    "select f.cik, c.ticker, f.accession, f.filing_date, f.url from filings f join companies c on c.cik = f.cik where f.status = 'pending' and f.url is not null order by f.cik limit 1",
  );
  if (known === undefined) throw new Error("no filing is pending");
  const company = madeCompany(known.cik, 2025, 2, 700_000);
  const [, older] = company.filings;
  const filing = {
    accession: known.accession,
    form: "DEF 14A",
    filingDate: known.filing_date,
    reportDate: "",
    primaryDocument: known.url.split("/").at(-1) ?? "",
    document: madeProxy(company.name, 2025, 700_000),
  };
  return { ...company, ticker: known.ticker, filings: older === undefined ? [filing] : [filing, older] };
}

let made = 0;
function place() {
  const dataDir = join(folder, `data-${++made}`);
  const run = (...words: string[]) =>
    cli(
      "ingest",
      ...words,
      "--data-dir",
      dataDir,
      "--edgar-www-url",
      replay.wwwUrl,
      "--edgar-data-url",
      replay.dataUrl,
      {
        // Only loopback is contacted, and the limit of eight a second is real.
        runtime: realRuntime(),
        environment: { EXECCOMP_CONTACT: "A Tester tester@example.com" },
      },
    );
  const show = async (ticker: string) => {
    const { out } = await cli("show", ticker, "--json", "--years", "9", {
      environment: { EXECCOMP_DATA_DIR: dataDir },
    });
    return (JSON.parse(out) as { executive_compensation: { fiscal_year: number; salary: number }[] })
      .executive_compensation;
  };
  return { dataDir, run, show };
}

test("a symbol that only EDGAR knows is found in its list, read, reported and served", async () => {
  const { dataDir, run, show } = place();
  const { code, out, err } = await run("NEWCO", "--years", "2");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^2 documents \(0\.0 MB\) in \d/);
  expect(out).toContain("is in use");
  expect(out).toContain(join(dataDir, "reports", "ingest.json"));
  expect(await Bun.file(join(dataDir, "reports", "ingest.json")).json()).toMatchObject({
    request: "ticker NEWCO, years 2",
  });
  expect((await show("NEWCO")).map(({ fiscal_year, salary }) => [fiscal_year, salary])).toEqual([
    [2025, 500_000],
    [2024, 499_000],
    [2023, 498_000],
    [2022, 498_000],
  ]);
});

test("--dry-run lists what would be fetched and fetches no document", async () => {
  const { dataDir, run } = place();
  replay.seen.splice(0);
  const { code, json } = await run("--cik", "920001", "--years", "3", "--dry-run", "--json");
  expect(code).toBe(0);
  // As `listPlan` of ingest.ts writes it.
  const { planned } = json() as { planned: { form: string; filingDate: string; fallback: boolean }[] };
  expect(planned.map(({ filingDate }) => filingDate)).toEqual(["2026-04-01", "2025-04-01", "2024-04-01"]);
  expect(replay.seen.map(({ path }) => path)).toEqual(["/submissions/CIK0000920001.json"]);
  expect(existsSync(join(dataDir, "snapshots", "current.json"))).toBe(false);
});

test("--year and --since find the filers in EDGAR's quarterly indexes and fetch only filings from that time", async () => {
  for (const words of [
    ["--year", "2025"],
    ["--since", "2025-02-01"],
  ]) {
    const { run } = place();
    const { json } = await run(...words, "--dry-run", "--years", "9", "--json");
    const { planned } = json() as { planned: { cik: string; filingDate: string }[] };
    const dates = planned.filter(({ cik }) => cik === NEW.cik).map(({ filingDate }) => filingDate);
    expect([words[0], dates]).toEqual([
      words[0],
      words[0] === "--year" ? ["2025-04-01"] : ["2026-04-01", "2025-04-01"],
    ]);
  }
});

test("--pending means exactly the known filings that are not loaded; listing them needs no network", async () => {
  const { run } = place();
  replay.seen.splice(0);
  const { json } = await run("--pending", "--dry-run", "--json");
  const { planned } = json() as { planned: { cik: string; accession: string }[] };
  expect(planned.length).toBeGreaterThan(300);
  expect(planned.find(({ cik }) => cik === PENDING.cik)?.accession).toBe(PENDING.filings[0]?.accession ?? "");
  expect(replay.seen).toEqual([]);
});

test("a folder laid out like EDGAR's is read without network or manifest", async () => {
  const { dataDir, run, show } = place();
  const mirror = join(folder, "mirror", "edgar", "data", "920001", "000092000126920001");
  mkdirSync(mirror, { recursive: true });
  writeFileSync(join(mirror, "proxy.htm"), madeProxy("Mirrored Company", 2025, 600_000));
  writeFileSync(join(mirror, "0000920001-26-920001-index.htm"), "<html>an index</html>");
  writeFileSync(
    join(folder, "mirror", "manifest.csv"),
    'file,form,filing_date,company_name,ticker\nedgar/data/920001/000092000126920001/proxy.htm,DEF 14A,2026-04-01,"Mirrored Company, Inc.",MIRR\n',
  );
  replay.seen.splice(0);
  const { code, json } = await run("--from-dir", join(folder, "mirror"), "--json", "--offline");
  expect(code).toBe(0);
  expect(json()).toMatchObject({ documents: { seen: 1, read: 1 } });
  expect(replay.seen).toEqual([]);
  expect((await show("MIRR")).map(({ salary }) => salary)).toEqual([600_000, 599_000, 598_000]);
  const environment = { EXECCOMP_DATA_DIR: dataDir };
  const diff = await cli("data", "diff", "embedded", "current", "--json", { environment });
  expect(diff.json()).toMatchObject({ counts: { "rows added": 3, "filings added": 1 } });
});

test("an ingest in which some filings failed says how many, exits with 3, and has loaded the others", async () => {
  const { run, show } = place();
  const mixed = join(folder, "mixed", "edgar", "data", "920002", "000092000226920002");
  mkdirSync(mixed, { recursive: true });
  writeFileSync(join(mixed, "proxy.htm"), madeProxy("Half Company", 2025, 600_000));
  writeFileSync(
    join(folder, "mixed", "manifest.csv"),
    'file,form,filing_date,company_name,ticker\nedgar/data/920002/000092000226920002/proxy.htm,DEF 14A,2026-04-01,"Half Company, Inc.",HALF\n',
  );
  // Nothing tells whose it is.
  writeFileSync(join(folder, "mixed", "nobody.htm"), madeProxy("Nobody", 2025, 600_000));
  writeFileSync(join(folder, "mixed", "0000920002-26-000009.htm"), "<html><p>No table.</p></html>");
  const ran = await run("--from-dir", join(folder, "mixed"), "--offline");
  // The same words and numbers on the terminal, in the reason for the exit code and in the report.
  const outcome = "1 read, 0 refused, 2 failed";
  expect([ran.code, ran.err]).toEqual([3, expect.stringContaining(`${outcome}.\n`)]);
  expect(ran.out).toMatch(new RegExp(`^3 documents .*: ${outcome}\\.\n3 rows for 1 company`));
  expect(ran.out).toMatch(
    / 1 failed: unknown accession number, CIK and form; add them to a manifest\.csv in the folder \(nobody\.htm\)/,
  );
  const again = await run("--from-dir", join(folder, "mixed"), "--offline", "--json");
  expect(again.json()).toMatchObject({
    documents: { seen: 3, read: 1, refused: 0, failed: 2 },
    rows: 3,
    withoutRows: [{ status: "failed" }, { status: "failed" }],
  });
  expect((await show("HALF")).length).toBe(3);
});

test.each([
  ["one company", ["F"]],
  ["the S&P 500", ["--pending", "--index", "sp500"]],
])("without a network, an ingest of %s ends at once and says what to do instead", async (_name, words) => {
  const asked: string[] = [];
  const fetch = (input: unknown) => {
    asked.push(String(input));
    return Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }));
  };
  const runtime = { ...realRuntime(), fetch };
  const line = ["ingest", ...words, "--contact", "A Tester tester@example.com"];
  const environment = { EXECCOMP_DATA_DIR: join(folder, `data-${++made}`) };
  const { code, out, err } = await cli(...line, { environment, runtime });
  // As many as are asked for at the same time.
  expect([code, out, asked.length <= 24]).toEqual([1, "", true]);
  expect(err).toMatch(
    /EDGAR cannot be reached: https:\S+ failed: no such host\. .*--from-dir.*execcomp help data install/,
  );
});

test("a manifest that cannot be read is told: its columns, or the value of a document", async () => {
  const { run } = place();
  const told = join(folder, "told");
  mkdirSync(told);
  writeFileSync(join(told, "proxy.htm"), madeProxy("Told Company", 2025, 600_000));
  const ingest = (manifest: string) => {
    writeFileSync(join(told, "manifest.csv"), manifest);
    return run("--from-dir", told, "--offline");
  };
  for (const head of ["file;cik;accession;form", "name,cik", "920003,proxy.htm"]) {
    const { code, err } = await ingest(`${head}\nproxy.htm;920003;0000920003-26-000009;DEF 14A\n`);
    expect([head, code, err]).toEqual([
      head,
      1,
      expect.stringContaining("has no column file. Begin it with"),
    ]);
  }
  const head = "file,cik,accession,form,filing_date,company_name";
  for (const [values, wrong] of [
    ["abc,0000920003-26-000009,DEF 14A,2026-04-01", 'cik "abc"'],
    ["920003,000092000326000009,DEF 14A,2026-04-01", 'accession "000092000326000009"'],
    ["920003,0000920003-26-000009,DEF 14A,4/1/2026", 'filing_date "4/1/2026"'],
    ["920003,0000920003-26-000009,DEF 14A,2026", 'filing_date "2026"'],
  ] as const) {
    const { code, out } = await ingest(`${head}\nproxy.htm,${values},Told\n`);
    expect([values, code, out]).toEqual([
      values,
      1,
      expect.stringContaining(`1 failed: manifest.csv has ${wrong}: expected `),
    ]);
  }
  // As Excel saves it.
  const line = "proxy.htm,920003,0000920003-26-000009,DEF 14A,2026-04-01,Told";
  expect((await ingest(`\uFEFF${head}\r\n${line}\r\n`)).out).toContain("1 read, 0 refused, 0 failed");
});

test("an ingest that loaded nothing because everything failed exits with 1; an empty folder with 0", async () => {
  const { run } = place();
  const lost = join(folder, "lost");
  mkdirSync(lost);
  const empty = await run("--from-dir", lost, "--offline");
  expect([empty.code, empty.err]).toEqual([
    0,
    expect.stringContaining("has no document: no .htm, .html or .txt file"),
  ]);
  // Nothing tells whose it is.
  writeFileSync(join(lost, "proxy.htm"), madeProxy("Nobody", 2025, 600_000));
  const { code, out } = await run("--from-dir", lost, "--offline");
  expect([code, out]).toEqual([1, expect.stringContaining("1 document (0.0 MB)")]);
  expect(out).toContain("0 read, 0 refused, 1 failed");
});

test("invalid and contradictory flags are refused with a hint", async () => {
  const { run } = place();
  for (const [words, code, told] of [
    [[], 2, "--ticker, --cik, --since"],
    [["--all", "--pending"], 2, "Use only one of"],
    [["--ticker", "F", "--years", "0"], 2, "from 1 to 100"],
    [["--since", "2026-02-30"], 2, "expected a date"],
    [["--year", "26"], 2, "a calendar year"],
    [["--year", "2026", "--since", "2026-01-01"], 2, "not both"],
    [["--ticker", "NOSUCHSYMBOL"], 1, 'No ticker "NOSUCHSYMBOL"'],
    [["--cik", "abc"], 2, "expected 1 to 10 digits"],
    [["--from-dir", join(folder, "nowhere")], 1, "There is no folder"],
    [["--ticker", "F", "--offline"], 1, "--offline is set"],
    [["--ticker", "F", "--contact", "nobody"], 2, "Ann Lee ann@example.com"],
  ] as const) {
    const { code: got, err } = await run(...words);
    expect([words, got, err.includes(told)]).toEqual([words, code, true]);
  }
  const { code, err } = await cli("ingest", "--ticker", "F", { environment: { EXECCOMP_DATA_DIR: folder } });
  expect([code, err.includes("EXECCOMP_CONTACT")]).toEqual([1, true]);
});

test("the progress line shows files, rows, problems, speed and time left", () => {
  const line = progressLine({
    done: 15,
    total: 60,
    documents: 20,
    rows: 240,
    problems: 3,
    bytes: 30e6,
    seconds: 10,
    read: 18,
    refused: 2,
    failed: 0,
    reasons: [],
  });
  expect(line).toBe("[######------------------] 15/60  20 files  240 rows  3 problems  3.0 MB/s  0:30 left");
});

test("a block by EDGAR is reported with its end if its list is required", async () => {
  replay.misbehave(/company_tickers_exchange/, "block-page");
  const { code, err } = await place().run("NOSUCH", "--years", "1");
  expect(code).toBe(1);
  expect(err).toMatch(/Cannot get .*company_tickers.* from EDGAR: it is blocking this address until 20\d\d-/);
});
