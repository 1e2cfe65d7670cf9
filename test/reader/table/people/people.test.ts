/** Which rows belong to whom. */
import { expect, test } from "bun:test";
import { codes, HEAD, read, row, rowCodes, summary, table } from "../../../support/small-table.ts";

/** A table of `cell of the name | year | salary`, and `name|title|year|salary` of each row. */
const people = (...lines: string[]): string[] => {
  const rows = lines.map((line) => {
    const [name = "", year = "", salary = ""] = line.split(" | ");
    return row(name, year, ...(salary === "" ? [] : [salary, "—", "—", "1,000", `${Number(salary) + 1000}`]));
  });
  return summary(read(table(row(...HEAD), ...rows))).map((line) => line.split("|").slice(0, 4).join("|"));
};

test("ascending years: a lower year begins a new person, and the text next to a higher one is a title", () => {
  expect(
    people(
      "Ann Example, CEO | 2019 | 9000",
      " | 2020 | 9100",
      "Bo Sample | 2019 | 8000",
      "Executive Vice President, Retail, and Head of Bo Sample Foods | 2020 | 8100",
    ),
  ).toEqual([
    "Ann Example|CEO|2019|9000",
    "Ann Example|CEO|2020|9100",
    "Bo Sample|Executive Vice President, Retail, and Head of Bo Sample Foods|2019|8000",
    "Bo Sample|Executive Vice President, Retail, and Head of Bo Sample Foods|2020|8100",
  ]);
});

test("a name beside a second year is that of the year above it, too", () => {
  expect(
    people(" | 2020 | 9000", "Ann Example<br>CEO | 2019 | 8000", "Bo Sample<br>CFO | 2020 | 7000"),
  ).toEqual(["Ann Example|CEO|2020|9000", "Ann Example|CEO|2019|8000", "Bo Sample|CFO|2020|7000"]);
});

test.each([
  ["María de la", "Cruz, Chief Executive Officer", "María de la Cruz|Chief Executive Officer"],
  ["Gaspar R.", "Gonzalez, CPA, Chief Executive Officer", "Gaspar R. Gonzalez|Chief Executive Officer"],
  ["Ann Example,", "M.D., Ph.D. – Chief Medical Officer", "Ann Example|Chief Medical Officer"],
  ["Ann Example", "Jr. – Chief Medical Officer", "Ann Example Jr.|Chief Medical Officer"],
  ["Ann Example", "Chief", "Ann Example|Chief"],
])("%p over %p beside its second year", (first, second, person) => {
  expect(people(`${first} | 2020 | 9000`, `${second} | 2019 | 8000`)).toEqual([
    `${person}|2020|9000`,
    `${person}|2019|8000`,
  ]);
});

test("a name whose first word was taken for the end of the title above it", () => {
  expect(
    people(
      "Ann Example | 2020 | 9000",
      "Chief Executive Officer | 2019 | 8000",
      "Cindy",
      "Patterson, CFO | 2020 | 7000",
    ),
  ).toEqual([
    "Ann Example|Chief Executive Officer|2020|9000",
    "Ann Example|Chief Executive Officer|2019|8000",
    "Cindy Patterson|CFO|2020|7000",
  ]);
});

test("a title that is printed beside each year counts once; another one beside the same name is that year's", () => {
  expect(people("Ann Example<br>CEO | 2020 | 9000", "Ann Example<br>CEO | 2019 | 8000")).toEqual([
    "Ann Example|CEO|2020|9000",
    "Ann Example|CEO|2019|8000",
  ]);
});

test("amounts without a name are told, and no row", () => {
  const nameless = row("", 2020, "9,000", "—", "—", "—", "9,000");
  const filing = read(table(row(...HEAD), nameless));
  expect(filing.reason).toBe("rows_unreadable");
  expect(codes(filing)).toEqual(["name_missing"]);
});

const ann = "Ann Example, CEO | 2020 | 9000";

