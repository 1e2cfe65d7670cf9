/** Tables of other people, and of other pay of the same people, in documents whose own table cannot be read. */
import { describe, expect, test } from "bun:test";
import { HEAD, read, row, summary } from "../support/small-table.ts";

const TITLE = "<h3>Summary Compensation Table</h3>";
const IMAGE = '<p><img src="g1.jpg" alt=""></p>';
const COVER =
  "<p>Zephyr Works, Inc.</p><p>Ida Quill has served as our Chief Executive Officer since 2015.</p>";
const html = (...rows: readonly (readonly (string | number)[])[]) =>
  `<table>${rows.map((cells) => row(...cells)).join("")}</table>`;

const FEES = "Fees Earned or Paid in Cash ($)";
const OTHER = "All Other Compensation ($)";
const BOARD = [
  ["Nora Ash", 2024, "90,000", "150,000", "1,000", "241,000"],
  ["Ida Quill", 2024, "85,000", "150,000", "1,000", "236,000"],
] as const;
const DIRECTORS = html(["Name", "Year", FEES, "Stock Awards ($)", OTHER, "Total ($)"], ...BOARD);
const UNDATED = html(
  ["Name", FEES, "Stock Awards ($)", OTHER, "Total ($)"],
  ...BOARD.map(([name, , ...amounts]) => [name, ...amounts]),
);
const RETAINERS = html(
  ["Director", "Year", "Cash Retainer ($)", "Stock Awards ($)", OTHER, "Total ($)"],
  ...BOARD,
);
const ALIKE = html(
  HEAD,
  ["Ida Quill<br>Chief Executive Officer", 2024, "900,000", "400,000", "2,000,000", "10,000", "3,310,000"],
  ["Otto Reyes<br>Chief Financial Officer", 2024, "500,000", "200,000", "900,000", "9,000", "1,609,000"],
);
const ALIKE_UNDATED = html(
  ["Name and Principal Position", "Salary ($)", "Bonus ($)", "Stock Awards ($)", OTHER, "Total ($)"],
  ["Ida Quill<br>Chief Executive Officer", "900,000", "400,000", "2,000,000", "10,000", "3,310,000"],
  ["Otto Reyes<br>Chief Financial Officer", "500,000", "200,000", "900,000", "9,000", "1,609,000"],
);

/** Headings and sentences above tables of others; each sentence refers to the table without being its title. */
const OTHERS: readonly (readonly [heading: string, sentence: string])[] = [
  [
    "Director Compensation",
    "Mr. Quill’s pay as an officer for 2024 is reported in the Summary Compensation Table above.",
  ],
  [
    "Board Compensation",
    "Our outside directors earned the following in 2024; see the Summary Compensation Table for Ms. Quill.",
  ],
  [
    "Compensation of Non-Employee Directors",
    "Other than as shown within our 2024 Summary Compensation Table, directors earned:",
  ],
  [
    "2024 Director Compensation",
    "This table, like the Summary Compensation Table, follows the rules of the SEC.",
  ],
  [
    "Fees of the Board",
    "Fees for 2024 are in addition to amounts in the “Summary Compensation Table” below.",
  ],
];
const VIEWS: readonly (readonly [heading: string, sentence: string])[] = [
  [
    "Severance",
    "The table shows 2024 amounts payable to the officers named in the Summary Compensation Table.",
  ],
  [
    "Potential Payments Upon Termination",
    "The following table shows amounts for our named executive officers at the end of 2024.",
  ],
  [
    "2025 Compensation Decisions",
    "The following table shows what the Committee decided for our named executive officers.",
  ],
  [
    "How the Committee Views 2024 Pay",
    "Unlike the Summary Compensation Table, this table leaves out one-time awards.",
  ],
  ["Target Compensation", "The following table shows 2024 pay of our named executive officers at target."],
  ["Realized Compensation", "The following table shows what our named executive officers realized in 2024."],
  [
    "Illustration of a Change in Control",
    "For the officers in the Summary Compensation Table, amounts as of December 31, 2024.",
  ],
  [
    "Retention Program",
    "The table below is for executive officers only and differs from the Summary Compensation Table.",
  ],
  [
    "Annualized Pay of New Hires",
    "The following table shows 2024 pay of our executive officers as if they had served all year.",
  ],
  ["Employment Agreements", "Our executive officers were promised the following for 2024."],
];

