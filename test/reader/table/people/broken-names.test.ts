import { expect, test } from "bun:test";
import { beginsName, nameFromAbove } from "../../../../src/reader/table/people/people.ts";
import { restOfName, splitName } from "../../../../src/reader/table/names/split-name.ts";

const row = (text: string) => ({ lines: [{ text }], split: splitName([{ text }]) });
const above = (printedName: string, ...title: string[]) => ({ printedName, title, settled: 0 });

test("first names over a family name and an office begin a name; a place of work does not", () => {
  expect(beginsName([row("Priya"), row("Hollingberry"), row("Chief Financial Officer")])).toBe("surely");
  expect(beginsName([row("Priya"), row("Hollingberry")])).toBe("perhaps");
  expect(beginsName([row("PMI"), row("U.S."), row("President")])).toBe("no");
  expect(beginsName([row("Priya"), row("Bo Sample"), row("President")])).toBe("no");
});

test("the first line of a name that was taken for the end of a title is found again", () => {
  const found = nameFromAbove(above("Ann Baker", "President", "Cindy"), row("Patterson, CFO"));
  expect([found?.split.name, found?.split.title, found?.lines]).toEqual(["Cindy Patterson", "CFO", 1]);
  expect(nameFromAbove(above("Ann Baker", "President"), row("Cindy Patterson, CFO"))).toBeUndefined();
});

test.each([
  ["Mark J. Pyke,", "V.M.D., Ph.D.", { name: "V.M.D., Ph.D.", title: "" }],
  ["Gaspar R.", "Gonzaga, Treasurer", { name: "Gonzaga", title: "Treasurer" }],
  ["Maria de la", "Cruz", { name: "Cruz", title: "" }],
  ["Ann Baker", "President", undefined],
  ["Ann Baker", "V. P. Finance", undefined],
])("%j goes on with %j", (name, line, rest) => {
  expect(restOfName(name, line)).toEqual(rest);
});
