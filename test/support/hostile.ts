/** Hostile documents, by name. Each is generated on demand, because some are large. */
export const HOSTILE: Readonly<Record<string, () => Uint8Array>> = {
  empty: () => new Uint8Array(0),
  "one byte": () => bytes("x"),
  "one bracket": () => bytes("<"),
  blanks: () => bytes(" \n\t".repeat(10_000)),
  "a zip": () => Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, ...noise(20_000)]),
  "a pdf": () => bytes(`%PDF-1.7\n${"stream ÿþ endstream ".repeat(2_000)}`),
  "an image": () => Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...noise(50_000)]),
  binary: () => Uint8Array.from(noise(1_000_000)),
  "all zero": () => new Uint8Array(1_000_000),
  "nested 10,000 deep": () =>
    bytes(TABLE.replace("<body>", `<body>${"<div>".repeat(10_000)}`) + "</div>".repeat(10_000)),
  "tables nested 10,000 deep": () =>
    bytes(`<p>Summary Compensation Table</p>${"<table><tr><td>Salary ".repeat(10_000)}`),
  "spans nested 10,000 deep in a cell": () =>
    bytes(TABLE.replace("100,000", `${"<span>".repeat(10_000)}100,000${"</span>".repeat(10_000)}`)),
  "unclosed everything": () => bytes(TABLE.replace(/<\/[a-z]+>/g, "")),
  "truncated in the table": () => bytes(TABLE.slice(0, TABLE.indexOf("210,000"))),
  "truncated in a tag": () => bytes(TABLE.slice(0, TABLE.lastIndexOf("<td") + 2)),
  "a comment without an end": () => bytes(TABLE.replace("<table", "<!-- <table")),
  "hostile entities": () =>
    bytes(
      TABLE.replace(
        "100,000",
        `&#0;&#xFFFFFFFFFF;&#99999999999999999999;&${"a".repeat(100_000)};&#xD800;&amp;&amp;amp;100,000`,
      ),
    ),
  "a bomb of entities": () =>
    bytes(
      `<!DOCTYPE x [<!ENTITY a "${"ha".repeat(50)}">${"bcdefgh".replace(/./g, (c) => `<!ENTITY ${c} "${`&${String.fromCharCode(c.charCodeAt(0) - 1)};`.repeat(10)}">`)}]>${TABLE}&h;`,
    ),
  "utf-16 little endian": () => utf16(TABLE, true),
  "utf-16 big endian": () => utf16(TABLE, false),
  "utf-16 without a mark": () => utf16(TABLE, true).slice(2),
  "latin-1 called utf-8": () => Uint8Array.from(TABLE.replace("Ada", "Adèle"), (c) => c.charCodeAt(0) & 0xff),
  "broken utf-8": () =>
    Uint8Array.from([
      ...bytes(TABLE.slice(0, 400)),
      0xc3,
      0x28,
      0xf0,
      0x9f,
      0xed,
      0xa0,
      0x80,
      ...bytes(TABLE.slice(400)),
    ]),
  "rowspan and colspan of a million": () =>
    bytes(
      TABLE.replace("<td>Ada", `<td rowspan="1000000" colspan="1000000">Ada`).replace(
        "<td>2023",
        `<td rowspan="1000000">2023`,
      ),
    ),
  "every cell spans 65,535 rows": () =>
    bytes(TABLE.replaceAll("<td>", `<td rowspan="65535" colspan="65535">`)),
  "spans that are not numbers": () => bytes(TABLE.replaceAll("<td>", `<td rowspan="-1" colspan="NaN">`)),
  "a table of a million cells": () =>
    bytes(`${TABLE}<table>${`<tr>${"<td>1</td>".repeat(1_000)}</tr>`.repeat(1_000)}</table>`),
  "a table of a million cells that says it is the one": () =>
    bytes(TABLE.replace("</table>", `${`<tr>${"<td>1</td>".repeat(1_000)}</tr>`.repeat(1_000)}</table>`)),
  "a row of a million cells": () =>
    bytes(TABLE.replace("</table>", `<tr>${"<td>2024".repeat(1_000_000)}</table>`)),
  "a hundred thousand headings": () => bytes("<p><b>Summary Compensation Table</b></p>".repeat(100_000)),
  "ten thousand tables alike": () =>
    bytes(
      `<p>Summary Compensation Table</p>${TABLE.slice(TABLE.indexOf("<table"), TABLE.indexOf("</table>") + 8)}`.repeat(
        10_000,
      ),
    ),
  "a word of ten million letters": () => bytes(`<pre>${"a".repeat(10_000_000)}</pre>`),
  "an attribute of ten million letters": () =>
    bytes(`<table style="${"a:b;".repeat(2_500_000)}"><tr><td>Salary</table>`),
  "a line of five million dots in pre": () =>
    bytes(
      `<pre>Summary Compensation Table\nName  Year  Salary  Total\n${". ".repeat(2_500_000)}1,000\n</pre>`,
    ),
  "a style sheet of a million rules": () =>
    bytes(`<style>${".a{display:none}".repeat(1_000_000)}</style>${TABLE}`),
  "fifty megabytes": () =>
    bytes(
      `<html><body>${"<p>The Compensation Committee met; total salary and bonus.</p>\n".repeat(800_000)}${TABLE}</body></html>`,
    ),
  "fifty megabytes of brackets": () => bytes("<".repeat(50_000_000)),
  "a name of a million letters": () => bytes(TABLE.replace("Ada Example", "A".repeat(1_000_000))),
  "a number of a million digits": () => bytes(TABLE.replace("100,000", "9".repeat(1_000_000))),
  "amounts with thousands of marks behind them": () => bytes(rows(`100,000${"(1)".repeat(6_000)}!`)),
  "rows without a year whose names run over a page": () =>
    bytes(rows("100,000", `Ada Example ${"serves us well, ".repeat(1_200)}`)),
  "sgml header without an end": () =>
    bytes(`<SEC-DOCUMENT>x.txt\n<SEC-HEADER>\nACCESSION NUMBER: 1\n${"CONFORMED ".repeat(10_000)}`),
  "a million documents in one submission": () =>
    bytes(`<SEC-DOCUMENT>\n${"<DOCUMENT>\n<TYPE>EX-99\n<TEXT>\n</TEXT>\n</DOCUMENT>\n".repeat(100_000)}`),
};

