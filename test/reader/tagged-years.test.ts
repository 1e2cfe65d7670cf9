/** The totals that filings tag for their principal executive officers, as the forms of real filings' tags. */
import { expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";

const UNITS = `<xbrli:unit id="u1"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit><xbrli:unit id="eur"><xbrli:measure>iso4217:EUR</xbrli:measure></xbrli:unit>`;
/** A context of a year, or of the days given, with members by dimension. */
const context = (id: string, year: number, members: Record<string, string> = {}, days = ["01-01", "12-31"]) =>
  `<xbrli:context id="${id}"><xbrli:entity><xbrli:segment>${Object.entries(members)
    .map(([axis, member]) => `<xbrldi:explicitMember dimension="${axis}">${member}</xbrldi:explicitMember>`)
    .join(
      "",
    )}</xbrli:segment></xbrli:entity><xbrli:period><xbrli:startDate>${year}-${days[0]}</xbrli:startDate><xbrli:endDate>${year}-${days[1]}</xbrli:endDate></xbrli:period></xbrli:context>`;
const name = (ref: string, text: string) =>
  `<ix:nonNumeric name="ecd:PeoName" contextRef="${ref}">${text}</ix:nonNumeric>`;
const amount = (tag: string, ref: string, text: string, attributes = 'decimals="0"') =>
  `<ix:nonFraction name="ecd:${tag}" contextRef="${ref}" ${attributes.includes("unitRef") ? "" : 'unitRef="u1"'} ${attributes}>${text}</ix:nonFraction>`;
const total = (ref: string, text: string, attributes?: string) =>
  amount("PeoTotalCompAmt", ref, text, attributes);
const person = (member: string) => ({ "ecd:IndividualAxis": member });

/** The tagged years of a document without a table, one line for each officer, and its problems about tags. */
function read(...parts: string[]) {
  const filing = parseFiling(
    new TextEncoder().encode(`<html><body>${UNITS}${parts.join("")}</body></html>`),
    {
      form: "DEF 14A",
    },
  );
  const lines = filing.taggedYears.flatMap(({ start, end, currency, peos, othersAverage }) =>
    peos.map(({ name: who, member, total: cents, decimals }) =>
      [
        start,
        end,
        currency,
        who,
        member,
        cents === null ? null : cents / 100,
        decimals,
        othersAverage === null ? null : othersAverage / 100,
      ].join(" "),
    ),
  );
  return {
    lines,
    problems: filing.problems.filter(({ code }) => code === "ecd_unclear").map(({ message }) => message),
  };
}

test("one officer's totals, by year, with the average of the others", () => {
  const years = [2025, 2024].flatMap((year) => [
    context(`c${year}`, year),
    total(`c${year}`, `${year},000`),
    amount("NonPeoNeoAvgTotalCompAmt", `c${year}`, "500,000.50", 'decimals="2"'),
  ]);
  expect(read(...years, name("c2025", "Ann Lee (1)"))).toEqual({
    lines: [
      "2025-01-01 2025-12-31 USD Ann Lee  2025000 0 500000.5",
      "2024-01-01 2024-12-31 USD   2024000 0 500000.5",
    ],
    problems: [],
  });
});

test("two officers of a year: names by member, by the member's own words, and for a part of the year", () => {
  const contexts = [
    context("a", 2024, person("x:AnnLeeMember")),
    context("b", 2024, person("x:BobRayMember")),
    context("n", 2024, {}, ["05-01", "12-31"]),
  ];
  const totals = [total("a", "9,000,000"), total("b", "4,000,000")];
  expect(read(...contexts, ...totals, name("a", "Ann Lee"), name("n", "Mr. Ray"))).toEqual({
    lines: [
      "2024-01-01 2024-12-31 USD Ann Lee x:AnnLeeMember 9000000 0 ",
      "2024-01-01 2024-12-31 USD Mr. Ray x:BobRayMember 4000000 0 ",
    ],
    problems: [],
  });
  const { lines, problems } = read(...contexts, ...totals);
  expect(lines.map((line) => line.split(" ")[3])).toEqual(["", ""]);
  expect(problems).toEqual([
    "No ecd:PeoName can be tied to the principal executive officer of 2024-12-31 (x:AnnLeeMember)",
    "No ecd:PeoName can be tied to the principal executive officer of 2024-12-31 (x:BobRayMember)",
  ]);
});

test("the general member for principal executive officers is nobody's own, and a dash is nobody's total", () => {
  const contexts = [
    context("y", 2024),
    context("p", 2024, { "ecd:ExecutiveCategoryAxis": "ecd:PeoMember" }),
    context("b", 2024, person("x:BobRayMember")),
  ];
  expect(
    read(
      ...contexts,
      total("y", "9,000,000"),
      total("p", "9,000,000"),
      total("b", "—"),
      name("p", "Ms. Lee"),
    ),
  ).toEqual({
    lines: ["2024-01-01 2024-12-31 USD Ms. Lee  9000000 0 "],
    problems: [],
  });
});

test.each([
  ["9,000", 'scale="3" decimals="-3"', 9_000_000, -3],
  ["9.000.000", 'format="ixt:num-comma-decimal" decimals="INF"', 9_000_000, null],
  ["9,000,000", 'unitRef="u1"', 9_000_000, null],
  ["0", 'decimals="0"', 0, 0],
])("%s with %s is %p", (text, attributes, units, decimals) => {
  expect(read(context("y", 2024), total("y", text, attributes))).toEqual({
    lines: [`2024-01-01 2024-12-31 USD   ${units} ${decimals ?? ""} `],
    problems: [],
  });
});

test.each([
  ["nil", [total("y", "", 'xsi:nil="true"')], "", "ecd:PeoTotalCompAmt of 2024-12-31 has no readable amount"],
  [
    "negative",
    [total("y", "9", 'sign="-"')],
    "-9",
    "The total tagged for the principal executive officer of 2024-12-31 is negative: -9",
  ],
  [
    "tagged twice",
    [total("y", "8"), total("y", "9")],
    "",
    "ecd:PeoTotalCompAmt of 2024-12-31 is tagged 8 and 9",
  ],
  [
    "in two currencies",
    [total("y", "9"), amount("NonPeoNeoAvgTotalCompAmt", "y", "1", 'unitRef="eur"')],
    "9",
    "The units of the tags for 2024-12-31 differ: USD, EUR",
  ],
  [
    "with and without a member",
    [total("y", "9"), total("a", "8"), name("y", "Bob Ray"), name("a", "Ann Lee")],
    "9",
    "Totals with and without a member are tagged for 2024-12-31",
  ],
  [
    "of another dimension",
    [total("y", "9"), total("seg", "8")],
    "9",
    "ecd:PeoTotalCompAmt 8 for 2024-12-31 has the dimension dei:LegalEntityAxis, and is left out",
  ],
])("a total that is %s is a problem", (_, facts, units, problem) => {
  const contexts = [
    context("y", 2024),
    context("a", 2024, person("x:AnnLeeMember")),
    context("seg", 2024, { "dei:LegalEntityAxis": "x:SubsidiaryMember" }),
  ];
  const { lines, problems } = read(...contexts, ...facts);
  expect(lines[0]?.split(" ").slice(-3)[0]).toBe(units);
  expect(problems.join("; ")).toContain(problem);
});

test("a year with an average and no total is a problem, and so are two names of one officer", () => {
  const average = amount("NonPeoNeoAvgTotalCompAmt", "y", "5");
  expect(read(context("y", 2024), average).problems).toEqual([
    "ecd:PeoTotalCompAmt is not tagged for 2024-12-31",
  ]);
  expect(
    read(context("y", 2024), total("y", "9"), name("y", "Ann Lee"), name("y", "Bob Ray")).problems,
  ).toEqual(["More than one ecd:PeoName can be tied to the principal executive officer of 2024-12-31"]);
});
