/** What the words in, above and below a table say of the scale and the currency of its amounts. */
import { describe, expect, test } from "bun:test";
import { codes, HEAD, read, row } from "../../../support/small-table.ts";

const rows = (factor: number): string =>
  [
    row("Ann Example<br>Chief Executive Officer", 2020, 10_000 * factor, "—", "—", factor, 10_001 * factor),
    row("Bo Sample<br>Chief Financial Officer", 2020, 8000 * factor, "—", "—", factor, 8001 * factor),
  ].join("");
/** A table with other signs in its headers, with words above and below it. */
const filing = ({ sign = "$", above = "", below = "", factor = 1 }) =>
  read(
    `<p>Summary Compensation Table${above}</p><table>${row(...HEAD.map((header) => header.replace("$", sign)))}${rows(factor)}</table><p>${below}</p>`,
  );
const scaleOf = (words: Parameters<typeof filing>[0]): number | undefined =>
  filing(words).rows.map((one) => one.amounts.salary / 1_000_000)[0];

test.each([
  "in thousands",
  "in US dollars in thousands",
  "RMB 000",
  "USD’000",
  "’000",
  "in 000s",
  "000",
  "$K",
  "$ thousands",
])("(%s) in every header: thousands", (sign) => {
  expect(scaleOf({ sign })).toBe(1000);
  expect(codes(filing({ sign }))).not.toContain("units_unclear");
});

test.each([
  "$(000)",
  " (in 000’s)",
  " (000s omitted)",
  " (’000)",
  " – Thousands of dollars",
  " – expressed in Canadian dollars in thousands",
  " ($ thousands)",
  " ($K)",
  " ($000s)",
  " in $K",
])("%s above: thousands", (above) => {
  expect(scaleOf({ above })).toBe(1000);
});

test.each([
  "The amounts in this table are in thousands.",
  "Stated in thousands of dollars",
  "($ in thousands)",
  "Pay in $000s",
  "Pay in $K",
  "(1) Amounts are in thousands, except the number of shares.",
])("%s below: thousands", (below) => {
  expect(scaleOf({ below, factor: 0.1 })).toBe(100);
});

test.each([
  [{ sign: "in millions" }, 1_000_000],
  [{ sign: "$ millions" }, 1_000_000],
  [{ above: " (in millions)" }, 1_000_000],
  [{ above: ". Net sales in millions were higher" }, 1],
  [{ above: " (shares in thousands)" }, 1],
  [{ above: ". We paid the bank a fee ($1,000) for each account" }, 1],
])("%p: times %p", (words, scale) => {
  expect(scaleOf(words)).toBe(scale);
});

test.each([
  [" and 000s", true],
  [" of $K", true],
  [", a thousand dollars each", true],
  [", rounded to the nearest thousand", false],
  [" (thousands of shares)", false],
])("%s above leaves the scale unclear: %p", (above, unclear) => {
  expect(scaleOf({ above })).toBe(1);
  expect(codes(filing({ above })).includes("units_unclear")).toBe(unclear);
});

/** Pay that is small in dollars and too large in thousands. */
const shell = (below: string, salary = "12,000"): ReturnType<typeof read> =>
  read(
    `<p>Summary Compensation Table</p><table>${row(...HEAD)}${row("Ann Example<br>CEO", 2020, salary, "—", "—", "—", salary)}</table>${below}`,
  );

test.each([
  "<p>(1) The number of shares in this table is in thousands.</p>",
  "<p>(1) Amounts in our financial statements are in thousands.</p>",
  "<p>Selected financial data (in thousands)</p>",
  "<table><tr><td>Assets in $000s</td><td>12</td></tr></table>",
])("what %s says is in thousands is not the table above it", (below) => {
  const filing = shell(below, "2,000");
  expect(filing.rows.map((one) => one.amounts.salary)).toEqual([200_000]);
  expect(codes(filing)).not.toContain("units_unclear");
});

test("thousands that only a remark below speaks of, of salaries too large for them, are unclear", () => {
  const filing = shell("<p>(1) The amounts in this table are in thousands.</p>");
  expect(filing.rows.map((one) => one.amounts.salary)).toEqual([1_200_000]);
  expect(codes(filing)).toContain("units_unclear");
});

