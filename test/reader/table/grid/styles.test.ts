/** What a document's own style sheet and inline styles do to the text of a cell. */
import { expect, test } from "bun:test";
import { codes, HEAD, read, row, summary, table } from "../../../support/small-table.ts";

const ANN = "Ann Example|CEO|2020|1000|10|0|1010|PEO";
const inStyle = (css: string, salary: string): ReturnType<typeof read> =>
  read(
    `<style type="text/css">${css}</style>${table(row(...HEAD), row("Ann Example<br>CEO", 2020, salary, "—", "—", "10", "1,010"))}`,
  );

test.each([
  [".hd { display: none }", '<span class="hd">9</span>1,000'],
  ["body { margin: 0 } span.hd { visibility: hidden }", '<span class="hd">9</span>1,000'],
  ["<!-- .hd { display: none } -->", '<span class="hd">9</span>1,000'],
  ["/* small print */ .hd { font-size: 0 }", '<span class="hd">9</span>1,000'],
  [".a, .hd { text-decoration: line-through }", '<span class="hd">9</span>1,000'],
  [".fn { vertical-align: super }", '1,000<span class="fn">3</span>'],
  [".fn { vertical-align: sub }", '1,000<span class="fn">3</span>'],
  ["", "1,000<sub>3</sub>"],
  [
    "td { color: black } .fn { font-size: 50% }",
    '<span style="font-size:10pt">1,000<span class="fn">3</span></span>',
  ],
  ["", '<span style="display:none">9</span>1,000'],
  ["", '<span style="mso-hide:all">9</span>1,000'],
  ["", '<span style="opacity:0">9</span>1,000'],
  ["", '<span style="font-size:0">9</span>1,000'],
  ["", '<span style="color:transparent">9</span>1,000'],
  ["", '<span style="color: rgba(0, 0, 0, 0)">9</span>1,000'],
  ["", "<dialog>9</dialog>1,000"],
  ["", '<span style="position:absolute;left:-9999px">9</span>1,000'],
  ["", '<span style="text-indent:-9999px">9</span>1,000'],
  ["", '<span style="position:absolute;clip:rect(0,0,0,0)">9</span>1,000'],
  ["", '<div style="height:0;overflow:hidden">9</div>1,000'],
  ...["title", "textarea", "xmp", "iframe", "noscript", "template"].map((tag): [string, string] => [
    "",
    `<${tag}>9</${tag}>1,000`,
  ]),
  ["", "<select><option>9</option></select>1,000"],
  ["", "<span hidden>9</span>1,000"],
  ["", '1,000</td><td hidden="">9'],
  [".hd { display: none }", '1,000</td><td class="hd" style="width:1%">9'],
  // The sign is large, the amount small, and no mark of a note.
  ["", '<font size="5">$</font><font size="1">1,000</font>'],
  ["", '1,000<span style="position:relative;top:-4pt">3</span>'],
])("under %p, %p is one thousand", (css, salary) => {
  const filing = inStyle(css, salary);
  expect(summary(filing)).toEqual([ANN]);
  expect(codes(filing)).toEqual([]);
});

test.each(["text-decoration: line-through", "visibility: hidden"])(
  "a cell of a class with %s is empty and keeps its place",
  (css) => {
    const ann = row("Ann Example<br>CEO", 2020, "1,000", "—", "—", "10", "1,010").replace(
      "<td>—",
      '<td class="hd">9',
    );
    expect(summary(read(`<style>.hd { ${css} }</style>${table(row(...HEAD), ann)}`))).toEqual([ANN]);
  },
);

test("a class that hides nothing hides nothing", () => {
  expect(summary(inStyle(".hd { display: inline }", '<span class="hd">1</span>,000'))).toEqual([ANN]);
});

test.each(["<tr hidden>", '<tr style="mso-hide:all">'])("a row in %s is nobody's", (tr) => {
  const ann = row("Ann Example<br>CEO", 2020, "1,000", "—", "—", "10", "1,010");
  const bo = row("Bo Draft<br>CFO", 2020, "900", "—", "—", "10", "910").replace("<tr>", tr);
  expect(summary(read(table(row(...HEAD), ann, bo)))).toEqual([ANN]);
});

