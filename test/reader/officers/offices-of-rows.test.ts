/** What the offices of a person mean for the rows of whole documents: faults of real filings, each as small as it gets. */
import { expect, test } from "bun:test";
import { HEAD, read, row, summary, table } from "../../support/small-table.ts";

const ANN = row("Ann Example<br>Chief Executive Officer", 2018, "100", "—", "—", "1", "101");
const dashes = (name: string, year: number): string => row(name, year, "—", "—", "—", "—", "—");
const NEW = dashes("Tara Semb<br>Chief Financial Officer", 2018);

test("an office that begins after the fiscal year does not hold in it: its year of dashes is no row (apyx-def14a-2019)", () => {
  const later = "<p>Ms. Semb was appointed Chief Financial Officer effective January 7, 2019.</p>";
  expect(summary(read(table(row(...HEAD), ANN, NEW) + later))).toEqual([
    "Ann Example|Chief Executive Officer|2018|100|1|0|101|PEO",
  ]);
});

test("a blank year of an officer is a row (worlds-10k-2015)", () => {
  expect(summary(read(table(row(...HEAD), ANN, NEW)))).toEqual([
    "Ann Example|Chief Executive Officer|2018|100|1|0|101|PEO",
    "Tara Semb|Chief Financial Officer|2018|0|0|0|0|PFO",
  ]);
});

test("who signs as both officers is both (0001558891-19-000066)", () => {
  const alone = table(
    row(...HEAD),
    row("Omar Example<br>President and Director", 2019, "100", "—", "—", "1", "101"),
  );
  const signed =
    "<p>/s/ Omar Example<br>Omar Example<br>Principal Executive Officer, Principal Financial Officer</p>";
  const other = row("Bo Sample<br>Treasurer", 2019, "50", "—", "—", "1", "51");
  expect(summary(read(alone.replace("</table>", `${other}</table>`) + signed, "10-K"))).toEqual([
    "Omar Example|President and Director|2019|100|1|0|101|PEOPFO",
    "Bo Sample|Treasurer|2019|50|1|0|51|",
  ]);
});
