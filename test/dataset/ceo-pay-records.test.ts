/** The union of rows and tagged totals: which tag belongs to which year, whose word counts, what is doubtful. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ceoTotalsOf } from "../../scripts/compile-data.ts";
import { readCsv } from "../../scripts/import-reference.ts";
import { formatAmount } from "../../src/domain/amount.ts";
import { ceoPayOf, isSurname, readCeoPay } from "../../src/dataset/ceo-pay-records.ts";
import { isFarBelow, isSameTotal, type PeoTag } from "../../src/dataset/peo-tags.ts";
import { tempFolder } from "../support/folder.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { copyCompiledData, datasetIn } from "../support/snapshot.ts";

const dataset = datasetIn(copyCompiledData(join(tempFolder(), "all.sqlite")));
const records = readCeoPay(dataset);
const of = (ticker: string) => records.filter((record) => record.ticker === ticker);

type Years = Parameters<typeof ceoPayOf>[1];
const company = { fiscalYearEnd: "12-31", edition: "2026-11-22", filed: new Map<string, string>() };
const tag = (more: Partial<PeoTag> & { units: number }): PeoTag => ({
  cik: "0000000001",
  frame: "",
  periodEnd: null,
  fiscalYear: null,
  name: null,
  cents: more.units * 100,
  farBelowOthers: false,
  sameAs: null,
  provider: "scorecard",
  accession: null,
  ...more,
});
const year = (fiscalYear: number, lastDay: string, units: number, isExact = true): Years[number] => ({
  fiscalYear,
  lastDay,
  isExact,
  peos: [
    {
      name: "Ann Lee",
      executiveId: "ann-lee",
      cents: units * 100,
      currency: "USD",
      accession: "0000000001-26-000001",
    },
  ],
});
const shown = (years: Years, tags: readonly PeoTag[], more: Partial<typeof company> = {}) =>
  ceoPayOf({ ...company, ...more, tags }, years).map((record) => [
    record.fiscalYear,
    record.labelInferred,
    record.periodEnd,
    record.cents / 100,
    record.basis,
    record.confirmedByTag,
    record.doubts.map(({ code }) => code).join(),
  ]);

describe("a row and a tag of one year", () => {
  test("that are equal are one record, confirmed", () => {
    expect(
      shown([year(2025, "2025-12-31", 5_000_000)], [tag({ frame: "ended 2025", units: 5_000_000 })]),
    ).toEqual([[2025, false, "2025-12-31", 5_000_000, "row", true, ""]]);
  });

  test("that differ are the row with a doubt that has both values; the tag never changes it", () => {
    const [record] = ceoPayOf({ ...company, tags: [tag({ frame: "CY2024", units: 4_630_170 })] }, [
      year(2024, "2024-12-31", 4_360_170),
    ]);
    expect(record).toMatchObject({ cents: 436_017_000, basis: "row", confirmedByTag: false });
    expect(record?.doubts).toEqual([
      {
        code: "sources_differ",
        message:
          "the table prints 4,360,170; the filer's tag (NM AI Research, ceo-pay-scorecard (CC BY 4.0)) says 4,630,170",
      },
    ]);
  });

  test("are joined by the end of the period, never by the label", () => {
    // A retailer's fiscal 2025 ends in 2026.
    const years = [year(2024, "2025-02-01", 3_000_000), year(2025, "2026-01-31", 4_000_000)];
    expect(
      shown(years, [
        tag({ frame: "ended 2026", units: 4_000_000 }),
        tag({ frame: "CY2024", units: 3_000_000 }),
      ]),
    ).toEqual([
      [2024, false, "2025-02-01", 3_000_000, "row", true, ""],
      [2025, false, "2026-01-31", 4_000_000, "row", true, ""],
    ]);
  });

  test("a year known only to the week may end beyond the frame's edge, if the totals are equal", () => {
    const years = [year(2024, "2025-01-03", 3_000_000, false), year(2025, "2026-01-03", 4_000_000)];
    expect(shown(years, [tag({ frame: "ended 2024", units: 3_000_000 })])[0]).toEqual([
      2024,
      false,
      null,
      3_000_000,
      "row",
      true,
      "",
    ]);
  });

  test("of several officers the tag names one: no other is doubted", () => {
    const two = year(2025, "2025-12-31", 5_000_000);
    two.peos.push({
      ...(two.peos[0] as Years[number]["peos"][number]),
      executiveId: "bo-may",
      name: "Bo May",
      cents: 300_000_000,
    });
    expect(shown([two], [tag({ frame: "ended 2025", units: 3_000_000 })])).toEqual(
      [
        [2025, false, "2025-12-31", 5_000_000, "row", false, ""],
        [2025, false, "2025-12-31", 3_000_000, "row", true, ""],
      ]
        .toReversed()
        .toSorted((a, b) => Number(b[3]) - Number(a[3])),
    );
    expect(
      shown([two], [tag({ frame: "ended 2025", units: 7_000_000 })]).map(([, , , , , , doubt]) => doubt),
    ).toEqual(["sources_differ", "sources_differ"]);
  });
});

describe("a year that only tags know", () => {
  test("has the company's own habit as its label, else the calendar year of its end, marked", () => {
    const retailer = [year(2023, "2024-02-03", 3_000_000)];
    expect(shown(retailer, [tag({ frame: "ended 2026", units: 4_000_000 })]).at(-1)).toEqual([
      2025,
      false,
      null,
      4_000_000,
      "tag",
      false,
      "",
    ]);
    expect(shown([], [tag({ frame: "ended 2026", units: 4_000_000 })], { fiscalYearEnd: "01-31" })).toEqual([
      [2026, true, null, 4_000_000, "tag", false, ""],
    ]);
    expect(shown([], [tag({ frame: "CY2024", units: 4_000_000 })], { fiscalYearEnd: "06-30" })[0]?.[0]).toBe(
      2025,
    );
    expect(shown([], [tag({ frame: "CY2024", units: 4_000_000 })], { fiscalYearEnd: "09-30" })[0]?.[0]).toBe(
      2024,
    );
  });

  test("has one record for a frame with an end and one without; two that differ are a doubt", () => {
    const frame = tag({
      periodEnd: "2024-12-31",
      units: 4_000_000,
      provider: "frames",
      accession: "0000000001-25-000001",
    });
    expect(shown([], [tag({ frame: "CY2024", units: 4_000_000 }), frame])).toEqual([
      [2024, true, "2024-12-31", 4_000_000, "tag", true, ""],
    ]);
    const [record, ...more] = ceoPayOf(
      { ...company, tags: [tag({ frame: "CY2024", units: 4_400_000 }), frame] },
      [],
    );
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      cents: 400_000_000,
      accession: "0000000001-25-000001",
      provider: null,
    });
    expect(record?.doubts[0]?.message).toContain("4,000,000");
    expect(record?.doubts[0]?.message).toContain("4,400,000");
  });

  test("of a document that names two officers has a record for each", () => {
    const document = {
      provider: "document",
      accession: "0000000001-25-000001",
      periodEnd: "2024-12-31",
    } as const;
    const tags = [
      tag({ ...document, name: "Ann Lee", units: 4_000_000 }),
      tag({ ...document, name: "Bo May", units: 2_000_000 }),
      tag({ frame: "CY2024", units: 2_000_000 }),
    ];
    const people = ceoPayOf({ ...company, tags }, []);
    expect(people.map(({ peoName, cents, doubts }) => [peoName, cents / 100, doubts.length])).toEqual([
      ["Ann Lee", 4_000_000, 0],
      ["Bo May", 2_000_000, 0],
    ]);
  });

  test("is named by the one officer of the rows who may be meant, else by the proxy, else by the tag", () => {
    const years = [year(2023, "2023-12-31", 3_000_000)];
    const name = (...tags: PeoTag[]) => ceoPayOf({ ...company, tags }, years).at(-1)?.peoName;
    const tagged = (of: string) => tag({ frame: "ended 2025", units: 1e6, name: of });
    const printed = (of: string | null) =>
      tag({ fiscalYear: 2025, units: 1e6, name: of, provider: "proxy", accession: "0000000001-26-000009" });
    expect(name(tagged("Ms. Lee"))).toBe("Ann Lee");
    expect(name(tagged("R. Scott Herren"))).toBe("R. Scott Herren");
    expect(name(tagged("Bo Lee"))).toBe("Bo Lee");
    expect(name(tagged("Scott Herren"), printed("R. S. Herren"))).toBe("R. S. Herren");
    // More than a surname tells more, whoever says it.
    expect(name(tagged("Scott Herren"), printed("Herren"))).toBe("Scott Herren");
    expect(name(printed("Herren"))).toBe("Herren");
    expect(name(printed(null))).toBeNull();
  });

  test("a surname is one word, also behind particles", () => {
    expect(["Squeri", "Van Saun", "Van de Put", "Le Peuch", "Vander Ark"].map(isSurname)).not.toContain(
      false,
    );
    expect(["Ann Lee", "Van B. Honeycutt", "J. Stankey"].map(isSurname)).not.toContain(true);
  });
});

describe("a total that a proxy prints under the filer's label", () => {
  const filed = new Map([
    ["0000000001-26-000001", "2026-03-01"],
    ["0000000001-27-000001", "2027-03-01"],
  ]);
  const proxy = (
    fiscalYear: number,
    name: string | null,
    units: number,
    accession = "0000000001-27-000001",
  ) => tag({ fiscalYear, name, units, accession, provider: "proxy" });
  const paid = (years: Years, ...tags: PeoTag[]) =>
    ceoPayOf({ ...company, filed, tags }, years).map((record) => [
      record.fiscalYear,
      record.periodEnd,
      record.peoName,
      record.cents / 100,
      record.basis,
      record.confirmedByTag,
      record.restated && [record.restated.cents / 100, record.restated.filingDate],
      record.doubts.map(({ message }) => message).join(),
    ]);
  const rows = [year(2025, "2025-12-31", 5_000_000)];

  test("equal to the row confirms it; of a newer proxy it restates it; of the same one it is a doubt", () => {
    expect(paid(rows, proxy(2025, "Ann Lee", 5_000_000))).toEqual([
      [2025, "2025-12-31", "Ann Lee", 5_000_000, "row", true, null, ""],
    ]);
    expect(paid(rows, proxy(2025, "Ms. Lee", 5_100_000))).toEqual([
      [2025, "2025-12-31", "Ann Lee", 5_000_000, "row", false, [5_100_000, "2027-03-01"], ""],
    ]);
    expect(paid(rows, proxy(2025, "Ann Lee", 5_100_000, "0000000001-26-000001"))[0]?.slice(5)).toEqual([
      false,
      null,
      "the table of 2026-03-01 prints 5,000,000; the filer's tag (0000000001-26-000001 of 2026-03-01) says 5,100,000",
    ]);
  });

  test("of somebody who has no row is a record beside the row", () => {
    expect(paid(rows, proxy(2025, "Ann Lee", 5_000_000), proxy(2025, "Bo May", 900_000))).toEqual([
      [2025, "2025-12-31", "Ann Lee", 5_000_000, "row", true, null, ""],
      [2025, "2025-12-31", "Bo May", 900_000, "tag", false, null, ""],
    ]);
  });

  test("has its year by the label and its last day by the company's habit, or by when it was filed", () => {
    expect(paid(rows, proxy(2023, "Bo May", 900_000))[0]?.slice(0, 4)).toEqual([
      2023,
      null,
      "Bo May",
      900_000,
    ]);
    const days = (fiscalYearEnd: string, filedOn: string) =>
      ceoPayOf(
        {
          ...company,
          fiscalYearEnd,
          filed: new Map([["0000000001-27-000001", filedOn]]),
          tags: [proxy(2025, "Bo May", 900_000), proxy(2024, "Bo May", 800_000)],
        },
        [],
      ).map(({ lastDay }) => lastDay);
    expect(days("12-31", "2026-04-01")).toEqual(["2024-12-31", "2025-12-31"]);
    // A retailer's fiscal 2025 ends in 2026.
    expect(days("01-31", "2026-04-01")).toEqual(["2025-01-31", "2026-01-31"]);
    // The newest years are not here: the label tells.
    expect(days("12-31", "2028-04-01")).toEqual(["2024-12-31", "2025-12-31"]);
  });

  test("and an equal tag are one record with two witnesses; where both agree on the year its end is known", () => {
    const collected = tag({ frame: "ended 2025", units: 900_000 });
    expect(paid([], proxy(2025, "Bo May", 900_000), collected)).toEqual([
      [2025, "2025-12-31", "Bo May", 900_000, "tag", true, null, ""],
    ]);
    // A figure tagged with the period of another year, and one that is rounded.
    expect(
      paid([], proxy(2024, "Bo May", 900_000), proxy(2025, "Bo May", 800_100), {
        ...collected,
        cents: 900_000_00,
      }).map(([of, , , , , isConfirmed]) => [of, isConfirmed]),
    ).toEqual([
      [2024, true],
      [2025, false],
    ]);
    expect(
      paid([], proxy(2025, "Bo May", 25_357_443), { ...collected, cents: 25_400_000_00 })[0]?.slice(5),
    ).toEqual([false, null, ""]);
  });
});

describe("the scale rule", () => {
  const doubts = (units: number, before: number | null, farBelowOthers = false) =>
    shown(before === null ? [] : [year(2023, "2023-12-31", before)], [
      tag({ frame: "ended 2024", units, farBelowOthers }),
    ]).at(-1)?.[6];
  test.each([
    [3_235_558_000, null, "scale"],
    [999_999_999, null, ""],
    [442, null, "scale"],
    [17_040, 12_566, "scale"],
    // A thousand times as much would fit the year before.
    [17_040, 15_000_000, "scale"],
    // A founder who gave up a salary.
    [13_000, 900_000, ""],
    [40_001, 164_525_721, ""],
  ])("%d after %p: %p", (units, before, expected) => {
    expect(doubts(units, before)).toBe(expected);
  });

  test("a fiftieth of the others' average is doubtful unless another year is alike", () => {
    expect([isFarBelow(100, 5001), isFarBelow(100, 5000), isFarBelow(100, 0)]).toEqual([true, false, false]);
    expect(doubts(78_030, null, true)).toBe("scale");
    expect(doubts(186_326, 242_122, true)).toBe("");
    expect(doubts(186_326, 9_000_000, true)).toBe("scale");
  });
});

describe("the embedded data", () => {
  test("every record where row and tag meet agrees or has its doubt", () => {
    for (const record of records) {
      expect(record.basis === "row" && record.provider !== null).toBe(false);
      expect(record.basis === "tag" && record.cents <= 0).toBe(false);
      expect(record.source === null && record.provider === null).toBe(false);
    }
    expect(records.filter(({ confirmedByTag }) => confirmedByTag).length).toBeGreaterThanOrEqual(840);
    expect(
      of("PLTR").map(({ fiscalYear, cents, doubts }) => [fiscalYear, cents / 100, doubts.length]),
    ).toEqual([
      [2021, 4_483_614, 0],
      [2022, 5_492_603, 0],
      [2023, 3_498_197, 0],
      [2024, 4_360_170, 1],
      [2025, 8_623_000, 0],
    ]);
  });

  test("every line of the list of totals is a record of its year, or another's total that the record names", () => {
    const lines = ceoTotalsOf(join(import.meta.dir, "../../data"));
    const kinds = lines.map(({ cik, fiscalYear, total }) => {
      const ofYear = records.filter((one) => one.cik === cik && one.fiscalYear === fiscalYear);
      if (ofYear.some(({ cents }) => cents === total * 100)) return "equal";
      if (ofYear.some(({ cents }) => isSameTotal(cents, total * 100))) return "one apart";
      if (ofYear.some(({ restated }) => restated?.cents === total * 100)) return "restated";
      const doubts = ofYear.flatMap((one) => one.doubts.map(({ message }) => message)).join();
      return doubts.includes(formatAmount(total)) || doubts.includes(String(total))
        ? "doubt"
        : `${cik} ${fiscalYear} ${total}`;
    });
    const counts = Object.fromEntries(
      [...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]),
    );
    expect(counts).toEqual({ equal: 2680, "one apart": 13, restated: 10, doubt: 3 });
  });

  test("no person and year is there twice, and each company has one latest year", () => {
    const keys = records.map(
      ({ cik, lastDay, executiveId, peoName }) => `${cik} ${lastDay} ${executiveId ?? peoName}`,
    );
    // Two people share a column of Dollar Tree's, which names neither.
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
    for (const group of Map.groupBy(records, ({ cik }) => cik).values()) {
      expect(new Set(group.filter(({ isLatest }) => isLatest).map(({ lastDay }) => lastDay)).size).toBe(1);
      const days = group.map(({ lastDay }) => lastDay);
      expect(days).toEqual(days.toSorted());
      // No two years of a company are less than half a year apart, but for a change of the year's end.
      const distinct = [...new Set(days)];
      for (const [at, day] of distinct.entries()) {
        const before = distinct[at - 1];
        if (before !== undefined)
          expect([
            group[0]?.ticker,
            before,
            day,
            Date.parse(day) - Date.parse(before) > 180 * 86_400_000,
          ]).toEqual([group[0]?.ticker, before, day, true]);
      }
    }
  });

  test("the traps: zeros, classes of shares, one person of two registrants, Exxon", () => {
    expect(of("JBHT").map(({ peoName }) => peoName)).toContain("Shelley Simpson");
    expect(of("TSLA").map(({ basis }) => basis)).toEqual(["row", "row", "row"]);
    const [forman] = of("BF-A").length > 0 ? of("BF-A") : of("BF-B");
    expect(records.filter(({ cik }) => cik === forman?.cik).length).toBe(5);
    expect(of("PAGP")[0]?.doubts[0]?.code).toBe("counted_elsewhere");
    expect(of("PAA")[0]?.doubts).toEqual([]);
    expect(of("XOM").map(({ fiscalYear, confirmedByTag }) => [fiscalYear, confirmedByTag])).toContainEqual([
      2024,
      true,
    ]);
    const doubtful = new Set(records.filter(({ doubts }) => doubts.length > 0).map(({ ticker }) => ticker));
    expect([...doubtful].sort()).toEqual(
      "AVB CWH DVN KMI KVYO LMAT MUX NEE PAGP PLTR SMCI SNYR SO UHAL XYZ".split(" "),
    );
    for (const ticker of ["WELL", "AXON", "VEEV", "ABNB", "DASH"]) {
      expect([ticker, of(ticker).flatMap(({ doubts }) => doubts)]).toEqual([ticker, []]);
    }
  });
});

const shared = join(import.meta.dir, "../../../shared");
test.skipIf(!existsSync(shared))("100 records drawn by seed equal the facts they came from", () => {
  const random = seededRandom(28);
  const facts = readCsv(readFileSync(join(shared, "reference/pay-versus-performance.csv"), "utf8"));
  const rows = ["rows", "collected-rows"].flatMap((name) =>
    readCsv(readFileSync(join(shared, `facts/${name}.csv`), "utf8")),
  );
  const totals = readCsv(readFileSync(join(shared, "reference/peo-totals-2021-2026.csv"), "utf8"));
  expect(totals.length).toBe(ceoTotalsOf(join(import.meta.dir, "../../data")).length);
  for (let drawn = 0; drawn < 100; drawn++) {
    const record = random.pick(records);
    const { source } = record;
    const found =
      record.basis === "row"
        ? rows.filter(
            (row) =>
              row["accession"] === record.source?.accession &&
              row["fiscal_year"] === String(record.fiscalYear) &&
              row["is_peo"] === "true" &&
              Number(row["total_compensation"]) === record.cents / 100,
          )
        : source !== null
          ? totals.filter(
              (line) =>
                line["accession"] === source.accession &&
                line["filing_url"]?.split("/").at(-1) === source.filing_url?.split("/").at(-1) &&
                line["fiscal_year"] === String(record.fiscalYear) &&
                (line["peo_name"] === "" || record.peoName !== null) &&
                Number(line["peo_total"]) === record.cents / 100,
            )
          : facts.filter(
              (fact) =>
                fact["cik"] === record.cik &&
                Number(fact["peo_total"]) === record.cents / 100 &&
                (fact["period"] === `ended ${record.lastDay.slice(0, 4)}` ||
                  fact["period"]?.startsWith("CY") === true),
            );
    expect([record.cik, record.ticker, record.fiscalYear, found.length]).toEqual([
      record.cik,
      record.ticker,
      record.fiscalYear,
      1,
    ]);
  }
});
if (!existsSync(shared)) console.warn("skipped: ../shared is not beside this checkout");
