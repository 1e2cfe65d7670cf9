import { expect, test } from "bun:test";
import { beginsName, nameFromAbove, tailOfName } from "../../../src/reader/table/broken-names.ts";

const lines = (...texts: string[]) => texts.map((text) => ({ text }));
const above = (printedName: string, ...title: string[]) => ({ printedName, title, settled: 0 });

test("first names over a family name and an office begin a name; a place of work does not", () => {
  expect(beginsName([lines("Priya"), lines("Hollingberry"), lines("Chief Financial Officer")])).toBe(
    "surely",
  );
  expect(beginsName([lines("Priya"), lines("Hollingberry")])).toBe("perhaps");
  expect(beginsName([lines("PMI"), lines("U.S."), lines("President")])).toBe("no");
  expect(beginsName([lines("Priya"), lines("Bo Sample"), lines("President")])).toBe("no");
});

test("the first line of a name that was taken for the end of a title is found again", () => {
  const found = nameFromAbove(above("Ann Baker", "President", "Cindy"), lines("Patterson, CFO"));
  expect([found?.split.name, found?.split.title, found?.lines]).toEqual(["Cindy Patterson", "CFO", 1]);
  expect(nameFromAbove(above("Ann Baker", "President"), lines("Cindy Patterson, CFO"))).toBeUndefined();
});

test.each([
  ["Mark J. Pyke,", "V.M.D., Ph.D.", { name: "V.M.D., Ph.D.", title: "" }],
  ["Gaspar R.", "Gonzaga, Treasurer", { name: "Gonzaga", title: "Treasurer" }],
  ["Maria de la", "Cruz", { name: "Cruz", title: "" }],
  ["Ann Baker", "President", undefined],
  ["Ann Baker", "V. P. Finance", undefined],
])("%j goes on with %j", (name, line, tail) => {
  expect(tailOfName(above(name), line)).toEqual(tail);
});
