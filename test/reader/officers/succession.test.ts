/** Earlier, acting and ended offices of people in the table: each flag is right, or the row says that it is not clear. */
import { describe, expect, test } from "bun:test";
import { HEAD, read, row } from "../../support/small-table.ts";

const COVER = "<p>Tern Harbor, Inc.</p><p>For the fiscal year ended December 31, 2024</p>";
type Years = readonly [title: string, ...years: number[]];

function filing(words: string, people: Readonly<Record<string, Years>>) {
  const rows = Object.entries(people).flatMap(([name, [title, ...years]], at) =>
    years.map((year, line) => {
      const salary = 900_000 - 100_000 * at + year;
      return row(line === 0 ? `${name}<br>${title}` : "", year, salary, "—", "—", "1,000", salary + 1000);
    }),
  );
  return read(
    `${COVER}<p>${words}</p><p>Summary Compensation Table</p><table>${row(...HEAD)}${rows.join("")}</table>`,
  );
}

/** The flags of each row that are neither as expected nor told: `Dora 2024 PFO` is missing, `not Dora 2023 PEO` is wrong. */
function silent(
  words: string,
  people: Readonly<Record<string, Years>>,
  expected: readonly string[],
): string[] {
  return filing(words, people).rows.flatMap(({ executive_name, fiscal_year, is_peo, is_pfo, problems }) =>
    [["PEO", is_peo, "peo_unclear"] as const, ["PFO", is_pfo, "pfo_unclear"] as const].flatMap(
      ([office, isHeld, unclear]) => {
        const key = `${executive_name.split(" ")[0]} ${fiscal_year} ${office}`;
        if (isHeld === expected.includes(key) || problems.some(({ code }) => code === unclear)) return [];
        return [isHeld ? `not ${key}` : key];
      },
    ),
  );
}

const of = (name: string, office: string, ...years: readonly number[]) =>
  years.map((year) => `${name} ${year} ${office}`);

const PROMOTED = {
  "Dora Venn": ["President and Chief Executive Officer", 2024, 2023, 2022],
  "Lars Okada": ["Former Chief Executive Officer", 2024, 2023, 2022],
  "Pia Stroud": ["Chief Financial Officer", 2024],
} as const;
const LARS =
  "Mr. Okada retired as Chief Executive Officer on April 30, 2024. Ms. Stroud joined as Chief Financial Officer on May 1, 2024.";

describe("who was financial officer before becoming chief executive", () => {
  test.each([
    "Effective May 1, 2024, Ms. Venn, our then Chief Financial Officer, was appointed President and Chief Executive Officer.",
    "On May 1, 2024, the Board appointed Ms. Venn, then our Chief Financial Officer, as President and Chief Executive Officer.",
    "Dora Venn, our Chief Financial Officer at the time, became President and Chief Executive Officer on May 1, 2024.",
    "Ms. Venn has been our Chief Executive Officer since May 1, 2024 and was our Chief Financial Officer prior to that date.",
    "Ms. Venn became our Chief Executive Officer in May 2024. Prior to that, she was our Chief Financial Officer for six years.",
    "Ms. Venn became our Chief Executive Officer on May 1, 2024. Before that, she served as our Chief Financial Officer.",
    "Ms. Venn was named Chief Executive Officer on May 1, 2024, after six years as our Chief Financial Officer.",
    "After six years as our Chief Financial Officer, Ms. Venn was named Chief Executive Officer on May 1, 2024.",
    "Ms. Venn, who had been our Chief Financial Officer since 2018, was appointed Chief Executive Officer on May 1, 2024.",
    "Ms. Venn, who previously served as our Chief Financial Officer, became Chief Executive Officer on May 1, 2024.",
    "Ms. Venn was our Chief Financial Officer until her appointment as Chief Executive Officer on May 1, 2024.",
    "Ms. Venn was promoted from Chief Financial Officer to Chief Executive Officer on May 1, 2024.",
    "Ms. Venn was our Chief Financial Officer before becoming Chief Executive Officer on May 1, 2024.",
    "Before becoming Chief Executive Officer on May 1, 2024, Ms. Venn was our Chief Financial Officer.",
    "Ms. Venn became Chief Executive Officer on May 1, 2024, having served as our Chief Financial Officer since 2018.",
    "Ms. Venn became Chief Executive Officer on May 1, 2024. Our former Chief Financial Officer, Ms. Venn, joined in 2010.",
    "Ms. Venn became Chief Executive Officer on May 1, 2024. She had previously been our Chief Financial Officer.",
    "Ms. Venn, formerly our Chief Financial Officer, became Chief Executive Officer on May 1, 2024.",
    "Ms. Venn succeeded Mr. Okada as Chief Executive Officer on May 1, 2024 and had until then been our Chief Financial Officer.",
    "On May 1, 2024 Ms. Stroud became Chief Financial Officer, a role previously held by Ms. Venn, who became Chief Executive Officer.",
    "Ms. Venn became Chief Executive Officer on May 1, 2024. Ms. Stroud became Chief Financial Officer that day. Ms. Venn previously held the role.",
  ])("%s", (words) => {
    const expected = [
      ...of("Dora", "PEO", 2024),
      ...of("Dora", "PFO", 2024, 2023, 2022),
      ...of("Lars", "PEO", 2024, 2023, 2022),
      ...of("Pia", "PFO", 2024),
    ];
    expect(silent(`${words} ${LARS}`, PROMOTED, expected)).toEqual([]);
    expect(silent(`${LARS} ${words}`, PROMOTED, expected)).toEqual([]);
  });
});