/** A small readable document, to be damaged. */
export const TABLE = `<html><head><meta charset="utf-8"></head><body>
<p>Summary Compensation Table</p>
<table>
<tr><td>Name and Principal Position</td><td>Year</td><td>Salary ($)</td><td>Bonus ($)</td><td>Stock Awards ($)</td><td>All Other Compensation ($)</td><td>Total ($)</td></tr>
<tr><td>Ada Example, Chief Executive Officer</td><td>2023</td><td>100,000</td><td>10,000</td><td>50,000</td><td>1,000</td><td>161,000</td></tr>
<tr><td>Ada Example, Chief Executive Officer</td><td>2022</td><td>90,000</td><td>9,000</td><td>40,000</td><td>900</td><td>139,900</td></tr>
<tr><td>Ben Sample, Chief Financial Officer</td><td>2023</td><td>210,000</td><td>5,000</td><td>20,000</td><td>500</td><td>235,500</td></tr>
</table></body></html>
`;

/** The table with 120 more rows. */
function rows(salary: string, name = "Ada Example, Chief Executive Officer</td><td>2021"): string {
  const row = `<tr><td>${name}</td><td>${salary}</td><td>10,000</td><td>50,000</td><td>1,000</td><td>161,000</td></tr>`;
  return TABLE.replace("</table>", `${row.repeat(120)}</table>`);
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function noise(length: number): number[] {
  let state = 1;
  return Array.from({ length }, () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 24);
}

function utf16(text: string, little: boolean): Uint8Array {
  const out = new Uint8Array(text.length * 2 + 2);
  const view = new DataView(out.buffer);
  view.setUint16(0, 0xfeff, little);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2 + 2, text.charCodeAt(at), little);
  return out;
}
