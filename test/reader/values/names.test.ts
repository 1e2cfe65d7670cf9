import { expect, test } from "bun:test";
import { nameLikeness } from "../../../src/reader/values/names.ts";
import { splitName } from "../../../src/reader/table/names/split-name.ts";

const split = (...lines: string[]) => {
  const found = splitName(lines.map((text) => ({ text })));
  return found === undefined ? undefined : [found.name, found.title];
};

test.each([
  [
    ["Alex Cho", "President, Personal Systems"],
    ["Alex Cho", "President, Personal Systems"],
  ],
  [["Wei Cao, CFO"], ["Wei Cao", "CFO"]],
  [["Xin Y. Cao President"], ["Xin Y. Cao", "President"]],
  [["Bob Roe CAO and Controller"], ["Bob Roe", "CAO and Controller"]],
  // The break between name and title was lost.
  [["Ann ExampleChief Executive Officer"], ["Ann Example", "Chief Executive Officer"]],
  [["ANN EXAMPLEVice President"], ["Ann Example", "Vice President"]],
])("an office in capitals is none in small letters: %p", (lines, expected) => {
  expect(split(...lines)).toEqual(expected);
});

test.each([
  [
    ["J.E.B. Bolen", "CFO"],
    ["J.E.B. Bolen", "CFO"],
  ],
  [
    ["Gaspar R.", "Gonzaga", "Treas. & Dir."],
    ["Gaspar R. Gonzaga", "Treas. & Dir."],
  ],
  [
    ["Mark J. Pyke, V.M.D., Ph.D., M.B.A.", "President"],
    ["Mark J. Pyke", "President"],
  ],
  [
    ["Nolan B. Garner,", "V. P. — Human Resources"],
    ["Nolan B. Garner", "V. P. — Human Resources"],
  ],
])("initials belong to the name, degrees do not: %p", (lines, expected) => {
  expect(split(...lines)).toEqual(expected);
});

test.each([
  [["Robert L. Stone, Sole Officer and Director"], ["Robert L. Stone", "Sole Officer and Director"]],
  [["Mark J. Richards, Special Advisor to CEO"], ["Mark J. Richards", "Special Advisor to CEO"]],
  [["Ida L. Shaw, Americas President"], ["Ida L. Shaw", "Americas President"]],
  [["John Horner, V. P.-CFO"], ["John Horner", "V.P.-CFO"]],
  [["Michael J. Head Former President"], ["Michael J. Head", "Former President"]],
  [["Van de Put, Dirk Chair & CEO"], ["Dirk Van de Put", "Chair & CEO"]],
  [["Grace C. Dunmore, Jr.*, Chair of the Board"], ["Grace C. Dunmore, Jr.", "Chair of the Board"]],
])("what follows a full name is no first name: %p", (lines, expected) => {
  expect(split(...lines)).toEqual(expected);
});

test("the end of a title in brackets is nobody's name", () => {
  expect(split("Multi-Screen, Inc.)")).toBeUndefined();
});

test.each([
  [["Bill Acton (CEO)"], ["Bill Acton", "CEO"]],
  [["Bill Acton/Chief Financial Officer"], ["Bill Acton", "Chief Financial Officer"]],
  [["Bill Acton—CFO"], ["Bill Acton", "CFO"]],
  [["Bill Acton, C.F.O."], ["Bill Acton", "C.F.O."]],
  [["Jane Carr, Sec."], ["Jane Carr", "Sec."]],
  [
    ["Chief Executive Officer:", "Ann Baker"],
    ["Ann Baker", "Chief Executive Officer"],
  ],
  [
    ["Ann M.", "Baker, CEO"],
    ["Ann M. Baker", "CEO"],
  ],
  [
    ["Ann Baker", "Senior Vice Presi-", "dent and CFO"],
    ["Ann Baker", "Senior Vice President and CFO"],
  ],
  [["Ann (“Annie”) Baker, CEO"], ["Ann (“Annie”) Baker", "CEO"]],
])("a short title beside a name is no part of it: %p", (lines, expected) => {
  expect(split(...lines)).toEqual(expected);
});

test.each(["Supply Chain", "Consumer Health", "Mr. Okafor", "Dr. Shaw"])(
  "neither a department nor a family name alone names a person: %s",
  (text) => {
    expect(nameLikeness(text)).toBe(0);
  },
);

test.each(["Ann Okafor", "Dr. Ann Okafor"])("a full name does, whatever stands before it: %s", (text) => {
  expect(nameLikeness(text)).toBe(2);
});