test("what stands for browsers without scripts is not there", () => {
  const ann = row("Ann Example<br>CEO", 2020, "1,000", "—", "—", "10", "1,010");
  const shown = table(row(...HEAD), ann);
  const copy = `<noscript>${shown.replace("Ann", "Bo")}</noscript>`;
  expect(summary(read(copy + shown))).toEqual([ANN]);
});

test.each([
  ["W<small>EI</small> W<small>U</small>", "Wei Wu"],
  ['<font size="3">A</font><font size="1">L</font> <font size="3">X</font><font size="1">I</font>', "Al Xi"],
  ['<font size="3">Ann Example</font><font size="1">A</font>', "Ann Example"],
])("%s in small capitals is %s", (printed, name) => {
  const filing = read(table(row(...HEAD), row(`${printed}<br>CEO`, 2020, "1,000", "—", "—", "10", "1,010")));
  expect(filing.rows.map((one) => one.executive_name)).toEqual([name]);
});

test.each(["title", "textarea", "xmp", "iframe", "select", "template"])(
  "a table inside <%s>, which no browser shows, is not read",
  (tag) => {
    const other = table(row(...HEAD), row("Bo Sample<br>CEO", 2020, "2,000", "—", "—", "10", "2,010"));
    const shown = table(row(...HEAD), row("Ann Example<br>CEO", 2020, "1,000", "—", "—", "10", "1,010"));
    const filing = read(`<${tag}>${other}</${tag}>${shown}`);
    expect(summary(filing)).toEqual([ANN]);
    expect(codes(filing)).toEqual([]);
  },
);

test("a hidden sentence about an officer is not read", () => {
  const text = "<p>Ms. Example became our Chief Executive Officer on May 1, 2021.</p>";
  const body = table(row(...HEAD), row("Ann Example<br>CEO", 2020, "1,000", "—", "—", "10", "1,010"));
  expect(read(body + text).rows[0]?.is_peo).toBe(false);
  expect(read(`${body}<div style="display:none">${text}</div>`).rows[0]?.is_peo).toBe(true);
});

test.each([
  "<bdo dir=rtl>001</bdo>",
  '<span style="direction:rtl;unicode-bidi:bidi-override">001</span>',
  "\u202e001\u202c",
  "1\u009b00",
])("%j is not read as an amount, and that is told", (bonus) => {
  const filing = read(
    table(row(...HEAD), row("Ann Example<br>CEO", 2020, "1,000", bonus, "—", "10", "1,110")),
  );
  expect(filing.rows.map(({ amounts }) => [amounts.bonus, amounts.unknown_component])).toEqual([[0, 10_000]]);
  expect(codes(filing)).toContain("cell_unreadable");
});

test.each([
  "Ann\u0000 Example<br>CEO",
  "Ann Example<br>C\u001bEO",
  "Ann \u0093Example<br>CEO",
  "\u202eAnn Example<br>CEO",
  "Ann \u2066Example<br>CEO",
  "Ann \u200fExample<br>CEO",
])("%j has a control character that is left out, and that is told", (name) => {
  const filing = read(table(row(...HEAD), row(name, 2020, "1,000", "—", "—", "10", "1,010")));
  expect(summary(filing)).toEqual([ANN]);
  expect(codes(filing)).toEqual(["control_characters"]);
});

test("a title keeps 300 characters, and a longer one is told", () => {
  const title = `Chief Executive Officer ${"and President ".repeat(30)}`;
  const filing = read(
    table(row(...HEAD), row(`Ann Example<br>${title}`, 2020, "1,000", "—", "—", "10", "1,010")),
  );
  expect(filing.rows[0]?.executive_role).toBe(title.slice(0, 300).trim());
  expect(codes(filing)).toEqual(["title_too_long"]);
});
