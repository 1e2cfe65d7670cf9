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

const years = (name: string, title: string): string =>
  [2020, 2019]
    .map((year, at) => row(at === 0 ? `${name}<br>${title}` : "", year, "100", "—", "—", "1", "101"))
    .join("");
const flagsOf = (filing: ReturnType<typeof read>): string[] =>
  summary(filing).map((line) => line.replace(/^(\S+) .*\|(\d{4})\|.*\|/, "$1 $2 "));

test.each([
  ["has served", "Tara 2019 PFO"],
  ["served", "Tara 2019 "],
])("who %s as an officer since a day, under a title that does not say so: %p", (words, flag) => {
  const text = `<p>Ms. Semb ${words} as our Chief Financial Officer since March 4, 2018.</p>`;
  const rows =
    years("Ann Example", "Chief Executive Officer") + years("Tara Semb", "Executive Vice President");
  expect(flagsOf(read(table(row(...HEAD), rows) + text))).toContain(flag);
});

test.each([
  ["Former Chief Executive Officer", "Bo 2019 "],
  ["Chairman and Former Chief Executive Officer", "Bo 2019 PEO"],
])(
  "%s, paid to the end: the one in office began later only where nothing else is held: %p",
  (title, flag) => {
    const rows = years("Bo Sample", "Chief Executive Officer") + years("Ann Example", title);
    expect(flagsOf(read(table(row(...HEAD), rows)))).toContain(flag);
  },
);