test.each([
  ["S$", "SGD"],
  ["NT$", "TWD"],
  ["NTD", "TWD"],
  ["NZ$", "NZD"],
  ["MX$", "MXN"],
  ["R$", "BRL"],
  ["CA$", "CAD"],
  ["Cdn.$", "CAD"],
  ["₪", "ILS"],
  ["₹", "INR"],
  ["Rs.", "INR"],
  ["₩", "KRW"],
  ["Won", "KRW"],
  ["RM", "MYR"],
  ["Baht", "THB"],
  ["PHP", "PHP"],
  ["ZAR", "ZAR"],
  ["SEK", "SEK"],
  ["NOK", "NOK"],
  ["DKK", "DKK"],
  ["PLN", "PLN"],
  ["IDR", "IDR"],
  ["VND", "VND"],
  ["RUB", "RUB"],
])("(%s) in the headers is %s", (sign, currency) => {
  const read = filing({ sign });
  expect(read.rows.map((one) => one.reporting_currency)).toEqual([currency, currency]);
  expect(codes(read)).not.toContain("units_unclear");
});

/** A table of two people without a currency in its headers, some amounts with a sign. */
const signed = (signs: readonly string[], sign = ""): ReturnType<typeof read> => {
  const person = (name: string, mark: string): string =>
    row(`${name}<br>Officer`, 2020, `${mark}500,000`, "—", "—", `${mark}1,000`, `${mark}501,000`) +
    row("", 2019, `${mark}400,000`, "—", "—", `${mark}1,000`, `${mark}401,000`);
  const head = HEAD.map((header) => header.replace(" ($)", sign));
  const people = ["Ann Example", "Bo Sample"].map((name, at) => person(name, signs[at] ?? ""));
  return read(`<p>Summary Compensation Table</p><table>${row(...head)}${people.join("")}</table>`);
};

test.each([
  [["€", "€"], "", "EUR", false],
  [["£ ", "£ "], "", "GBP", false],
  [["SGD ", "SGD "], "", "SGD", false],
  [["C$", "C$"], " ($)", "CAD", false],
  [["$", "$"], " (C$)", "CAD", false],
  [["", "€"], "", "USD", true],
  [["$", "€"], "", "USD", true],
  [["€", "€"], " ($)", "USD", true],
  [["€", "€"], " (£)", "GBP", true],
  [["$", "$"], " (€)", "EUR", true],
] as const)("%j before amounts under headers with %p: %s, unclear %p", (signs, sign, currency, unclear) => {
  const filing = signed(signs, sign);
  expect([...new Set(filing.rows.map((one) => one.reporting_currency))]).toEqual([currency]);
  expect(filing.rows.every((one) => one.problems.some(({ code }) => code === "units_unclear"))).toBe(unclear);
});

test.each([
  [row(...HEAD.map((header) => header.replace("$", "€"))), true],
  [row(...HEAD.map((header) => header.replace("$", "in thousands"))), true],
  ['<tr><td colspan="7">The amounts below are in Canadian dollars</td></tr>', true],
  ['<tr><td colspan="7">Former Officers</td></tr>', false],
  [row(...HEAD), false],
])("behind %s amounts are in other units: %p", (between, unclear) => {
  const person = (name: string): string =>
    row(`${name}<br>Officer`, 2020, "500,000", "—", "—", "1,000", "501,000");
  const filing = read(
    `<p>Summary Compensation Table</p><table>${row(...HEAD)}${person("Ann Example")}${between}${person("Bo Sample")}</table>`,
  );
  expect(codes(filing).includes("units_unclear")).toBe(unclear);
});

test.each([
  ["references to “$” are to Canadian dollars and references to “US$” are to United States dollars.", "CAD"],
  ["Unless otherwise indicated, all dollar amounts are expressed in Canadian dollars.", "CAD"],
  ["All references to dollars or $ are to Canadian currency.", "CAD"],
  ["In this prospectus, “$” means Canadian dollars.", "CAD"],
  ["In this report, references to “$”, “A$” or “dollars” are to Australian dollars.", "AUD"],
  ["All dollar amounts are in U.S. dollars and references to C$ are to Canadian dollars.", "USD"],
  ["References to “$” are to United States dollars and “C$” to Canadian dollars.", "USD"],
  ["We sold a mine for ten million Canadian dollars.", "USD"],
  ["In this section, all dollar amounts are in Canadian dollars.", "USD"],
  ["We pay tax. See this section. All dollar amounts are in Canadian dollars.", "CAD"],
])("%s A bare $ is %s", (words, currency) => {
  const far = `<p>${words}</p><p>We meet in May.</p><p>Executive Compensation</p>`;
  const table = `<p>Summary Compensation Table</p><table>${row(...HEAD)}${rows(1)}</table>`;
  expect(read(far + table).rows.map((one) => one.reporting_currency)).toEqual([currency, currency]);
});

