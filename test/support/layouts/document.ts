import { arrange } from "./arrange.ts";
import { renderDecoy } from "./decoys.ts";
import { renderTagged } from "./ecd.ts";
import { SENTENCES } from "./lexicon.ts";
import { escaped, noteHtml, renderTable } from "./markup.ts";
import type { Plan } from "./plan.ts";
import { renderPre } from "./pretext.ts";
import { random, type Random } from "./random.ts";

/** Markers around each physical table of the real one, until `withoutMarks` removes them; no document contains them. */
const [TABLE_START, TABLE_END] = ["\ue000", "\ue001"];

/** Writes the whole document of a plan: the bytes that a filer would have sent to EDGAR. */
export function renderDocument(plan: Plan): Uint8Array {
  const html = withoutMarks(htmlOf(plan)).text;
  const text = plan.choices.submission ? submission(plan, html) : html;
  if (plan.choices.characters === "windows-1252") return windows1252(text);
  return new TextEncoder().encode(text);
}

/**
 * The HTML of a plan with the positions of its Summary Compensation Table, for code that changes the document
 * afterwards.
 */
export function renderMarked(plan: Plan): MarkedText {
  return withoutMarks(htmlOf(plan));
}

/** Text, and where in it the physical tables of the Summary Compensation Table start and end. */
export interface MarkedText {
  readonly text: string;
  readonly tables: readonly (readonly [start: number, end: number])[];
}

function withoutMarks(marked: string): MarkedText {
  const tables: (readonly [number, number])[] = [];
  let text = "";
  for (const [at, part] of marked.split(TABLE_START).entries()) {
    const [table = "", ...rest] = at === 0 ? ["", part] : part.split(TABLE_END);
    if (at > 0) tables.push([text.length, text.length + table.length]);
    text += table + rest.join("");
  }
  return { text, tables };
}

function htmlOf(plan: Plan): string {
  const r = random(plan.seed ^ 0xd0c);
  const write = (text: string) => escaped(text, plan.choices.characters);
  const out: string[] = [];
  const filler = (paragraphs: number) => {
    for (let i = 0; i < paragraphs; i++) out.push(paragraph(plan, r));
  };
  out.push(
    `<p align="center"><b>${write(plan.truth.company)}</b></p>`,
    `<p>Fiscal year ${plan.truth.newest}</p>`,
  );
  filler(plan.choices.long ? 400 : r.int(1, 6));
  for (const decoy of plan.before) {
    out.push(renderDecoy(plan, decoy));
    filler(r.int(0, 2));
  }
  out.push(...theTable(plan));
  filler(r.int(1, 3));
  for (const decoy of plan.after) {
    out.push(renderDecoy(plan, decoy));
    filler(r.int(0, 2));
  }
  const tagged = renderTagged(plan);
  if (tagged.table !== "") out.push(tagged.table);
  filler(plan.choices.long ? 400 : r.int(0, 4));
  const charset = plan.choices.characters === "windows-1252" ? "windows-1252" : "utf-8";
  const hiddenHeader = plan.choices.ixbrl
    ? `<div style="display:none"><ix:header><ix:hidden><ix:nonNumeric name="dei:DocumentType" contextRef="c-1">DEF 14A</ix:nonNumeric></ix:hidden></ix:header></div>`
    : "";
  return `<!DOCTYPE html>\n<html>\n<head><meta http-equiv="Content-Type" content="text/html; charset=${charset}"><style type="text/css">${STYLES}</style><title>${write(plan.truth.company)}</title></head>\n<body>${hiddenHeader}${tagged.hidden}\n${out.join("\n")}\n</body>\n</html>\n`;
}

/** The style rules for hidden text and footnote markers, between rules that have no effect here. */
const STYLES =
  "body { margin: 1em } .fnm, .note { vertical-align: super; font-size: 6pt }\n.hd { display: none }\np.c { text-align: center }";

function paragraph(plan: Plan, r: Random): string {
  const text = escaped(
    Array.from({ length: r.int(1, 3) }, () => r.pick(SENTENCES)).join(" "),
    plan.choices.characters,
  );
  if (plan.markup === "workiva-old")
    return `<div style="line-height:120%;"><font style="font-family:inherit;font-size:10pt;">${text}</font></div>`;
  if (plan.markup === "workiva")
    return `<div style="margin-bottom:6pt"><span style="font-family:'Arial',sans-serif;font-size:9pt">${text}</span></div>`;
  if (plan.markup === "novaworks")
    return `<P STYLE="font: 10pt Times New Roman, Times, Serif; margin: 0pt 0">${text}</P>`;
  return `<p>${text}</p>`;
}

