import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../support/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "parse-"));
const file = (name: string, text: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const TABLE = `<html><body><p>SUMMARY COMPENSATION TABLE</p><table>
<tr><td>Name and Principal Position</td><td>Year</td><td>Salary ($)</td><td>Bonus ($)</td><td>All Other Compensation ($)</td><td>Total ($)</td></tr>
<tr><td rowspan="2">Ann Example<br>Chief Executive Officer</td><td>2024</td><td>100,000</td><td>—</td><td>5,000<sup>3</sup></td><td>105,000</td></tr>
<tr><td>2023</td><td>90,000.50</td><td>10,000</td><td>4,000</td><td>104,000.50</td></tr>
<tr><td>Bo Sample<br>Chief Operating Officer</td><td>2024</td><td>80,000</td><td>see below</td><td>1,000</td><td>91,000</td></tr>
<tr><td></td><td>2023</td><td>—</td><td>—</td><td>—</td><td>—</td></tr>
</table></body></html>`;

test("parse prints rows with their cells, and omits placeholders", async () => {
  const ran = await cli("parse", file("rows.htm", TABLE), "--json");
  expect(ran.code).toBe(0);
  const answer = ran.json();
  expect(answer).toMatchObject({
    status: "parsed",
    reason: null,
    rows: [
      {
        executive_id: "ann-example",
        executive_role: "Chief Executive Officer",
        fiscal_year: 2024,
        salary: 100000,
        bonus: 0,
        other_comp: 5000,
        unknown_component: 0,
        total_compensation: 105000,
        is_peo: true,
        is_pfo: false,
        reporting_currency: "USD",
        problems: [],
      },
      { executive_id: "ann-example", fiscal_year: 2023, salary: 90000.5, total_compensation: 104000.5 },
      {
        executive_id: "bo-sample",
        fiscal_year: 2024,
        salary: 80000,
        bonus: 0,
        unknown_component: 10000,
        total_compensation: 91000,
        is_peo: false,
      },
    ],
  });
  expect(ran.out).toContain('"raw": "5,0003"');
  expect(ran.out).toContain("cell_unreadable");
  expect(ran.out).not.toContain('"fiscal_year":2023,"reporting_currency":"USD","salary":0');
});

test("a document without the table is refused with the reason, which counts as an answer", async () => {
  const ran = await cli(
    "parse",
    file("none.htm", "<html><body><p>Nothing here.</p></body></html>"),
    "--json",
  );
  expect(ran.code).toBe(0);
  expect(ran.json()).toMatchObject({ status: "refused", rows: [], problems: [] });
  const archive = await cli("parse", file("a.zip", new Uint8Array([80, 75, 3, 4, 0, 0])));
  expect({ code: archive.code, out: archive.out }).toEqual({
    code: 0,
    out: expect.stringContaining("not_a_document"),
  });
});

test("a file that does not exist exits with 1 and the reason", async () => {
  const ran = await cli("parse", join(folder, "absent.htm"));
  expect({ code: ran.code, out: ran.out }).toEqual({ code: 1, out: "" });
  expect(ran.err).toContain("Cannot read");
});

test("the page shows the table with colored fields, and text of the document is never markup in it", async () => {
  const out = join(folder, "page.html");
  const hostile = TABLE.replace("Bo Sample", "Bo &lt;script&gt;alert(1)&lt;/script&gt; Sample");
  const ran = await cli("parse", file("page.htm", hostile), "--html", out);
  expect(ran.code).toBe(0);
  const page = readFileSync(out, "utf8");
  expect(page).toMatch(/<td[^>]* class="salary"[^>]*>\s*100,000/);
  expect(page).toMatch(/\.salary \{\s*background: #cfe8ff;/);
  expect(page).toContain("name_missing");
  expect(page).not.toContain("<script>");
});

test("explain marks the cell that an amount was read from", async () => {
  const ran = await cli("explain", "AAPL", "2025", "tim-cook", "salary", {
    environment: { EXECCOMP_DATA_DIR: folder },
  });
  expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
  expect(ran.out).toContain(">>3,000,000<<");
  // A rule stands between the table's captions and its rows.
  expect(ran.out).toMatch(/Salary.*\n-+\n.*Tim Cook/);
  // Counted from one, as on the page of the amount.
  expect(ran.out).toContain("row 2, column 5,");
  expect(ran.out).toContain("0001308179-26-000008");
  const typed = await cli("explain", "ABT", "2025", "robert-ford", "salary", {
    environment: { EXECCOMP_DATA_DIR: folder },
  });
  expect(typed.out).toContain("Entered manually from the filing; no cell reference");
  expect(typed.out).toContain("https://www.sec.gov/Archives/");
  const wrong = await cli("explain", "AAPL", "2025", "tim-cook", "salry", {
    environment: { EXECCOMP_DATA_DIR: folder },
  });
  expect({ code: wrong.code, err: wrong.err }).toEqual({ code: 2, err: expect.stringContaining("salary") });
});

test("explain says why an amount does not reconcile, was restated or covers less than a year", async () => {
  const explain = (...words: string[]) =>
    cli("explain", ...words, { environment: { EXECCOMP_DATA_DIR: folder } });
  const slip =
    "The filing prints a total of 3,562,568, which is 141,986 below the sum of its components; a second reading of the filing confirms the difference.";
  expect((await explain("SBUX", "2024", "sara-kelly", "unknown_component")).out).toContain(slip);
  expect((await explain("COST", "2023", "richard-galanti", "salary")).out).toContain(
    "salary 866,346 → 919,231",
  );
  const short = { code: "partial_period", message: "Covers 2025-08-07 to 2025-12-31, not a whole year." };
  const ellison = await explain("PSKY", "2025", "david-ellison", "salary", "--json");
  expect(JSON.parse(ellison.out)).toMatchObject({ problems: [short] });
  // Notes about the office belong to the flag and not to the amounts.
  const office = "The office is known from a source other than the company's filings: ";
  expect((await explain("VZ", "2023", "anthony-skiadas", "is_pfo")).out).toContain(office);
  expect((await explain("VZ", "2023", "anthony-skiadas", "salary")).out).not.toContain(office);
});

test("show prints the same notes at the row, once", async () => {
  const environment = { EXECCOMP_DATA_DIR: folder };
  const { out } = await cli("show", "PSKY", { environment });
  expect(out.match(/Covers 2025-08-07 to 2025-12-31, not a whole year\./g)).toHaveLength(5);
  const history = await cli("explain", "PSKY", "2025", "david-ellison", { environment });
  expect(history.out.match(/2025-08-07/g)).toHaveLength(1);
});

test("explain shows the evidence for a flag, with the filing's text", async () => {
  const environment = { EXECCOMP_DATA_DIR: folder };
  const ran = await cli("explain", "AAPL", "2025", "luca-maestri", "is_pfo", { environment });
  expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
  expect(ran.out).toContain("is_pfo of Luca Maestri, 2025: true");
  expect(ran.out).toContain("transitioned from his role as Chief Financial Officer in January 2025");
  const json = await cli("explain", "AAPL", "2025", "luca-maestri", "is_peo", "--json", { environment });
  expect(JSON.parse(json.out)).toMatchObject({ field: "is_peo", value: false, conflict: null });
  const absent = await cli("explain", "AAPL", "2025", "nobody", "is_peo", { environment });
  expect({ code: absent.code, err: absent.err }).toEqual({
    code: 1,
    err: expect.stringContaining("No row for nobody"),
  });
});
