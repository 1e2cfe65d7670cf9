import { expect, test } from "bun:test";
import { renameInlineDivs } from "../../../src/reader/document/submission.ts";
import { codes, HEAD, read, row, summary, table } from "../../support/small-table.ts";

const inline = (text: string): string =>
  `<div style="letter-spacing:0px;top:0px;display:inline;">${text}</div>`;

test.each([
  ["<div><div style='display:inline'>a</div></div>", "<div><bdi style='display:inline'>a</bdi></div>"],
  [`<DIV style="DISPLAY: INLINE"><div>a</div></DIV>`, `<bdi style="DISPLAY: INLINE"><div>a</div></bdi>`],
  [
    '<div style="display:inline-block">a</div><div style="display:inline;">b</div>',
    '<div style="display:inline-block">a</div><bdi style="display:inline;">b</bdi>',
  ],
  [
    '<div style="display:inline;"/><div>a</div><div style="display:inline">b',
    '<div style="display:inline;"/><div>a</div><bdi style="display:inline">b',
  ],
])("%s is %s, character for character", (html, renamed) => {
  expect(renameInlineDivs(html)).toBe(renamed);
});

test("words, years and amounts go on through divisions that are part of the line", () => {
  const body = table(
    row(...HEAD.slice(0, 5), `All ${inline("Other")} Compensation ($)`, "Total ($)"),
    row(
      `Ann ${inline("B.")} Example<br>Vice ${inline("Chairman-Non")} Insurance`,
      `20${inline("20")}`,
      `5,${inline("000")}`,
      "—",
      "—",
      `100${inline("(1)")}`,
      "5,100",
    ),
    row("", "2019<br>2018", "70<br>60", "—<br>—", "—<br>—", `5${inline("(2)")}<br>5`, "75<br>65"),
  ).replace("Compensation Table", `${inline("Compensation")} Table`);
  const filing = read(body);
  expect(summary(filing)).toEqual([
    "Ann B. Example|Vice Chairman-Non Insurance|2020|5000|100|0|5100|",
    "Ann B. Example|Vice Chairman-Non Insurance|2019|70|5|0|75|",
    "Ann B. Example|Vice Chairman-Non Insurance|2018|60|5|0|65|",
  ]);
  expect(codes(filing)).not.toContain("table_untitled");
});