test.each([
  "All Other Officers",
  "Other Executive Officers",
  "All executive officers as a group (7 persons)",
])("amounts of several people together, %p, are nobody's and are told", (words) => {
  const lines = [row("Ann Example, CEO", 2020, 9000, "—", "—", 1000, "10,000")];
  const filing = read(table(row(...HEAD), ...lines, row(words, 2020, 8000, "—", "—", 1000, 9000)));
  expect(filing.rows.map((one) => one.executive_name)).toEqual(["Ann Example"]);
  expect(codes(filing)).toEqual(["name_missing"]);
  expect(people(ann, `${words} | 2020 | 8000`, "Bo Sample, CFO | 2019 | 7000")).toEqual([
    "Ann Example|CEO|2020|9000",
    "Bo Sample|CFO|2019|7000",
  ]);
});

test.each([
  "All Other Officers",
  "Average of Other NEOs",
  "NEO Average",
  "Key Management Personnel",
  "Open Position",
  "Vacant",
  "To be hired",
])("amounts beside %p are nobody's where the years go on, too", (words) => {
  expect(people(ann, `${words}<br>Chief Operating Officer | 2019 | 8000`)).toEqual([
    "Ann Example|CEO|2020|9000",
  ]);
});

test.each(["Former Executive Vice President, General Counsel", "Interim Co-Head of Sales"])(
  "a person whose only year is below the newest, next to the words %p, gets it",
  (title) => {
    expect(
      people(
        "Zelda M. Castellane, Senior Vice President, Retail | 2020 | 9000",
        `Grace B. Silverthorne, ${title} | 2019 | 8000`,
      ),
    ).toEqual([
      "Zelda M. Castellane|Senior Vice President, Retail|2020|9000",
      `Grace B. Silverthorne|${title}|2019|8000`,
    ]);
  },
);

test("names on rows of their own, each with years that run down, do not make them run upwards", () => {
  const lines = [
    "Ann Example, CEO",
    " | 2019 | 9000",
    "Bo Sample, CFO",
    " | 2020 | 7000",
    "Cy Third, COO",
    " | 2021 | 5000",
    " | 2020 | 6000",
  ];
  expect(people(...lines).map((line) => line.split("|").toSpliced(1, 1).slice(0, 2).join("|"))).toEqual([
    "Ann Example|2019",
    "Bo Sample|2020",
    "Cy Third|2021",
    "Cy Third|2020",
  ]);
});

test("of two people with one year each, the second one's a year later, years do not run upwards", () => {
  const lines = [
    "Ann Example, CEO | 2019 | 9000",
    "Bo Sample, CFO | 2020 | 7000",
    " | 2019 | 6000",
    "Cy Third, COO | 2020 | 5000",
  ];
  expect(people(...lines).map((line) => line.split("|").slice(0, 3).join("|"))).toEqual([
    "Ann Example|CEO|2019",
    "Bo Sample|CFO|2020",
    "Bo Sample|CFO|2019",
    "Cy Third|COO|2020",
  ]);
});

test("other amounts of a year right below, without a name or another label, put those of the year in doubt", () => {
  const filing = read(
    table(
      row(...HEAD),
      ...["Dec 2020", "Nov 2020"].map((year, at) =>
        row(at === 0 ? "Ann Example, CEO" : "", year, 9000 + at, "—", "—", 1000, 10_000 + at),
      ),
    ),
  );
  expect(filing.rows.map(({ problems }) => problems.map(({ code }) => code))).toEqual([["duplicate_row"]]);
});

test.each(["Executive Officers", "Former Executive Officers", "Our Team:"])(
  "a label of a group, %p, is no title",
  (words) => {
    expect(people(ann, words, "Bo Sample, CFO | 2020 | 7000")).toEqual([
      "Ann Example|CEO|2020|9000",
      "Bo Sample|CFO|2020|7000",
    ]);
  },
);

