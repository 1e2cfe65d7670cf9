import { expect, test } from "bun:test";
import { csvHead, csvRow } from "../../src/lib/csv.ts";

test.each(["=1+1", "+1", "-1", "@SUM(1)", "\tSUM", "\rSUM"])(
  "%j would be a formula: a spreadsheet gets it as text",
  (text) => {
    expect(csvRow([text])).toBe(`"'${text}"`);
    expect(csvHead([text])).toBe(`"'${text}"`);
  },
);

test("every text is quoted, so that none can begin a cell behind a semicolon; numbers are not", () => {
  expect(csvRow(["CEO;=HYPERLINK(1)", 'a "b"', "a,b", "line\nbreak", -5, null, ""])).toBe(
    '"CEO;=HYPERLINK(1)","a ""b""","a,b","line\nbreak",-5,,',
  );
});