test.each([
  ["We are a company of China and report in Renminbi (RMB).", "CNY", false],
  ["We pay in Japanese yen, and in Renminbi in China.", "CNY", true],
  ["We report in Japanese yen.", "JPY", false],
])("%s ¥ is %s, unclear %p", (words, currency, unclear) => {
  const head = HEAD.map((header) => header.replace("$", "¥"));
  const filing = read(
    `<p>${words}</p><p>Summary Compensation Table</p><table>${row(...head)}${rows(1)}</table>`,
  );
  expect(filing.rows.map((one) => one.reporting_currency)).toEqual([currency, currency]);
  expect(codes(filing).includes("units_unclear")).toBe(unclear);
});

test("the markup's own caption stands above the table", () => {
  const filing = read(
    `<p>Summary Compensation Table</p><table><caption>(in thousands)</caption>${row(...HEAD)}${rows(1)}</table>`,
  );
  expect(filing.rows.map((one) => one.amounts.salary / 1_000_000)).toEqual([1000, 800]);
});

test.each([
  [{ sign: "US$" }, "USD"],
  [{ sign: "U.S. $", above: ", Canadian dollars excepted" }, "USD"],
  [{ sign: "CAD" }, "CAD"],
  [{ sign: "C$" }, "CAD"],
  [{ sign: "Cdn $" }, "CAD"],
  [{ sign: "€" }, "EUR"],
  [{ sign: "EUR" }, "EUR"],
  [{ sign: "£" }, "GBP"],
  [{ sign: "RMB" }, "CNY"],
  [{ sign: "HK$" }, "HKD"],
  [{ sign: "A$" }, "AUD"],
  [{ sign: "CHF" }, "CHF"],
  [{ sign: "NIS" }, "ILS"],
  [{ sign: "¥" }, "JPY"],
  [{ sign: "JPY" }, "JPY"],
  [{ sign: "", above: " (in euros)" }, "EUR"],
  [{ sign: "", above: ". All amounts are in pounds sterling." }, "GBP"],
  [{ sign: "", above: ". All amounts are in U.S. dollars, not in euros." }, "USD"],
  [{ above: ". All amounts are expressed in Canadian dollars." }, "CAD"],
  [{ sign: "", above: ". Amounts paid in euros were converted." }, "USD"],
  [{ below: "All references to “$” are to Canadian dollars." }, "CAD"],
  [{}, "USD"],
])("%p: %s", (words, currency) => {
  expect(filing(words).rows.map((one) => one.reporting_currency)).toEqual([currency, currency]);
});

/** A table of two people with these signs in its headers, and words around it. */
const stated = (signs: readonly string[], { above = "", below = "", far = "", total = "" }) => {
  const head = HEAD.map((header, at) =>
    at < 2 ? header : header.replace("$", signs[at - 2] ?? signs[0] ?? "$"),
  );
  const people = rows(1).replaceAll("</tr>", total === "" ? "</tr>" : "<td>7,001</td></tr>");
  const headers = total === "" ? head : [...head, total];
  return read(
    `<p>${far}</p><p>We meet in May.</p><p>Summary Compensation Table</p><p>${above}</p><table>${row(...headers)}${people}</table><p>${below}</p>`,
  );
};
const five = (sign: string) => [sign, sign, sign, sign, sign];

