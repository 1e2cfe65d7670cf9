/** The union of rows and tagged totals: which tag belongs to which year, whose word counts, what is doubtful. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readCsv } from "../../scripts/import-reference.ts";
import { ceoPayOf, readCeoPay } from "../../src/dataset/ceo-pay.ts";
import { isFarBelow, type PeoTag } from "../../src/dataset/peo-tags.ts";
import { tempFolder } from "../support/folder.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { copyCompiledData, datasetIn } from "../support/snapshot.ts";

const dataset = datasetIn(copyCompiledData(join(tempFolder(), "all.sqlite")));
const records = readCeoPay(dataset);
const of = (ticker: string) => records.filter((record) => record.ticker === ticker);

type Years = Parameters<typeof ceoPayOf>[1];
const company = { fiscalYearEnd: "12-31", edition: "2026-11-22" };
const tag = (more: Partial<PeoTag> & { units: number }): PeoTag => ({
  cik: "0000000001",
  frame: "",
  periodEnd: null,
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
      [2024, true, "2024-12-31", 4_000_000, "tag", false, ""],
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

  test("has a name only from the company's own rows, by a surname that one person has", () => {
    const years = [year(2023, "2023-12-31", 3_000_000)];
    const name = (tagged: string) =>
      ceoPayOf({ ...company, tags: [tag({ frame: "ended 2025", units: 1e6, name: tagged })] }, years).at(-1)
        ?.peoName;
    expect(name("Ms. Lee")).toBe("Ann Lee");
    expect(name("Value of Initial Fixed $100")).toBeNull();
    expect(name("R. Scott Herren")).toBeNull();
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
      if (record.basis === "tag") expect([record.confirmedByTag, record.cents > 0]).toEqual([false, true]);
    }
    expect(records.filter(({ confirmedByTag }) => confirmedByTag).length).toBeGreaterThanOrEqual(120);
    expect(
      of("PLTR").map(({ fiscalYear, cents, doubts }) => [fiscalYear, cents / 100, doubts.length]),
    ).toEqual([
      [2023, 3_498_197, 0],
      [2024, 4_360_170, 1],
      [2025, 8_623_000, 0],
    ]);
  });

  test("no person and year is there twice, and each company has one latest year", () => {
    const keys = records.map(
      ({ cik, lastDay, executiveId, basis }) => `${cik} ${lastDay} ${basis === "row" ? executiveId : ""}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
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
    expect(of("JBHT")).toEqual([]);
    expect(of("TSLA").map(({ basis }) => basis)).toEqual(["row", "row", "row"]);
    const [forman] = of("BF-A").length > 0 ? of("BF-A") : of("BF-B");
    expect(records.filter(({ cik }) => cik === forman?.cik).length).toBe(2);
    expect(of("PAGP")[0]?.doubts[0]?.code).toBe("counted_elsewhere");
    expect(of("PAA")[0]?.doubts).toEqual([]);
    expect(of("XOM").map(({ fiscalYear, confirmedByTag }) => [fiscalYear, confirmedByTag])).toContainEqual([
      2024,
      true,
    ]);
    const doubtful = new Set(records.filter(({ doubts }) => doubts.length > 0).map(({ ticker }) => ticker));
    expect([...doubtful].sort()).toEqual(
      ["CWH", "DVN", "KVYO", "LMAT", "MUX", "PAGP", "PLTR", "SMCI", "SNYR", "UHAL", "XYZ"].sort(),
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
  const rows = readCsv(readFileSync(join(shared, "facts/rows.csv"), "utf8"));
  for (let drawn = 0; drawn < 100; drawn++) {
    const record = random.pick(records);
    const found =
      record.basis === "row"
        ? rows.filter(
            (row) =>
              row["accession"] === record.source?.accession &&
              row["fiscal_year"] === String(record.fiscalYear) &&
              row["is_peo"] === "true" &&
              Number(row["total_compensation"]) === record.cents / 100,
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
