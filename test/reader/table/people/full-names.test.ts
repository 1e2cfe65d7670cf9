import { expect, test } from "bun:test";
import { codes, HEAD, read, row, summary, table } from "../../../support/small-table.ts";

/** A document with this text and a person of this name in its table. */
const filing = (name: string, text: string) =>
  read(
    `<p>${text}</p>${table(
      row(...HEAD),
      row("Ann Baker, President and Chief Executive Officer", 2024, "100,000", "0", "0", "0", "100,000"),
      row(name, 2024, "90,000", "0", "0", "0", "90,000"),
    )}`,
  );
const of = (name: string, text: string) => summary(filing(name, text))[1]?.split("|").slice(0, 2);

test("a person with only a family name in the table gets the full name from the text", () => {
  expect(of("Hininger, CFO", "Mr. Hininger is our CFO. Damon T. Hininger joined in 1992.")).toEqual([
    "Damon T. Hininger",
    "CFO",
  ]);
});

test("a name without its blank has it again", () => {
  expect(of("HechunWei, CFO", "Hechun Wei is our CFO.")?.[0]).toBe("Hechun Wei");
});

test("of two of one family name neither is taken, and the row is told as missing", () => {
  const found = filing("Hininger, CFO", "Damon Hininger and Carla Hininger founded the company.");
  expect(summary(found)).toHaveLength(1);
  expect(codes(found)).toContain("name_missing");
});