describe.each([
  ["an image under the title", TITLE + IMAGE],
  ["nothing under the title", TITLE],
  ["only the end of a page under the title", `${TITLE}<p>45</p><hr><p>Table of Contents</p>`],
  [
    "a title that runs into its sentence",
    `<p><b>Summary Compensation Table.</b> It is shown here.</p>${IMAGE}`,
  ],
  ["no title at all", "<p>Our compensation is reviewed each year.</p>"],
])("with %s", (_, own) => {
  const refused = (above: string, table: string) => {
    const filing = read(`${COVER}${own}${above}${table}`);
    expect({ rows: summary(filing), status: filing.status }).toEqual({ rows: [], status: "refused" });
  };
  test.each(OTHERS)("under “%s” no director is served as an officer", (heading, sentence) => {
    for (const table of [DIRECTORS, UNDATED, RETAINERS]) {
      refused(`<h3>${heading}</h3><p>${sentence}</p>`, table);
      refused(`<p><b>${heading}</b></p><p>${sentence}</p><p>($)</p>`, table);
      refused(`<table>${row(heading)}</table><p>${sentence}</p>`, table);
      refused(`<table>${row(heading)}</table>`, table);
      refused(`<p>${sentence}</p>`, table);
    }
  });
  test.each([
    "The following table shows amounts payable to our named executive officers upon a change in control.",
    "If employment had ended on December 31, 2024, our executive officers would have received the amounts below.",
    "The table below assumes a termination of our named executive officers in 2024.",
    "For 2025 the Committee decided as shown in the following table for our executive officers.",
  ])("below “%s” no other pay is served", (sentence) => {
    refused(`<p>${sentence}</p>`, ALIKE);
    refused(`<h3>Executive Compensation</h3><p>${sentence}</p>`, ALIKE);
    refused(`<p>${sentence}</p><p>(in dollars)</p>`, ALIKE_UNDATED);
  });
  test.each(VIEWS)("under “%s” no other view of pay is served", (heading, sentence) => {
    for (const table of [ALIKE, ALIKE_UNDATED]) {
      refused(`<h3>${heading}</h3><p>${sentence}</p>`, table);
      refused(`<h3>${heading}</h3>`, table);
      refused(`<table>${row(heading)}</table>`, table);
    }
  });
});

test("a heading of the officers’ own between the title and the table does not hide it", () => {
  for (const between of [
    "Named Executive Officers",
    "2024 Executive Compensation",
    "(in dollars)",
    "Zephyr Works, Inc.",
  ])
    expect(summary(read(`${COVER}${TITLE}<p>${between}</p>${ALIKE}`))).toHaveLength(2);
});

test("a table without a column of salaries is read if it adds up, and not if it does not", () => {
  const unsalaried = (total: string) =>
    read(
      `${COVER}${TITLE}${html(
        ["Name and Principal Position", "Year", "Bonus ($)", "Stock Awards ($)", "Total ($)"],
        ["2023 Named Executive Officers"],
        ["Ida Quill<br>Chief Executive Officer", 2024, "400,000", "2,000,000", total],
        ["", 2023, "—", "900,000", "900,000"],
      )}`,
    );
  expect(summary(unsalaried("2,400,000"))).toEqual([
    "Ida Quill|Chief Executive Officer|2024|0|0|0|2400000|PEO",
    "Ida Quill|Chief Executive Officer|2023|0|0|0|900000|PEO",
  ]);
  expect(summary(unsalaried("3,400,000"))).toEqual([]);
});

test("fees are never a salary", () => {
  const filing = read(`${COVER}${TITLE}${DIRECTORS}`);
  expect(filing.status).toBe("refused");
});

test("a title in a list of contents is not the table’s", () => {
  const list = '<p><a href="#t">Summary Compensation Table</a></p><p>Summary Compensation Table</p><p>45</p>';
  const own =
    "<h3>Executive Compensation</h3><p>The following table shows pay of our named executive officers.</p>";
  expect(summary(read(`${COVER}${list}${own}${ALIKE}`))).toHaveLength(2);
});

test("a table that could be the officers’ own is another one where the title stands above an image", () => {
  const own = `<h3>Executive Compensation</h3><p>The following table shows pay of our named executive officers.</p>${ALIKE}`;
  expect(summary(read(`${COVER}${own}`))).toHaveLength(2);
  const filing = read(`${COVER}${TITLE}${IMAGE}<p>See page 2.</p>${own}`);
  expect({ reason: filing.reason, rows: filing.rows }).toEqual({ reason: "image_only", rows: [] });
});