const MOVED = {
  "Dora Venn": ["Executive Vice President and Chief Financial Officer", 2024, 2023],
  "Lars Okada": ["Chief Executive Officer", 2024],
  "Pia Stroud": ["General Counsel", 2024, 2023],
} as const;

describe("who was chief executive before becoming financial officer", () => {
  test.each([
    "Effective May 1, 2024, Ms. Venn, our then Chief Executive Officer, was appointed Chief Financial Officer.",
    "Ms. Venn has been our Chief Financial Officer since May 1, 2024 and was our Chief Executive Officer prior to that date.",
    "Ms. Venn became our Chief Financial Officer in May 2024. Prior to that, she was our Chief Executive Officer.",
    "After ten years as our Chief Executive Officer, Ms. Venn became Chief Financial Officer on May 1, 2024.",
    "Ms. Venn, who had been our Chief Executive Officer since 2014, became Chief Financial Officer on May 1, 2024.",
    "Mr. Okada became Chief Executive Officer on May 1, 2024, a position previously held by Ms. Venn, now our Chief Financial Officer.",
    "Ms. Venn became Chief Financial Officer on May 1, 2024. She had formerly been our Chief Executive Officer.",
  ])("%s", (words) => {
    const start = "Mr. Okada joined as Chief Executive Officer on May 1, 2024.";
    const expected = [
      ...of("Dora", "PEO", 2024, 2023),
      ...of("Dora", "PFO", 2024),
      ...of("Lars", "PEO", 2024),
    ];
    expect(silent(`${start} ${words}`, MOVED, expected)).toEqual([]);
  });
});

const ACTED = {
  "Lars Okada": ["Chief Executive Officer", 2024, 2023],
  "Pia Stroud": ["Chief Financial Officer", 2024, 2023],
  "Dora Venn": ["Chief Operating Officer", 2024, 2023],
} as const;