function theTable(plan: Plan): string[] {
  const { choices } = plan;
  const write = (text: string) => escaped(text, choices.characters);
  const heading = headingOf(plan);
  const sheets = arrange(plan);
  const out: string[] = [];
  if (heading !== "" && choices.heading !== "in-table")
    out.push(`<p align="center"><b>${write(heading)}</b></p>`);
  out.push(
    `<p>${write(`The following table shows what the named executive officers of ${plan.truth.company} earned.`)}</p>`,
  );
  if (choices.thousands === "caption") out.push(`<p align="center"><i>(in thousands)</i></p>`);
  const pageEnd =
    plan.seed % 2 === 0
      ? `<p align="center">47</p>\n<hr style="page-break-after:always">\n<p><a href="#toc">Table of Contents</a></p>`
      : `<div style="text-align:center">- 47 -</div><hr size="3" noshade>`;
  const pre = plan.family === "pre" || plan.family === "pre-leaders";
  if (pre) {
    const pages = renderPre(plan, sheets).map((page) =>
      write(page).replace(/&lt;(\/?(?:TABLE|CAPTION|S|C))&gt;/g, "<$1>"),
    );
    out.push(
      `${TABLE_START}<pre>\n${pages.join(`\n\n${" ".repeat(35)}47\n\n<PAGE>\n\n`)}\n</pre>${TABLE_END}`,
    );
  } else {
    out.push(
      sheets
        .map((sheet, at) => {
          const table = `${TABLE_START}${renderTable(plan, sheet)}${TABLE_END}`;
          if (at > 0 || choices.heading !== "in-table") return table;
          return table.replace(
            /(<table[^>]*>(?:<tbody>)?)/i,
            `$1<tr><td colspan="4" align="center"><b>${write(heading)}</b></td></tr>`,
          );
        })
        .join(`\n${pageEnd}\n`),
    );
  }
  if (choices.noteStyle !== "none") {
    for (let note = 1; note <= 9; note += 2)
      out.push(
        `<p>${noteHtml(plan, String(note))} ${write(`The amount stands for the grant date fair value computed under Topic 718; see note ${note} in the annual report for ${plan.truth.newest}.`)}</p>`,
      );
  }
  return out;
}

function headingOf(plan: Plan): string {
  const { heading, thousands } = plan.choices;
  const text = {
    table: "Summary Compensation Table",
    "plain-words": "Summary Compensation",
    "with-year": `${plan.truth.newest} Summary Compensation Table`,
    "in-table": "SUMMARY COMPENSATION TABLE",
    "other-words": "Compensation of Named Executive Officers",
    none: "",
  }[heading];
  return thousands === "heading" ? `${text} (in thousands)`.trim() : text;
}

function submission(plan: Plan, html: string): string {
  const accession = `0009999999-${String((plan.truth.newest + 1) % 100).padStart(2, "0")}-${String(plan.seed % 1_000_000).padStart(6, "0")}`;
  return `<SEC-DOCUMENT>${accession}.txt : ${plan.truth.newest + 1}0401
<SEC-HEADER>${accession}.hdr.sgml : ${plan.truth.newest + 1}0401
ACCESSION NUMBER:\t\t${accession}
CONFORMED SUBMISSION TYPE:\tDEF 14A
PUBLIC DOCUMENT COUNT:\t\t1
CONFORMED PERIOD OF REPORT:\t${plan.truth.newest + 1}0501
FILED AS OF DATE:\t\t${plan.truth.newest + 1}0401

FILER:

\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\t\t${plan.truth.company.toUpperCase()}
\t\tCENTRAL INDEX KEY:\t\t\t0009999999
\t\tFISCAL YEAR END:\t\t\t1231
</SEC-HEADER>
<DOCUMENT>
<TYPE>DEF 14A
<SEQUENCE>1
<FILENAME>proxy.htm
<DESCRIPTION>DEFINITIVE PROXY STATEMENT
<TEXT>
${html}
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>GRAPHIC
<SEQUENCE>2
<FILENAME>logo.jpg
<TEXT>
begin 644 logo.jpg
M_]C_X\`02D9)1@\`\`0$\`8\`!@\`\`#_VP!#\`\`@&!@<&!0@'!P<)"0@*#!0-#\`L+
end
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`;
}

const HIGH: Readonly<Record<string, number>> = {
  "€": 0x80,
  "’": 0x92,
  "“": 0x93,
  "”": 0x94,
  "–": 0x96,
  "—": 0x97,
  "†": 0x86,
};

function windows1252(text: string): Uint8Array {
  return Uint8Array.from(text, (mark) => HIGH[mark] ?? Math.min(mark.charCodeAt(0), 0xff));
}
