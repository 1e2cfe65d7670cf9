import { describe, expect, test } from "bun:test";
import { type AmountReading, readMoney } from "../../../src/reader/values/amounts.ts";
import { readYear } from "../../../src/reader/values/years.ts";

const units = (reading: AmountReading): number | null => (reading === null ? null : reading.hundredths / 100);

test("behind the point of millions stand no thousands", () => {
  for (const text of ["1.450", "12.3456"])
    expect(readMoney([text], 1_000_000).map(units)).toEqual([Number(text)]);
  expect(readMoney(["1.450"]).map(units)).toEqual([1450]);
  expect(readMoney(["0.405"])).toEqual([]);
});

describe("one amount", () => {
  test.each<[string[], (number | null)[]]>([
    [["1,500,000"], [1_500_000]],
    [["$", "1,500,000"], [1_500_000]],
    [["US$ 1,500"], [1500]],
    [["USD 1,500"], [1500]],
    [["CAD", "1,500"], [1500]],
    [["RMB 1,500"], [1500]],
    [["SGD 1,500"], [1500]],
    [["₹1,500"], [1500]],
    [["1,234.56"], [1234.56]],
    [["2,000,000(2)"], [2_000_000]],
    [["2,000,000 (2)(3)"], [2_000_000]],
    [["(2) 1,000"], [1000]],
    [["2,000,000⁽²⁾"], [2_000_000]],
    [["2,000,000#"], [2_000_000]],
    [["2,000,000 +"], [2_000_000]],
    [["1,587,852", "6"], [1_587_852]],
    [["1,587,852", "(6)"], [1_587_852]],
    [["(1,234)"], [-1234]],
    [["(1,234", ")"], [-1234]],
    [["(", "1,234", ")"], [-1234]],
    [["(1,234", ")(2)"], [-1234]],
    [["1,234", "5,678"], []],
    [["[2]"], [null]],
    [["−12"], [-12]],
    [["-0-"], [0]],
    [["$0"], [0]],
    [["—"], [null]],
    [["$", "—"], [null]],
    [["N/A"], [null]],
    [["Nil"], [null]],
    [[""], [null]],
    [["—(4)"], [null]],
  ])("%j reads %j", (cells, expected) => {
    expect(readMoney(cells).map(units)).toEqual(expected);
  });

  test("`(6)` alone has two readings, a digit glued to a number one that has to be confirmed", () => {
    expect(readMoney(["(6)"]).map(units)).toEqual([null, -6]);
    expect(readMoney(["1.450.000,00"]).map(units)).toEqual([1_450_000]);
    // Too many digits for an amount: none, not 0.
    expect(readMoney(["1.450.000.000.000.000,00"])).toEqual([]);
    expect(readMoney(["10,0003"])[0]).toEqual({ hundredths: 1_000_000, irregular: true });
  });

  test.each(["12 months", "see note 4", "50%", "1,234 / 5,678", "1.2 million", "10,00,00x"])(
    "%s is no amount",
    (text) => {
      expect(readMoney([text])).toEqual([]);
    },
  );
});

describe("the label of a year", () => {
  test.each<[string, number, string | null]>([
    ["2024", 2024, null],
    ["2024-25", 2025, null],
    ["2024–2025", 2025, null],
    ["FY25", 2025, null],
    ["FY 2025", 2025, null],
    ["Fiscal 2026", 2026, null],
    ["’24", 2024, null],
    ["12/31/2024", 2024, "2024-12-31"],
    ["June 30, 2021", 2021, "2021-06-30"],
    ["Year ended December 31, 2019", 2019, "2019-12-31"],
    ["2024(1)", 2024, null],
    ["2024*", 2024, null],
    ["2024⁽¹⁾", 2024, null],
    ["20241", 2024, null],
  ])("%s is %d", (text, year, end) => {
    expect(readYear(text)).toMatchObject({ year, end });
  });

  test.each(["2,024", "1850", "2024-27", "45", "Total", "$2024"])("%s is no year", (text) => {
    expect(readYear(text)).toBeUndefined();
  });

  test("a part of a year says so", () => {
    expect(readYear("2025 (Successor)")).toMatchObject({ year: 2025, partial: true });
    expect(readYear("August 7 – December 31, 2025")).toMatchObject({ year: 2025, partial: true });
  });
});
