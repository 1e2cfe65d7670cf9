/** What the offices of a person mean for the rows of whole documents: faults of real filings, each as small as it gets. */
import { expect, test } from "bun:test";
import { codes, HEAD, read, row, summary, table } from "../../support/small-table.ts";

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

test("a year of dashes before the one in which an officer is first paid is no row", () => {
  const lines = [
    row("Ann Example<br>Chief Executive Officer", 2019, "100", "—", "—", "1", "101"),
    row("", 2018, "100", "—", "—", "1", "101"),
    row("Tara Semb<br>Chief Financial Officer", 2019, "100", "—", "—", "1", "101"),
    dashes("", 2018),
  ];
  expect(summary(read(table(row(...HEAD), ...lines))).filter((line) => line.startsWith("Tara"))).toEqual([
    "Tara Semb|Chief Financial Officer|2019|100|1|0|101|PFO",
  ]);
});

test("a title beside an older year gives nobody the office of the newest", () => {
  const lines = [
    row("Tara Semb, Chief Executive Officer", 2019, "100", "—", "—", "1", "101"),
    row("Tara Semb, Chief Financial Officer", 2018, "100", "—", "—", "1", "101"),
  ];
  expect(flagsOf(read(table(row(...HEAD), ...lines)))).toEqual(["Tara 2019 PEO", "Tara 2018 PFO"]);
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

test("a tagged principal executive officer who is nobody of the table is told", () => {
  const tagged =
    '<xbrli:context id="a"><xbrli:startDate>2018-01-01</xbrli:startDate><xbrli:endDate>2018-12-31</xbrli:endDate></xbrli:context>' +
    '<ix:nonNumeric name="ecd:PeoName" contextRef="a">Zoe Absent</ix:nonNumeric>';
  expect(codes(read(table(row(...HEAD), ANN) + tagged))).toEqual(["ecd_peo_name"]);
});

test("a table of nothing but dashes, of people without the two offices, is refused", () => {
  const { reason, rows } = read(table(row(...HEAD), dashes("Ann Example<br>General Counsel", 2018)));
  expect([reason, rows]).toEqual(["rows_unreadable", []]);
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

test("one of two chief executives until a day does not take the older years from the other", () => {
  const years = (name: string): string =>
    [2019, 2018].map((year, at) => row(at === 0 ? name : "", year, "100", "—", "—", "1", "101")).join("");
  const rows =
    years("Ann Example<br>Chief Executive Officer") + years("Bo Sample<br>Former Co-Chief Executive Officer");
  const text = "<p>Mr. Sample stepped down as Co-Chief Executive Officer on January 31, 2019.</p>";
  expect(flagsOf(read(table(row(...HEAD), rows) + text))).toEqual([
    "Ann 2019 PEO",
    "Ann 2018 PEO",
    "Bo 2019 PEO",
    "Bo 2018 PEO",
  ]);
});

test("another officer's dates are not evidence of one's own: the filing of the year may differ", () => {
  const rows =
    row("Ann Example<br>Chief Executive Officer", 2019, "100", "—", "—", "1", "101") +
    row("", 2018, "100", "—", "—", "1", "101") +
    row("Bo Sample<br>Former Chief Executive Officer", 2018, "100", "—", "—", "1", "101");
  const text = "<p>Mr. Sample stepped down as Chief Executive Officer on January 31, 2019.</p>";
  const filing = read(table(row(...HEAD), rows) + text);
  const of2018 = filing.rows.find((one) => one.executive_name === "Ann Example" && one.fiscal_year === 2018);
  expect([of2018?.is_peo, of2018?.peoEvidence.kind]).toEqual([false, "title"]);
});

test.each([
  ["Chief Executive Officer", "Chief Executive Officer", true],
  ["Chief Executive Officer", "Former Chief Executive Officer", false],
  ["Chief Executive Officer", "Interim Chief Executive Officer", false],
  ["Co-Chief Executive Officer", "Co-Chief Executive Officer", false],
])("%p and %p without dates: unclear is %p", (first, second, isUnclear) => {
  const rows = [`Ann Example<br>${first}`, `Bo Sample<br>${second}`].map((name) =>
    row(name, 2019, "100", "—", "—", "1", "101"),
  );
  expect(codes(read(table(row(...HEAD), ...rows))).includes("peo_unclear")).toBe(isUnclear);
});

test.each([
  ["May 1, 2019", true],
  ["January 2, 2019", false],
  ["May 1, 2015", false],
])("a chief executive since %s alone in the table: unclear is %p", (since, isUnclear) => {
  const rows = row("Ann Example<br>Chief Executive Officer", 2019, "100", "—", "—", "1", "101");
  const text = `<p>Ms. Example has been our Chief Executive Officer since ${since}.</p>`;
  expect(codes(read(table(row(...HEAD), rows) + text)).includes("peo_unclear")).toBe(isUnclear);
});
