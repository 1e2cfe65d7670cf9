/** How the markup's spans are laid out. */
import { expect, test } from "bun:test";
import { codes, HEAD, read, row, summary } from "../../../support/small-table.ts";

test.each([0, 9])("a name's cell over %d rows ends with its group of rows", (span) => {
  const name = (words: string): string => `<tr><td rowspan="${span}">${words}</td>`;
  const group = (who: string, ...rows: string[]): string =>
    `<tbody>${rows.join("").replace("<tr>", name(who))}</tbody>`;
  const filing = read(
    `<p>Summary Compensation Table</p><table><thead>${row(...HEAD)}</thead>${group(
      "Ann Example<br>CEO",
      row(2020, "5,000", "—", "—", "100", "5,100"),
      row(2019, "4,000", "—", "—", "90", "4,090"),
    )}${group("Bo Sample<br>CFO", row(2020, "3,000", "—", "—", "80", "3,080"))}</table>`,
  );
  expect(summary(filing)).toEqual([
    "Ann Example|CEO|2020|5000|100|0|5100|PEO",
    "Ann Example|CEO|2019|4000|90|0|4090|PEO",
    "Bo Sample|CFO|2020|3000|80|0|3080|PFO",
  ]);
  expect(codes(filing)).toEqual([]);
});