test.each(["Target Pay", "Annualized Amounts", "Grand Total"])("%p is nobody's name", (words) => {
  expect(people(ann, `${words} | 2020 | 8000`)).toEqual(["Ann Example|CEO|2020|9000"]);
});

test.each([
  [["Jonathan", "Smith", "Chief Executive Officer"], "Jonathan Smith"],
  [["Nadia M.", "Van de Velde", "Chief Executive Officer"], "Nadia M. Van de Velde"],
  [["Mary Ann", "de la Cruz", "Chief Executive Officer"], "Mary Ann de la Cruz"],
])("%p, one beside each of three years, is one person", ([first, second, third], name) => {
  expect(people(`${first} | 2020 | 9000`, `${second} | 2019 | 8000`, `${third} | 2018 | 7000`)).toEqual(
    [2020, 2019, 2018].map((year, at) => `${name}|Chief Executive Officer|${year}|${9000 - at * 1000}`),
  );
});

test("a word below a whole name that no title has may be the rest of the name, and that is told", () => {
  const line = (name: string, year: number): string => row(name, year, 9000, "—", "—", 1000, "10,000");
  const lines = [line("Mary Ann", 2020), line("Abernathy", 2019), line("Chief Executive Officer", 2018)];
  const filing = read(table(row(...HEAD), ...lines));
  expect(rowCodes(filing)).toEqual([2020, 2019, 2018].map(() => ["name_unclear"]));
});

test.each([
  ["Ann Example, CEO", "Priya", ["name_unclear"]],
  ["Ann Example<br>Chief Executive Officer", "Priya", ["name_unclear"]],
  ["Ann Example, CEO", "Suharto<br>Chief Financial Officer", ["name_unclear"]],
  ["Ann Example, CEO", "Madonna, CFO", ["name_unclear"]],
  ["Ann Example, CEO", "PMI", []],
  ["Ann Example, President of", "Gillette", []],
])(
  "%p over %p next to a lower year: an unknown word may be another person's name: %p",
  (first, second, told) => {
    const line = (name: string, year: number): string => row(name, year, 9000, "—", "—", 1000, "10,000");
    const filing = read(table(row(...HEAD), line(first, 2020), line(second, 2019)));
    expect(rowCodes(filing)).toEqual([told, told]);
  },
);

test("a family name alone beside a later year is the same person's", () => {
  expect(people("Nadia Van de Velde, CEO | 2020 | 9000", "Mr. Van de Velde<br>CEO | 2019 | 8000")).toEqual([
    "Nadia Van de Velde|CEO|2020|9000",
    "Nadia Van de Velde|CEO|2019|8000",
  ]);
  expect(people("Nadia Van de Velde, CEO | 2020 | 9000", "Mr. Van de Velde<br>CFO | 2019 | 8000")).toEqual([
    "Nadia Van de Velde|CEO|2020|9000",
    "Nadia Van de Velde|CFO|2019|8000",
  ]);
});

test("a year without a name after a person's years is not given to the name next to a later one", () => {
  const lines = ["Ann Example, CEO | 2019 | 9000", " | 2020 | 9100", "Bo Sample, CFO | 2020 | 8000"];
  expect(people(...lines, " | 2018 | 7900", "Cy Third, COO | 2019 | 7000", " | 2020 | 7100")).toEqual([
    "Ann Example|CEO|2019|9000",
    "Ann Example|CEO|2020|9100",
    "Bo Sample|CFO|2020|8000",
    "Cy Third|COO|2019|7000",
    "Cy Third|COO|2020|7100",
  ]);
});

const hugo = ["Hugo | 2020 | 9000", "Northcott", "Chief Scientific Officer and Head of Research"];

