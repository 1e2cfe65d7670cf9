/** The output of `query`, `compare`, `show` and `find` without rows: the reason, and a way to find some. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { testFiling, testRecord } from "../support/record.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

const folder = tempFolder();
const ask = (...words: string[]) => cli(...words, { environment: { EXECCOMP_DATA_DIR: folder } });

test("missing years of a company are reported with the available ones", async () => {
  const { err } = await ask("compare", "AAPL", "MSFT", "--fiscal-year", "2019");
  expect(err).toContain("No rows for AAPL; available: fiscal 2020 to 2025.\n");
  expect(err).toContain("No rows for MSFT; available: fiscal 2023 to 2025.\n");
  const shown = await ask("show", "AAPL", "--fiscal-year", "2019");
  expect([shown.out, shown.err]).toEqual([
    "No rows.\n",
    "Available for Apple Inc: fiscal 2020 to 2025. What is known of its filings: execcomp coverage AAPL\n",
  ]);
  const byCik = await ask("query", "--cik", "320193", "--fiscal-year", "2019");
  expect(byCik.err).toContain("No rows for 320193; available: fiscal 2020 to 2025.\n");
});

test("statistics report their basis, unknown names, and why a company has no rank", async () => {
  const { out, err } = await ask("stats", "--index", "sp500", "--office", "peo");
  // The same median as everywhere, beside that of rows.
  const { median } = JSON.parse(
    (await ask("stats", "--index", "sp500", "--office", "peo", "--json")).out,
  ).ceo_pay;
  expect(err).toContain(`median ${median.toLocaleString("en-US")} (execcomp ceo-pay)`);
  expect(out).toContain("Median");
  expect(err).toMatch(/Of \d+ index members, \d+ have no rows\./);
  const words = ["stats", "--ticker", "AAPL,NOPE", "--fiscal-year", "2019", "--rank-ticker", "AAPL"];
  const none = await ask(...words);
  expect([none.out, none.err]).toEqual([
    "No rows.\n",
    expect.stringContaining(
      "Not found: NOPE. To search: execcomp find WORDS\nNo rows for AAPL; available: fiscal 2020 to 2025.\n",
    ),
  ]);
  // The groups go to the file, the rank to the terminal.
  const csv = await ask("stats", "--office", "peo", "--rank-ticker", "AAPL", "--format", "csv");
  expect(csv.err).toMatch(/^tim-cook 2025: 74,294,811, rank \d+, above \d+% of the others$/m);
  expect(csv.out).not.toContain("tim-cook");
});

test("a later page does not say that the companies of an earlier one have no rows", async () => {
  const words = ["query", "--ticker", "AAPL,MSFT", "--max-rows", "1"];
  const first = (await ask(...words, "--json")).json() as { next_cursor: string };
  expect((await ask(...words, "--cursor", first.next_cursor)).err).not.toContain("No rows for");
});

test("a name that filings print differently, and a search of only the latest year, suggest a wider query", async () => {
  const { out, err } = await ask("query", "--executive", "jamie dimon");
  expect(out).toBe("No rows.\n");
  expect(err).toContain("Try --executive dimon\n");
  const earlier = await ask("query", "--executive-id", "jeff-williams");
  expect(earlier.err).toMatch(/--fiscal-year-gte 0 finds \d+ rows\.\n$/);
  const every = await ask("query", "--executive", "zzqq", "--fiscal-year-gte", "0");
  expect(every.err).toBe(
    "0 rows from 0 companies matched; 0 of 0 company-years are partial.\nNot found: zzqq. To search: execcomp find WORDS\n" +
      'Nobody in the rows is called "zzqq": look for another spelling, or ask for the company\'s rows.\n',
  );
  // A nickname: the filing prints James.
  const found = await ask("find", "jamie", "dimon");
  expect(found.code).toBe(0);
  expect(found.err).toContain(
    "execcomp query --ticker JPM --executive-id james-dimon --fiscal-year-gte 0 --sort -fiscal_year\n",
  );
});

test("every unknown company gets its own suggestion", async () => {
  const { code, err } = await ask("compare", "appel", "microsft");
  expect(code).toBe(1);
  expect(err).toContain("Did you mean Apple Inc. (AAPL), Microsoft Corporation (MSFT)?");
});

test("rows in another currency are not missing, and amounts name their currency", async () => {
  const abroad = tempFolder();
  const record = testRecord({ filings: [testFiling({ currency: "CAD" })] });
  const file = writeTestSnapshot(abroad, "cad.sqlite", [record]);
  const there = (...words: string[]) =>
    cli(...words, { environment: { EXECCOMP_DATA_DIR: join(abroad, "data") } });
  expect((await there("data", "install", file, "--trust")).code).toBe(0);
  for (const command of [
    ["compare", "ACME"],
    ["query", "--ticker", "ACME"],
  ]) {
    expect((await there(...command)).err).toContain(
      "No rows for ACME: it reports in CAD (--reporting-currency).\n",
    );
    const { out, err } = await there(...command, "--reporting-currency", "cad");
    expect(out).toContain("ACME");
    expect(err).toContain("Amounts in CAD.\n");
  }
  expect((await there("ceo-pay", "--ticker", "ACME")).err).toContain(
    "ACME: none of its totals matches: they are in CAD (--reporting-currency).\n",
  );
  const told = await there("ceo-pay", "--ticker", "ACME", "--reporting-currency", "cad");
  expect(told.err).toContain("Amounts in CAD.\n");
});

test("a company that is not found has a suggestion, whatever was asked", async () => {
  for (const words of [
    ["compare", "AAPL", "Starbuks"],
    ["query", "--ticker", "AAPL,Starbuks"],
    ["stats", "--ticker", "AAPL,Starbuks"],
  ])
    expect((await ask(...words)).err).toMatch(/Not found: STARBUKS\. Did you mean Starbucks\b.*\(SBUX\)\?/);
});

test.each([
  ["query --fiscal-year 1999", /Rows are of fiscal \d+ to \d+: ask for one of these years\.\n$/],
  [
    "query --fiscal-year-gte 2024 --fiscal-year-lte 2023",
    /at least 2024 and at most 2023: exchange these bounds/,
  ],
  ["query --cash-share-gte 90", /cash_share is a share from 0 to 1: ask for 0\.9, not 90\.\n$/],
  ["query --executive-id nobody --office ceo", /leave out --office or --executive-id\.\n$/],
  ["query --reporting-currency EUR --sector energy", /leave out --sector or --reporting-currency\.\n$/],
  ["show AAPL --csv", /Did you mean --format\?/],
  ["compare AAPL --fiscal-year-gte 2030", /^AAPL: 2020 to 2025 known, 2030 not in this dataset\.$/m],
  ["compare AAPL --fiscal-year-lte 1999", /^AAPL: 2020 to 2025 known, 1999 not in this dataset\.$/m],
  ["query --ticker TSM", /No rows for TSM: .* execcomp ingest TSM\.\nNo rows of these companies/],
  [
    "stats --ticker MSFT --rank-ticker AAPL",
    /^No row of AAPL is in this selection, so it has no rank\.\nAvailable for AAPL, in all: fiscal 2020 to 2025\.\n/m,
  ],
  ["stats --ticker TSM", /No rows of these companies .*: ask for other companies\.\n$/],
  ["ceo-pay --fiscal-year 1999", /No total matches all filters: /],
  ["show TSM", /No rows are available for .* To fetch its filings: execcomp ingest TSM\n$/],
  ["show AAPL,MSFT", /For several companies: execcomp compare AAPL,MSFT\n$/],
  ["show apple, microsoft", /For several companies: execcomp compare\./],
  ["show AAPL tim-cook", /For one executive: execcomp query --ticker AAPL --executive-id tim-cook /],
  ["show 9999999999", /^No company with CIK 9999999999\. To search: execcomp find WORDS\n$/],
  ["show AAPL --as-of 1990-01-01", /No filing .* was filed by 1990-01-01\. .* execcomp coverage AAPL\n/],
  [
    "compare AAPL 2024 MSFT",
    /^No company 2024\. For a year: execcomp compare AAPL MSFT --fiscal-year 2024\n/,
  ],
  ["show AAPL 2024", /For a year: execcomp show AAPL --fiscal-year 2024\. See:/],
  ["show AAPL FY2024", /For a year: execcomp show AAPL --fiscal-year 2024\. See:/],
  ["show AAPL --fiscal-year FY2024", /Did you mean 2024\?/],
  ["query --fiscal-year latest", /For the newest, leave it out\./],
  ["explain AAPL 2025 tim-cook total", /Did you mean "total_compensation"\?/],
  ["explain AAPL 2025 tim cook", /A name of several words: 'tim cook'\./],
  ["ceo-pay --ticker AAPL,NOPE", /Not found: NOPE\. To search: execcomp find WORDS\n/],
  ["get /readyz --url localhost:8402", /expected an origin such as http:/],
  ["query --ticker @list.txt", /one on each line: --ticker "\$\(paste -sd, list\.txt\)"\n$/],
  ["compare @list.txt", /execcomp compare "\$\(paste -sd, list\.txt\)"\n$/],
  ["ceo-pay --ticker list.csv", /--ticker "\$\(paste -sd, list\.csv\)"\n$/],
  ["show AAPL --format CSV --out q.csv", /Cannot read --format "CSV": .* Did you mean "csv"\?\n$/],
  ["query AAPL MSFT", /For companies: --ticker AAPL,MSFT\./],
  ["query --ticker AAPL MSFT", /For --ticker with several words: --ticker AAPL,MSFT\./],
  [
    "stats --ticker amazon.com, inc.",
    /"inc\."\. For --ticker with several words: --ticker 'amazon\.com, inc\.'\./,
  ],
  ["stats --rank-ticker nike, inc.", /For --rank-ticker with several words: --rank-ticker 'nike, inc\.'\./],
  ["query --executive tim cook --json", /For --executive with several words: --executive 'tim cook'\./],
  ["query --limit 5", /Did you mean --max-rows\?/],
  ["query --name cook", /Did you mean --executive\?/],
  ["query --fiscal-year 2024,2023", /--fiscal-year-gte 2023 and --fiscal-year-lte 2024\./],
  ["find zzqq,qqzz", /One name at a time\. For several companies: execcomp compare zzqq,qqzz\n$/],
  ["ceo-pay --group-by sector --sort fiscal_year", /--sort is for rows: leave it out, or --group-by\./],
  ["ceo-pay --same-companies", /--same-companies compares fiscal years\. Add --group-by fiscal_year\./],
  ["stats --same-companies", /--same-companies: it compares fiscal years\. Add --group-by fiscal_year\./],
  ["ceo-pay --office pfo", /For officers of one office: execcomp query --office CFO\./],
  [
    "users delete --user nobody@example.com",
    /No user and no open invitation has the address .* users list --data-dir \S+\n$/,
  ],
  ["explain AAPL total_compensation", /ID is missing: .* In order: TICKER YEAR ID\./],
  ["sql pay.sql", /execcomp sql - < pay\.sql\n$/],
])("%s ends with what to do next", async (line, expected) => {
  const { err } = await ask(...line.split(" "));
  expect(err).toMatch(expected);
  expect(err).not.toContain("Only each company's latest fiscal year was searched");
});

test("an answer without rows has the header of one with rows as CSV, and no line as JSON Lines", async () => {
  for (const line of ["ceo-pay --ticker AAPL", "query --ticker AAPL"]) {
    const words = line.split(" ");
    const none = await ask(...words, "--fiscal-year", "1990", "--format", "csv");
    const some = await ask(...words, "--format", "csv");
    expect([line, none.out]).toEqual([line, `${some.out.split("\n")[0]}\n`]);
    expect((await ask(...words, "--fiscal-year", "1990", "--format", "jsonl")).out).toBe("");
  }
});

test("a name with a comma is one company, as on pages and over REST", async () => {
  const { err, json } = await ask("compare", "Amazon.com, Inc.,JPMorgan", "AAPL", "--json");
  const { executive_compensation: rows } = json() as { executive_compensation: { ticker: string }[] };
  expect(rows.map(({ ticker }) => ticker)).toEqual(["AMZN", "JPM", "AAPL"]);
  expect(err).toBe("");
});
