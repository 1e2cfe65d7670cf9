/** Invariants of the facts in `data/`, row by row. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { ceoTotalsOf, companyFiles, readCompany } from "../../scripts/compile-data.ts";
import { unproved } from "../../scripts/proof.ts";
import { ExecutiveCompensation } from "../support/row-types.ts";
import { COMPONENTS, type ExecutiveCompensation as Row, readRows } from "../../src/domain/row-fields.ts";
import { displayName, executiveId } from "../../src/domain/executive.ts";
import { assemble } from "../../src/dataset/assemble.ts";
import { companyPath, writeCompanyFile } from "../../scripts/company-file.ts";
import { rowCells } from "../../src/dataset/company-facts.ts";
import { currentId } from "../../src/dataset/people.ts";
import { gapsOf, readCoverage } from "../../src/dataset/coverage.ts";
import { flagSource, readHistory } from "../../src/dataset/detail.ts";
import { findViolations } from "../../src/dataset/invariants.ts";
import { recordedCiks } from "../../src/dataset/read-records.ts";
import { rowRemarks } from "../../src/dataset/remarks.ts";
import { tableLines } from "../../src/dataset/reference-file.ts";
import { rederive } from "../../src/dataset/verify.ts";
import { tempFolder } from "../support/folder.ts";
import { copyCompiledData, datasetIn } from "../support/snapshot.ts";

const ROOT = join(import.meta.dir, "../..");
const DATA = join(ROOT, "data");
const paths = companyFiles(DATA);
const records = paths.map((path) => readCompany(DATA, path));
const dataset = datasetIn(copyCompiledData(join(tempFolder(), "all.sqlite")));
const cikOf = (symbol: string) => dataset.findBySymbol(symbol)?.cik ?? "";
const rowsOf = (symbol: string, cik = cikOf(symbol)) =>
  dataset.years(cik).flatMap(({ rowJson }) => readRows(symbol, rowJson));
const codesOf = (row: Row) => rowRemarks(dataset, [row.cik])(row).map(({ code }) => code);

test("every company file has the writer's format, is in its place, and is small", () => {
  records.forEach((record, index) => {
    const path = paths[index] ?? "";
    expect(relative(DATA, path).replaceAll("\\", "/")).toBe(companyPath(record.cik));
    expect([path, writeCompanyFile(record) === readFileSync(path, "utf8")]).toEqual([path, true]);
    expect(statSync(path).size).toBeLessThan(1_000_000);
  });
});

test("no row violates an invariant of the contract", () => {
  expect(records.flatMap((record) => findViolations(record, assemble(record)))).toEqual([]);
});

test("a company is written as the SEC's list writes it, where that is not in capitals", () => {
  const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\d]/gu, "");
  const isAbbreviated = (name: string) => !/[.,]/.test(name) && / (Inc|Corp|Co|Ltd|plc|NV)$/i.test(name);
  const listed = dataset.all<{ name: string; listedName: string }>(
    "select name, listed_name as listedName from companies where row_count > 0 and listed_name is not null",
  );
  const wrong = listed.filter(({ name, listedName }) => {
    // `BALL Corp`, `TransDigm Group INC`: in capitals, if the other spelling has that word without.
    const own = new Set(name.split(" "));
    const isInCapitals = listedName.split(" ").some((word) => /^[A-Z-]{2,}\b/.test(word) && !own.has(word));
    return !isInCapitals && lettersOf(name) === lettersOf(listedName) && isAbbreviated(name);
  });
  expect(wrong.filter(({ name, listedName }) => name !== listedName)).toEqual([]);
  const nameOf = (symbol: string) => dataset.findBySymbol(symbol)?.name;
  expect(["CRWD", "WBD", "EQR", "AOS", "SJM", "DHI", "TROW"].map(nameOf)).toEqual([
    "CrowdStrike Holdings, Inc.",
    "Warner Bros. Discovery, Inc.",
    "Equity Residential",
    "A. O. Smith Corp",
    "J.M. Smucker Co",
    "D. R. Horton Inc",
    "T. Rowe Price Group Inc",
  ]);
});

test("every spelling has its pinned id, and every pin a spelling", () => {
  for (const record of records) {
    const { newPins, pins } = assemble(record);
    expect([record.cik, newPins]).toEqual([record.cik, []]);
    const printed = new Set(record.observations.map(({ name }) => displayName(name)));
    // A spelling that was corrected stays: its id finds the person in old links.
    const corrected = pins.filter(({ spelling }) => !printed.has(spelling));
    const named = new Set(pins.filter((pin) => !corrected.includes(pin)).map(({ executiveId: id }) => id));
    expect([record.cik, corrected.filter(({ executiveId: id }) => !named.has(id))]).toEqual([record.cik, []]);
  }
});

test("names and roles have no letter in place of one that looks alike, no loose comma, no mark at their end", () => {
  const wrong = [
    // An l or a digit for a capital I, a capital I for an l, letters of another alphabet.
    /\bMc\p{Ll}/u,
    /(?<!\bMa?)\p{Ll}I\p{Ll}/u,
    /\p{L}[01]|[01]\p{L}/u,
    /[\p{Script=Cyrillic}\p{Script=Greek}]/u,
    / [,;]/,
    /[;,:]$/,
    / {2}|^ | $/,
  ];
  const found = records.flatMap(({ observations }) =>
    observations.flatMap(({ name, role }) =>
      [name, role ?? ""].filter((text) => wrong.some((pattern) => pattern.test(text))),
    ),
  );
  expect([...new Set(found)]).toEqual([]);
});

test("no name ends in a word of a title", () => {
  const title =
    / (?:[ES]?VP|Corporate|Executive|Senior|Chief|Vice|President|Chairman|Director|Officer|Former)$/;
  const names = records.flatMap(({ observations }) => observations.map(({ name }) => name));
  expect(names.length).toBeGreaterThan(4000);
  expect(names.filter((name) => title.test(name))).toEqual([]);
});

test("Visa's McInerney: his old id finds him", () => {
  expect(currentId(dataset, "ryan-mclnerney", cikOf("V"))).toBe("ryan-mcinerney");
  expect(currentId(dataset, "ryan-mclnerney", null)).toBe("ryan-mcinerney");
  expect(currentId(dataset, "tim-cook", null)).toBe("tim-cook");
  expect(rowsOf("V").filter(({ executive_name: name }) => name === "Ryan McInerney")).toHaveLength(3);
});

test("a collected year that does not prove is refused with its name", () => {
  const totals = Map.groupBy(ceoTotalsOf(DATA), ({ cik }) => cik);
  const proved = records.filter(({ filings }) => filings.some(({ read }) => read === "collected"));
  expect(proved.length).toBe(283);
  for (const record of proved) {
    const of = totals.get(record.cik) ?? [];
    expect(unproved(record, of)).toEqual([]);
    // One dollar more for somebody, and somebody who is left out.
    const [first, ...others] = record.observations.filter(({ checks }) => checks.includes("ecd_average"));
    if (first === undefined) continue;
    const amounts = { ...first.amounts, other_comp: first.amounts.other_comp + 200 };
    expect(unproved({ ...record, observations: [{ ...first, amounts }, ...others] }, of)[0]).toContain(
      record.name,
    );
    const last = others.findLast(
      ({ fiscalYear, peo }) => fiscalYear === first.fiscalYear && peo.held === false,
    );
    const fewer = record.observations.filter((row) => row !== last);
    if (last !== undefined)
      expect(unproved({ ...record, observations: fewer }, of)[0]).toContain(record.name);
  }
});

test("collected rows say so, are no CFO's, and complete the years whose average is confirmed", () => {
  let [whole, alone] = [0, 0];
  for (const cik of recordedCiks(dataset)) {
    const { evidence } = rowCells(dataset, [cik]);
    for (const year of dataset.years(cik)) {
      const rows = readRows("", year.rowJson).filter((row) => evidence(row) === "collected");
      expect([cik, year.collected === true]).toEqual([cik, rows.length > 0]);
      for (const row of rows) {
        expect([row.executive_role, row.is_pfo, codesOf(row)]).toEqual([
          null,
          false,
          expect.arrayContaining(["components_unchecked", "pfo_unclear"]),
        ]);
        expect(Math.abs(row.unknown_component)).toBeLessThanOrEqual(1);
      }
      if (rows.length === 0) continue;
      if (year.complete) whole++;
      else alone++;
      expect([cik, rows.some(({ is_peo: isPeo }) => isPeo)]).toEqual([cik, true]);
      if (!year.complete) expect([cik, rows.every(({ is_peo: isPeo }) => isPeo)]).toEqual([cik, true]);
    }
  }
  expect([whole, alone]).toEqual([371, 265]);
  const members = dataset.all<{ rows: number; whole: number }>(
    `select row_count > 0 as rows, exists (select 1 from years y where y.cik = c.cik and complete = 1) as whole
      from companies c where cik in (select cik from index_members where removed is null)`,
  );
  expect(members.filter(({ rows }) => rows === 1).length).toBeGreaterThanOrEqual(393);
  expect(members.filter((one) => one.whole === 1).length).toBeGreaterThanOrEqual(374);
});

test("ids that need no suffix are derived from the name", () => {
  const odd = records.flatMap(({ cik, pins }) =>
    pins
      .filter(({ executiveId: id }) => pins.filter((pin) => pin.executiveId === id).length === 1)
      .filter(({ executiveId: id, spelling }) => id !== executiveId(spelling))
      .map(({ executiveId: id, spelling }) => `${cik} ${spelling}: ${id}`),
  );
  expect(odd).toEqual([]);
});

test("every served row has the form required by the contract and adds up", () => {
  let rows = 0;
  for (const cik of recordedCiks(dataset)) {
    for (const row of rowsOf(dataset.findByCik(cik)?.ticker ?? "", cik)) {
      expect(ExecutiveCompensation(row)).toEqual(row);
      const sum = COMPONENTS.reduce((total, field) => total + Math.round(row[field] * 100), 0);
      expect(sum).toBe(Math.round(row.total_compensation * 100));
      rows += 1;
    }
  }
  expect(rows).toBeGreaterThanOrEqual(2295);
});

test("every served row follows from the observations in the snapshot", () => {
  expect(rederive(dataset)).toEqual([]);
}, 300_000);

test("Apple: fiscal 2025 is Tim Cook's 74,294,811 from accession 0001308179-26-000008", () => {
  const [first] = rowsOf("AAPL");
  expect([
    first?.executive_id,
    first?.fiscal_year,
    first?.total_compensation,
    first?.source.accession,
  ]).toEqual(["tim-cook", 2025, 74_294_811, "0001308179-26-000008"]);
  expect(first?.source.filing_url).toContain("/000130817926000008/");
});

test("Apple: rows of 2022 are served from the proxy of 2025, and 2021 and 2020 are not complete", () => {
  const of2022 = rowsOf("AAPL").filter((row) => row.fiscal_year === 2022);
  expect(of2022).toHaveLength(5);
  for (const row of of2022) {
    expect([row.reported_year, row.source.accession]).toEqual([2024, "0001308179-25-000008"]);
  }
  expect(dataset.years(cikOf("AAPL")).map(({ fiscalYear, complete }) => [fiscalYear, complete])).toEqual([
    [2025, true],
    [2024, true],
    [2023, true],
    [2022, true],
    [2021, false],
    [2020, false],
  ]);
});

test("Apple: three officers with equal amounts in 2024 are three people", () => {
  const equal = rowsOf("AAPL").filter(
    (row) => row.fiscal_year === 2024 && row.total_compensation === 27_179_257,
  );
  expect(equal.map((row) => row.executive_id)).toEqual(["luca-maestri", "deirdre-obrien", "kate-adams"]);
});

test.each([
  ["COST", "richard-galanti", [6_763_514, 6_816_399]],
  ["COST", "pierre-riel", [5_054_057, 5_048_865]],
  ["META", "javier-olivan", [25_558_488, 25_658_764]],
  ["JPM", "james-dimon", [35_093_780, 35_960_259]],
])("%s: %s was restated for 2023; the newest is served, the older one kept", (symbol, id, totals) => {
  const history = readHistory(dataset, cikOf(symbol), 2023, id);
  expect(history.map(({ amounts }) => amounts.total_compensation)).toEqual(totals);
  expect(history.map(({ served }) => served)).toEqual([false, true]);
  expect(history[1]?.problems.map(({ code }) => code)).toContain("restated");
  const row = rowsOf(symbol).find((one) => one.fiscal_year === 2023 && one.executive_id === id);
  expect(row?.total_compensation).toBe(totals[1]);
});

test("Tesla: Elon Musk's dashes are true zeros of the principal executive officer", () => {
  const musk = rowsOf("TSLA").filter((row) => row.executive_id === "elon-musk");
  expect(musk.map((row) => [row.fiscal_year, row.total_compensation, row.is_peo])).toEqual([
    [2024, 0, true],
    [2023, 0, true],
    [2022, 0, true],
  ]);
});

test("Charter: a negative change in pension value is served as printed", () => {
  const rutledge = rowsOf("CHTR").find(
    (row) => row.executive_id === "thomas-rutledge" && row.fiscal_year === 2022,
  );
  expect([rutledge?.pension_change, rutledge?.total_compensation, rutledge?.unknown_component]).toEqual([
    -249_614, 39_213_350, 0,
  ]);
});

test("fiscal 2023 of a company whose proxy of that year is loaded is complete, with all who held the offices", () => {
  const years = (symbol: string) =>
    dataset.years(cikOf(symbol)).flatMap(({ fiscalYear, complete }) => (complete ? [fiscalYear] : []));
  expect(years("ABT")).toEqual([2025, 2023]);
  expect(years("DG")).toEqual([2025, 2023]);
  const holders = (symbol: string, flag: "is_peo" | "is_pfo") =>
    rowsOf(symbol)
      .filter((row) => row.fiscal_year === 2023 && row[flag])
      .map(({ executive_id: id }) => id)
      .sort();
  expect(holders("DG", "is_peo")).toEqual(["jeffery-owen", "todd-vasos"]);
  expect(holders("AIG", "is_pfo")).toEqual(["mark-lyons", "sabra-purtill", "shane-fitzsimons"]);
  expect(holders("ABT", "is_pfo")).toEqual(["philip-boudreau", "robert-funck"]);
});

test("Comcast: a biography in a later proxy dates an office in a year whose filing does not mention it", () => {
  const row = rowsOf("CMCSA").find(
    (one) => one.executive_id === "michael-cavanagh" && one.fiscal_year === 2023,
  );
  expect([row?.is_peo, row?.is_pfo]).toEqual([false, true]);
});

test("Paramount Skydance: a first year of less than twelve months is marked", () => {
  const rows = rowsOf("PSKY");
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(codesOf(row)).toContain("partial_period");
});

test("a filer's own error is in unknown_component, with its reason", () => {
  const slips = recordedCiks(dataset)
    .flatMap((cik) => rowsOf("", cik))
    .filter((row) => row.unknown_component !== 0);
  expect(slips.length).toBeGreaterThan(50);
  for (const row of slips) {
    expect([row.company_name, row.executive_id, row.fiscal_year, codesOf(row).length > 0]).toEqual([
      row.company_name,
      row.executive_id,
      row.fiscal_year,
      true,
    ]);
  }
  const sara = rowsOf("SBUX").find((row) => row.executive_id === "sara-kelly" && row.fiscal_year === 2024);
  expect([sara?.total_compensation, sara?.unknown_component]).toEqual([3_562_568, -141_986]);
});

test("Expedia: an undecided flag is served as false and marked undecided", () => {
  const [diller] = rowsOf("EXPE").filter(
    (row) => row.executive_id === "barry-diller" && row.fiscal_year === 2019,
  );
  const flag = flagSource(dataset, cikOf("EXPE"), 2019, "barry-diller", "peo");
  expect([diller?.is_peo, flag?.decision.basis]).toEqual([false, "undecided"]);
  expect(diller && codesOf(diller)).toContain("undecided_flag");
});

test("former symbols find their company, and the SEC's list decides the primary one", () => {
  const owner = dataset.findBySymbol("BK");
  expect(owner?.ticker).toBe("BNY");
  expect(dataset.symbols(owner?.cik ?? "")).toEqual(["BNY", "BNY-PK", "BK"]);
  expect(dataset.findBySymbol("GOOG")).toMatchObject({ ticker: "GOOGL" });
  for (const symbol of ["HES", "K", "FI", "MMC", "PARA"]) expect(dataset.findBySymbol(symbol)).toBeDefined();
  expect(dataset.findBySymbol("PARA")?.ticker).toBe("PARA");
  expect(dataset.tickers()).toEqual(dataset.tickers().toSorted());
  expect(dataset.tickers()).not.toContain("");
});

test("a registrant without a symbol is loaded and not listed; a newer known filing that is not loaded is named", () => {
  const shell = dataset.findByCik("0001418302");
  expect([shell?.ticker, shell?.hasRows]).toEqual(["", true]);
  expect(dataset.findBySymbol("EXPE")?.newestKnown).toMatchObject({
    accession: "0001324424-26-000022",
    isLoaded: false,
  });
});

const facts = join(ROOT, "../shared/facts/rows.csv");
test.skipIf(!existsSync(facts))("every transcribed amount in the fact sheets is in data", () => {
  const printed = readFileSync(facts, "utf8")
    .split("\n")
    .slice(1)
    .filter((line) => line !== "");
  const held = new Map<string, (typeof records)[number]["observations"][number]>(
    records.flatMap(({ observations }) =>
      observations.map((row) => [`${row.accession} ${row.position}`, row] as const),
    ),
  );
  let compared = 0;
  for (const line of printed) {
    const [accession = "", position = ""] = line.split(",");
    const row = held.get(`${accession} ${position}`);
    const amounts =
      /,(\d{4}),(-?\d+),(-?\d+),(-?\d+),(-?\d+),(-?\d+),(-?\d+),(-?\d+),(-?\d+),(true|false|),(true|false),(true|false),/.exec(
        line,
      );
    if (row === undefined || amounts === null) throw new Error(`not in data: ${line}`);
    const {
      salary,
      bonus,
      stock_awards,
      option_awards,
      non_equity_incentive,
      pension_change,
      other_comp,
      total_compensation,
    } = row.amounts;
    const ours = [
      salary,
      bonus,
      stock_awards,
      option_awards,
      non_equity_incentive,
      pension_change,
      other_comp,
      total_compensation,
    ];
    expect([accession, position, row.fiscalYear, ...ours.map((cents) => cents / 100)]).toEqual([
      accession,
      position,
      ...amounts.slice(1, 10).map(Number),
    ]);
    expect(row.placeholder).toBe(amounts[12] === "true");
    compared += 1;
  }
  expect(compared).toBe(2621);
});
if (!existsSync(facts)) console.warn("skipped: ../shared/facts is not beside this checkout");

test("the figures of data/README.md are those of its files", () => {
  const readme = readFileSync(join(DATA, "README.md"), "utf8").replaceAll(/\s+/g, " ");
  const linesOf = (name: string) =>
    tableLines(readFileSync(join(DATA, `reference/${name}.tsv`), "utf8"), name);
  const n = (count: number) => count.toLocaleString("en-US");
  const count = (name: string) => n(linesOf(name).length);
  const companies = (name: string) => n(new Set(linesOf(name).map(([cik]) => cik)).size);
  const filings = records.flatMap((record) => record.filings);
  const known = new Set(filings.map(({ accession }) => accession));
  const having = (status: string) => filings.filter((filing) => filing.status === status);
  const collected = filings.filter(({ read }) => read === "collected");
  const loaded = new Set(collected.map(({ accession }) => accession));
  const rows = records.flatMap(({ observations }) => observations);
  const others = rows.filter(
    ({ accession, amounts }) => !loaded.has(accession) && amounts.unknown_component !== 0,
  );
  const years = ceoTotalsOf(DATA).map(({ fiscalYear }) => fiscalYear);
  for (const words of [
    `${having("parsed").length - collected.length} filings were entered manually`,
    `${having("pending").length} more are known and not loaded yet, and another ${n(linesOf("newest-proxies").filter(([, accession = ""]) => !known.has(accession)).length)} in`,
    `${others.length} rows whose filing prints a total other`,
    `${collected.length} filings (\`"read":"collected"\`, ${n(rows.filter(({ accession }) => loaded.has(accession)).length)} rows)`,
    `${count("former-names")} former names`,
    `${count("sp500")} memberships`,
    `${count("former-symbols")} symbols that`,
    `${count("known-proxies")} proxy statements (DEF 14A) of ${companies("known-proxies")} registrants`,
    `newest proxy statement of ${companies("newest-proxies")} companies`,
    `${count("ceo-totals")} totals of chief executives of ${companies("ceo-totals")} companies, fiscal ${Math.min(...years)} to ${Math.max(...years)}`,
    `${count("ceo-pay")} totals of principal executive officers of ${companies("ceo-pay")} companies`,
  ])
    expect(readme).toContain(words);
});

test("two filings with unknown address have null for it, and coverage counts them", () => {
  const unaddressed = dataset.all<{ accession: string }>(
    "SELECT accession FROM filings WHERE status = 'parsed' AND url IS NULL ORDER BY accession",
  );
  expect(unaddressed.map(({ accession }) => accession)).toEqual([
    "0001324424-20-000029",
    "0001575872-16-000308",
  ]);
  const counted = readCoverage(dataset).filter(({ withoutUrl }) => withoutUrl > 0);
  expect(counted.map(({ cik, withoutUrl }) => [cik, withoutUrl])).toEqual([
    ["0001324424", 1],
    ["0001418302", 1],
  ]);
  for (const line of counted) expect(gapsOf(line)).toContain("1 filing without an address");
  const rows = rowsOf("EXPE");
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ source }) => source.filing_url === null)).toBe(true);
});