describe("the currency by order of evidence", () => {
  test.each([
    // Statements about all amounts, before rates and single amounts.
    [five("$"), { above: "All amounts are in Canadian dollars. One US$ was C$1.37." }, "CAD"],
    [
      five("$"),
      { above: "The average rate was US$1.00 = C$1.37. All figures are stated in Canadian dollars." },
      "CAD",
    ],
    [five("$"), { above: "Amounts below are expressed in Australian dollars; US$0.66 bought one." }, "AUD"],
    [five(""), { above: "The table is presented in euros. A euro was US$1.08." }, "EUR"],
    [five(""), { above: "(all amounts in pounds sterling)" }, "GBP"],
    [five(""), { above: "(amounts in Swiss francs)", below: "(1) Ms. Sample’s bonus was US$5,000." }, "CHF"],
    [five("$"), { above: "All references to “$” in this section are to Canadian dollars." }, "CAD"],
    [five("$"), { above: "In this table, “$” means New Zealand dollars." }, "NZD"],
    [
      five("$"),
      { far: "All dollar amounts are in Canadian dollars.", below: "(1) Paid in US$: US$314,000." },
      "CAD",
    ],
    [five("$"), { far: "References to dollars are to Canadian dollars; “US$” is U.S. dollars." }, "CAD"],
    [five("$"), { below: "All amounts in this table are in Canadian dollars. US$1.00 was C$1.30." }, "CAD"],
    [five("$"), { above: "(Canadian dollars)" }, "CAD"],
    [
      five("$"),
      { above: "(expressed in US dollars)", far: "All dollar amounts are in Canadian dollars." },
      "USD",
    ],
    [five(""), { above: "Amounts in £, unless stated to be in US$" }, "GBP"],
    // The signs of most headers, without columns that translate.
    [five("£"), { total: "Total (US$)" }, "GBP"],
    [five("C$"), { total: "Total (US$ equivalent)" }, "CAD"],
    [five("€"), { total: "Total in US$ (convenience translation)" }, "EUR"],
    [five("US$"), { total: "Total (C$)" }, "USD"],
    [five("US$"), { far: "All dollar amounts are in Canadian dollars." }, "USD"],
    [five("€"), { below: "(1) Translated at US$1.08 to the euro." }, "EUR"],
    // Nothing but a dollar.
    [five("$"), { below: "(1) Mr. Sample is paid in Canadian dollars, translated at C$1.37." }, "USD"],
    [five("$"), { above: "Amounts paid in euros were converted at US$1.08." }, "USD"],
  ] as const)("%j with %j: %s", (signs, words, currency) => {
    const filing = stated(signs, words);
    expect(filing.rows.map((one) => one.reporting_currency)).toEqual([currency, currency]);
    expect(codes(filing)).not.toContain("units_unclear");
  });

  test.each([
    [five("$"), { above: "All amounts are in euros." }, "EUR"],
    [five("US$"), { above: "All amounts are in Canadian dollars." }, "CAD"],
    [five("£"), { above: "All amounts are stated in euros." }, "EUR"],
    [["€", "€", "€", "£", "€"], {}, "EUR"],
    [["$", "$", "€", "$", "$"], {}, "USD"],
    [
      five("$"),
      { above: "All amounts are in Canadian dollars.", below: "All amounts are in U.S. dollars." },
      "CAD",
    ],
  ] as const)("%j with %j: %s, and every row is in doubt", (signs, words, currency) => {
    const filing = stated(signs, words);
    expect(filing.rows.map((one) => one.reporting_currency)).toEqual([currency, currency]);
    for (const { problems } of filing.rows)
      expect(problems.map(({ code }) => code)).toContain("units_unclear");
  });
});

test.each(["(C$)", "(in Canadian dollars)", "– expressed in Canadian dollars", "(CAD)"])(
  "a title %s gives the currency, in the table too",
  (words) => {
    for (const [above, inside] of [
      [`<p>Summary Compensation Table ${words}</p>`, ""],
      [
        "<p>Summary Compensation Table</p>",
        `<tr><td colspan="7">Summary Compensation Table ${words}</td></tr>`,
      ],
    ]) {
      const filing = read(`${above}<table>${inside}${row(...HEAD)}${rows(1)}</table>`);
      expect(filing.rows.map((one) => one.reporting_currency)).toEqual(["CAD", "CAD"]);
      expect(codes(filing)).not.toContain("units_unclear");
    }
  },
);