test.each([
  ["Priya | 2019 | 8000", "Hollingberry", "Former General Counsel"],
  ["Priya | 2019 | 8000", "Hollingberry | 2018 | 7000", "Former General Counsel"],
  ["Priya | 2019 | 8000", "Hollingberry, Former General Counsel | 2018 | 7000", ""],
  ["Priya | 2019 | 8000", "Van de Velde | 2018 | 7000", "Former General Counsel | 2017 | 6000"],
])("a leaver's name over rows, %p, %p, %p, is nobody's above, and told", (first, second, third) => {
  const lines = [first, second, third];
  const family = second.split(/ \||,/)[0];
  for (const above of [hugo, ["Ann Example, CEO | 2020 | 9000"]]) {
    const rows = people(...above, ...lines, "Bo Sample, CFO | 2020 | 7000");
    expect(rows.map((line) => line.split("|").toSpliced(1, 1).join("|"))).toEqual([
      `${above === hugo ? "Hugo Northcott" : "Ann Example"}|2020|9000`,
      ...lines
        .filter((line) => line.includes("|"))
        .map((line) => `Priya ${family}|${line.split(" | ").slice(1).join("|")}`),
      "Bo Sample|2020|7000",
    ]);
    expect(rows[1]).toContain("|Former General Counsel|");
  }
  const pay = (line: string): string => {
    const [name = "", year] = line.split(" | ");
    return year === undefined ? row(name) : row(name, year, "9,000", "—", "—", "1,000", "10,000");
  };
  const filing = read(table(row(...HEAD), ...["Ann Example, CEO | 2020", ...lines].map(pay)));
  for (const one of filing.rows.slice(1))
    expect(one.problems.map(({ code }) => code)).toContain("name_unclear");
});

test.each([
  ["Hollingberry | 2019 | 8000", "Former General Counsel"],
  ["Hollingberry, Former General Counsel | 2019 | 8000", ""],
  ["de la Cruz | 2019 | 8000", "Former General Counsel"],
])("a leaver's first names on a row without a year, above %p and %p", (family, office) => {
  const title = "Chief Scientific Officer and Head of Research";
  const name = `Priya ${family.split(/ \||,/)[0]}`;
  for (const above of [hugo, ["Hugo Northcott | 2020 | 9000", title]])
    expect(people(...above, "Priya", family, office, "Bo Sample, CFO | 2020 | 7000")).toEqual([
      `Hugo Northcott|${title}|2020|9000`,
      `${name}|Former General Counsel|2019|8000`,
      "Bo Sample|CFO|2020|7000",
    ]);
});

test("two words that may be a name or a title, without an office below, leave their years out, and that is told", () => {
  const pay = ["9,000", "—", "—", "1,000", "10,000"];
  const lines = [
    row("Ann Example, CEO", 2020, ...pay),
    row("Priya", 2019, ...pay),
    row("Hollingberry", 2018, ...pay),
  ];
  const filing = read(table(row(...HEAD), ...lines, row("Bo Sample, CFO", 2020, ...pay)));
  expect(filing.rows.map((one) => `${one.executive_name} ${one.fiscal_year}`)).toEqual([
    "Ann Example 2020",
    "Bo Sample 2020",
  ]);
  expect(codes(filing)).toContain("name_missing");
});

test.each([
  ["President and", "Zorix | 2019 | 8000", "Dorix", "Vice Chairman"],
  ["President", "Worldwide | 2019 | 8000", "Operations", ""],
  ["President", "Finance | 2019 | 8000", "Secretary", ""],
  ["President", "PMI | 2019 | 8000", "U.S.", ""],
])("a title over rows, %p, %p, %p, %p, stays the person's", (first, second, third, fourth) => {
  expect(
    people("Ann Example | 2020 | 9000", first, second, third, fourth).map((line) =>
      line.split("|").toSpliced(1, 1).join("|"),
    ),
  ).toEqual(["Ann Example|2020|9000", "Ann Example|2019|8000"]);
});