describe("who acted for a chief executive on leave", () => {
  test.each([
    "From March 1 to June 30, 2024, while Mr. Okada was on medical leave, Ms. Venn served as acting Chief Executive Officer.",
    "Ms. Venn served as acting Chief Executive Officer from March 1 to June 30, 2024, during Mr. Okada’s leave of absence.",
    "During Mr. Okada’s medical leave from March through June 2024, Ms. Venn acted as our Chief Executive Officer.",
    "Mr. Okada took a leave of absence in 2024, during which Ms. Venn served as interim Chief Executive Officer.",
    "While Mr. Okada was on leave between March 1, 2024 and June 30, 2024, Ms. Venn was our acting Chief Executive Officer.",
    "Ms. Venn assumed the duties of Chief Executive Officer on March 1, 2024 and Mr. Okada resumed them on June 30, 2024.",
    "Ms. Venn performed the functions of our principal executive officer from March 1, 2024 until June 30, 2024.",
    "Ms. Venn, our acting Chief Executive Officer from March 1, 2024 to June 30, 2024, is our Chief Operating Officer.",
    "In Mr. Okada’s absence in the spring, Ms. Venn served as our acting Chief Executive Officer.",
  ])("%s", (words) => {
    const expected = [
      ...of("Lars", "PEO", 2024, 2023),
      ...of("Pia", "PFO", 2024, 2023),
      ...of("Dora", "PEO", 2024),
    ];
    expect(silent(words, ACTED, expected)).toEqual([]);
  });
});

const DIED = (title: string) =>
  ({
    "Lars Okada": [title, 2024, 2023],
    "Dora Venn": ["Chief Executive Officer", 2024, 2023],
    "Pia Stroud": ["Chief Financial Officer", 2024, 2023],
  }) as const;

describe("a death ends a term", () => {
  const SUCCESSORS = [
    "On August 11, 2024 the Board appointed Ms. Venn, our Chief Operating Officer, as Chief Executive Officer.",
    "Ms. Venn, our Chief Operating Officer, succeeded him.",
    "",
  ];
  test.each([
    "Mr. Okada passed away on August 9, 2024.",
    "On August 9, 2024, Mr. Okada died unexpectedly.",
    "Mr. Okada died suddenly in August 2024.",
    "Following the death of Mr. Okada on August 9, 2024, the office was vacant for two days.",
    "Upon Mr. Okada’s passing on August 9, 2024, his awards vested.",
    "We mourn Mr. Okada.",
  ])("%s", (words) => {
    const expected = [
      ...of("Lars", "PEO", 2024, 2023),
      ...of("Dora", "PEO", 2024),
      ...of("Pia", "PFO", 2024, 2023),
    ];
    for (const title of ["Late Chief Executive Officer", "Former Chief Executive Officer (deceased)"])
      for (const successor of SUCCESSORS)
        expect(silent(`${words} ${successor}`, DIED(title), expected)).toEqual([]);
  });
});

test("an office beside a name that no sentence dates is unclear in every year, and only for that person", () => {
  const { rows } = filing(
    "In Mr. Okada’s absence in the spring, Ms. Venn served as our acting Chief Executive Officer.",
    ACTED,
  );
  const unclear = rows.filter(({ problems }) => problems.some(({ code }) => code === "peo_unclear"));
  expect(unclear.map((one) => `${one.executive_name} ${one.fiscal_year}`)).toEqual([
    "Dora Venn 2024",
    "Dora Venn 2023",
  ]);
});

test.each([
  "Ms. Venn reports to our Chief Executive Officer.",
  "Ms. Venn was never our Chief Executive Officer.",
  "Ms. Venn was Chief Financial Officer of Foo Corp. before that.",
  "Ms. Venn’s award was recommended by our Chief Financial Officer.",
  "The pay of Ms. Venn is a third of that of our Chief Executive Officer.",
])("%s gives nobody an office", (words) => {
  const { rows } = filing(words, ACTED);
  expect(rows.flatMap(({ problems }) => problems.map(({ code }) => code))).toEqual([]);
});

test("in a chart of boxes the office behind a name may be the next one's: whoever has no title in the table gets none", () => {
  const boxes =
    "Chief Financial Officer</p><p>Dora Venn</p><p>Chief Executive Officer</p><p>Lars Okada</p><p>General Counsel";
  const { rows } = filing(boxes, { "Dora Venn": ["", 2024], "Lars Okada": ["", 2024] });
  expect(rows.map(({ is_peo, is_pfo }) => [is_peo, is_pfo])).toEqual([
    [false, false],
    [false, false],
  ]);
});