test.each([
  "<hr>",
  "<p>- 47 -</p><hr>",
  "<p>Summary Compensation Table (continued)</p>",
  "<p>(1) Amounts are the grant date fair value of awards.</p>",
])("the scale above a page that has no amounts yet holds for the next one, behind %s", (between) => {
  const name = `<table>${row(...HEAD)}${row("Ann Example<br>Chief Executive Officer")}</table>`;
  const page = `<table>${row(...HEAD)}${rows(1)}</table>`;
  const body = `<p>Summary Compensation Table</p><p>(in thousands)</p>${name}${between}${page}`;
  expect(read(body).rows.map((one) => one.amounts.salary / 1_000_000)).toEqual([1000, 800]);
});

test.each(["Amounts for years before 2025 are in thousands.", "In thousands, except for 2020."])(
  "(%s) above gives only some years a scale: the units are unclear, and nothing is scaled",
  (above) => {
    const parsed = filing({ above: ` (${above})` });
    expect(parsed.rows[0]?.amounts.salary).toBe(1_000_000);
    expect(codes(parsed)).toContain("units_unclear");
  },
);

const unclearRows = (...lines: readonly (readonly (string | number)[])[]): string[] =>
  read(
    `<p>Summary Compensation Table</p><table>${[HEAD, ...lines].map((line) => row(...line)).join("")}</table>`,
  )
    .rows.filter(({ problems }) => problems.some(({ code }) => code === "units_unclear"))
    .map((one) => `${one.executive_name} ${one.fiscal_year}`);

test("totals of one person a thousand times apart are told, but not where the salaries have one scale", () => {
  const ann = ["Ann Example<br>CEO", 2025, "900,000", "—", "2,000,000", "30,000", "2,930,000"];
  expect(unclearRows(ann, ["", 2024, "880", "—", "1,900", "29", "2,809"])).toEqual([
    "Ann Example 2025",
    "Ann Example 2024",
  ]);
  expect(unclearRows(ann, ["", 2024, "5,000", "—", "—", "—", "5,000"])).toEqual([
    "Ann Example 2025",
    "Ann Example 2024",
  ]);
  expect(
    unclearRows(ann.with(4, "599,000,000").with(6, "599,930,000"), [
      "",
      2024,
      "800,000",
      "—",
      "—",
      "—",
      "800,000",
    ]),
  ).toEqual([]);
});

test("a salary below 10,000 beside awards of millions is told; one of a dollar is a founder's", () => {
  const [ann, bo] = ["5,000", "1"].map((salary, at) => [
    ["Ann Example<br>CEO", "Bo Sample<br>Founder"][at] ?? "",
    2025,
    salary,
    "—",
    "2,000,000",
    "—",
    at === 0 ? "2,005,000" : "2,000,001",
  ]);
  expect(
    unclearRows(ann ?? [], bo ?? [], ["Cy Third<br>CFO", 2025, "400,000", "—", "—", "—", "400,000"]),
  ).toEqual(["Ann Example 2025"]);
});

test.each([
  "(in $K)",
  "($ in K)",
  "(amounts in $K)",
  "(in US$K)",
  "(in K$)",
  "(€ K)",
  "(in €K)",
  "(kUSD)",
  "(USD K)",
  "(in K)",
  "(dollars in 000s)",
  "(in $1,000s)",
  "($1,000)",
  "(in thousand dollars)",
  "(thousands of US$)",
  "($ thousand)",
  "($ in thous.)",
])("%s in the title, below it, in every header or in a row of its own: thousands", (words) => {
  const pay = rows(0.1);
  // Below a `$` the words would be in doubt.
  const plain = words.includes("€") ? HEAD.map((header) => header.replace("$", "€")) : HEAD;
  const units = (head: readonly string[], above: string, inside = "") =>
    read(`<p>Summary Compensation Table${above}</p><table>${inside}${row(...head)}${pay}</table>`);
  const headed = HEAD.map((header) => header.replace("($)", words));
  for (const filing of [
    units(plain, ` ${words}`),
    units(plain, `</p><p>${words}`),
    units(headed, ""),
    units(plain, "", `<tr><td colspan="7">${words}</td></tr>`),
  ]) {
    expect(filing.rows.map((one) => one.amounts.salary)).toEqual([100_000_000, 80_000_000]);
    expect(codes(filing)).not.toContain("units_unclear");
  }
});

test("salaries of a hundred millions are not in millions", () => {
  expect(codes(filing({ above: " (in millions)", factor: 0.1 }))).toContain("units_unclear");
});