test("a family name of several words below first names begins nobody: years do not run upwards", () => {
  const lines = ["Bertram | 2020 | 9000", "Van de Velde | 2019 | 8000", "Principal Executive Officer"];
  expect(people(...lines, "Hugo | 2020 | 7000", "Lindqvist", "EVP, CFO")).toEqual([
    "Bertram Van de Velde|Principal Executive Officer|2020|9000",
    "Bertram Van de Velde|Principal Executive Officer|2019|8000",
    "Hugo Lindqvist|EVP, CFO|2020|7000",
  ]);
});

test("a name that ends with an initial is unclear", () => {
  const filing = read(table(row(...HEAD), row("Yusuf B.", 2020, 9000, "—", "—", 1000, "10,000")));
  expect(codes(filing)).toContain("name_unclear");
});

test("Senior Executive below Chairman and, beside a later year, is the rest of a title", () => {
  expect(people("Ann Example<br>Chairman and | 2020 | 9000", "Senior Executive | 2019 | 8000")).toEqual([
    "Ann Example|Chairman and Senior Executive|2020|9000",
    "Ann Example|Chairman and Senior Executive|2019|8000",
  ]);
});

test.each([
  ["Patrick Example", "Personal Lines President", "Patrick Example|Personal Lines President"],
  [
    "Ahmad Example<br>President, Semiconductor",
    "Process Control",
    "Ahmad Example|President, Semiconductor Process Control",
  ],
  ["Jane Example<br>President,", "Personal Lines", "Jane Example|President, Personal Lines"],
])("%p over %p next to a lower year: a fragment of a title is nobody's name", (first, second, person) => {
  const line = (name: string, year: number): string => row(name, year, 9000, "—", "—", 1000, "10,000");
  const filing = read(table(row(...HEAD), line(first, 2020), line(second, 2019), line("", 2018)));
  expect(summary(filing)).toEqual([2020, 2019, 2018].map((year) => `${person}|${year}|9000|1000|0|10000|`));
});

test("a name without a title at the year that the person above lacks may be the rest of a title, and that is told", () => {
  const line = (name: string, year: number): string => row(name, year, 9000, "—", "—", 1000, "10,000");
  const filing = read(table(row(...HEAD), line("Ann Example<br>President", 2020), line("Bo Sample", 2019)));
  expect(rowCodes(filing)).toEqual([["name_unclear"], ["name_unclear"]]);
});

test.each([
  ["Jeff Zhu, NACD.DC<br>Chief Executive Officer", "Jeff Zhu"],
  ["Luca Mae-<br>stri<br>Chief Executive Officer", "Luca Maestri"],
  ["General (Ret.) Jeff Zhu<br>Chief Executive Officer", "Jeff Zhu"],
  ["Admiral Jeff Zhu, USN (Ret.)<br>Chief Executive Officer", "Jeff Zhu"],
])("%p is a name with a title", (cell, name) => {
  expect(summary(read(table(row(...HEAD), row(cell, 2020, 9000, "—", "—", 1000, "10,000"))))).toEqual([
    `${name}|Chief Executive Officer|2020|9000|1000|0|10000|PEO`,
  ]);
});

test("all years beside the cell of a name are that person's, one printed twice and told included", () => {
  const filing = read(
    table(
      row(...HEAD),
      `<tr><td rowspan="3">Ann Example<br>CEO</td><td>2023</td><td>9,000</td><td>—</td><td>—</td><td>1</td><td>9,001</td></tr>`,
      row(2023, "8,000", "—", "—", "1", "8,001"),
      row(2022, "7,000", "—", "—", "1", "7,001"),
      row("Bo Sample<br>CFO", 2023, "6,000", "—", "—", "1", "6,001"),
    ),
  );
  expect(summary(filing).map((line) => line.split("|").slice(0, 4).join("|"))).toEqual([
    "Ann Example|CEO|2023|9000",
    "Ann Example|CEO|2022|7000",
    "Bo Sample|CFO|2023|6000",
  ]);
  expect(rowCodes(filing)[0]).toContain("duplicate_row");
});
