import { expect, test } from "bun:test";
import { codes, HEAD, read, row, summary, table } from "../../support/small-table.ts";

const ANN = "Ann Example|CEO|2020|5000|100|0|5100|PEO";
const TWO = row("Ann Example<br>CEO", 2020, "5,000", "—", "—", "100", "5,100");

test("reading ends at the first footnote below the last year: a breakdown in the notes has no years to miss", () => {
  const filing = read(
    table(
      row(...HEAD),
      TWO,
      row("(1)", "The table below breaks down all other compensation of the officers for the year."),
      row("Retirement Plan Contributions", "85,704", "12,825", "12,825", "12,825", "—", ""),
      row("Total", "85,704", "12,825", "12,825", "12,825", "—", ""),
    ),
  );
  expect(summary(filing)).toEqual([ANN]);
  expect(codes(filing)).toEqual([]);
});
