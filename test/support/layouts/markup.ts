import type { AmountPart } from "./money.ts";
import type { Plan } from "./plan.ts";
import { random, type Random } from "./random.ts";
import type { AmountCell, Line, Run, Sheet, Slot, TextCell } from "./sheet.ts";

/** How a typesetting house builds a grid from columns. */
type Grid = "single" | "dollar" | "workiva" | "enspace";

const GRIDS: Record<Plan["markup"], Grid> = {
  plain: "single",
  word: "single",
  "workiva-old": "single",
  donnelley: "dollar",
  novaworks: "dollar",
  workiva: "workiva",
  toppan: "enspace",
};

/** Writes one sheet as an HTML table in the markup of the plan's house. */
export function renderTable(plan: Plan, sheet: Sheet): string {
  const pen = penOf(plan);
  const rows = [
    ...sheet.head.map((row) => pen.row(row, sheet, true)),
    ...sheet.body.map((row) => pen.row(row, sheet, false)),
  ];
  return pen.table(rows, sheet);
}

interface Pen {
  row(row: readonly Slot[], sheet: Sheet, head: boolean): string;
  table(rows: readonly string[], sheet: Sheet): string;
}

function penOf(plan: Plan): Pen {
  const r = random(plan.seed ^ 0x9e11);
  const { markup, choices } = plan;
  const grid = GRIDS[markup];
  const upper = markup === "novaworks" || (markup === "plain" && plan.seed % 2 === 0);
  const [td, tr, tableTag] = upper ? ["TD", "TR", "TABLE"] : ["td", "tr", "table"];
  const ownNotes = choices.noteStyle === "own-cell" && grid === "single";
  const spacer = grid !== "enspace" && choices.spacers;
  const empty = {
    plain: "&nbsp;",
    word: '<p class="MsoNormal">&nbsp;</p>',
    "workiva-old": "<div>&#160;</div>",
    donnelley: "&nbsp;",
    novaworks: "&nbsp;",
    workiva: "",
    toppan: "&#8194;",
  }[markup];
  const cell = (html: string, colspan: number, rowspan: number, style: string): string =>
    `<${td}${colspan > 1 ? ` ${upper ? "COLSPAN" : "colspan"}="${colspan}"` : ""}${rowspan > 1 ? ` ${upper ? "ROWSPAN" : "rowspan"}="${rowspan}"` : ""}${style === "" ? "" : ` ${upper ? "STYLE" : "style"}="${style}"`}>${html === "" ? empty : html}</${td}>`;

  /** Physical columns of a logical one, without its spacer. */
  const widthOf = (amount: boolean): number => {
    if (grid === "workiva") return 3;
    if (grid === "enspace") return 3;
    if (grid === "dollar") return amount ? 3 : 1;
    return amount && ownNotes ? 2 : 1;
  };
  const gap = spacer ? (grid === "workiva" ? 3 : 1) : 0;

  const text = (slot: TextCell, sheet: Sheet, at: number): string => {
    const columns = sheet.columns.slice(at, at + slot.colspan);
    const span = columns.reduce((sum, column) => sum + widthOf(column.amount), 0) + gap * (slot.colspan - 1);
    const html = slot.lines.length === 0 ? "" : lines(plan, slot.lines, slot.role, r);
    const style = styleOf(markup, slot.role);
    if (grid !== "enspace") return cell(html, span, slot.rowspan, style);
    return (
      cell("", 1, slot.rowspan, "width:3pt") +
      cell(html, span - 2, slot.rowspan, style) +
      cell("", 1, slot.rowspan, "width:3pt")
    );
  };

  const amount = (slot: AmountCell): string => {
    const hidden =
      slot.hidden === ""
        ? ""
        : plan.seed % 2 === 0
          ? `<span class="hd">${slot.hidden}</span>`
          : `<span style="display:none">${slot.hidden}</span>`;
    const style = styleOf(markup, "blank");
    const stack = (pick: (part: AmountPart) => Line, tagged: boolean) => {
      const picked = slot.parts.map(pick);
      if (picked.every((line) => line.every((run) => run.text === ""))) return "";
      return lines(plan, picked, "year", r, tagged);
    };
    const notes = (part: AmountPart): Line => (part.note === "" ? [] : [{ text: part.note, note: true }]);
    const one = (part: AmountPart): Line => [
      { text: dollarText(part, choices.dollars) + part.body + part.close, note: false },
      ...notes(part),
    ];
    if (grid === "single") {
      if (!ownNotes) return cell(hidden + stack(one, true), 1, 1, style);
      return (
        cell(hidden + stack((part) => one({ ...part, note: "" }), true), 1, 1, style) +
        cell(stack(notes, false), 1, 1, "width:1%")
      );
    }
    const ownDollar =
      choices.dollars === "cell-first" || choices.dollars === "cell-all" || choices.dollars === "us";
    const ownNote = choices.noteStyle === "own-cell";
    const ownClose = choices.negative === "parens-cell";
    const dollars = ownDollar ? stack((part) => [{ text: part.dollar, note: false }], false) : "";
    const body = stack(
      (part) => [
        {
          text:
            (ownDollar ? "" : dollarText(part, choices.dollars)) + part.body + (ownClose ? "" : part.close),
          note: false,
        },
        ...(ownNote ? [] : notes(part)),
      ],
      true,
    );
    const tail = stack(
      (part) => [{ text: ownClose ? part.close : "", note: false }, ...(ownNote ? notes(part) : [])],
      false,
    );
    if (grid === "workiva" && dollars === "" && tail === "" && r.chance(0.5))
      return cell(hidden + body, 3, 1, style);
    if (grid === "workiva" && dollars === "")
      return cell(hidden + body, 2, 1, style) + cell(tail, 1, 1, style);
    return cell(dollars, 1, 1, "width:1%") + cell(hidden + body, 1, 1, style) + cell(tail, 1, 1, "width:1%");
  };

  return {
    row(row, sheet, head) {
      const out: string[] = [];
      row.forEach((slot, at) => {
        if (slot === "absent") return;
        if (slot !== "covered") out.push(slot.kind === "text" ? text(slot, sheet, at) : amount(slot));
        const last = at === row.length - 1;
        const coveredNext =
          row[at + 1] === "covered" && slot !== "covered" && slot.kind === "text" && slot.colspan > 1;
        const inSpan = slot === "covered" && insideColspan(row, at);
        if (gap > 0 && !last && !coveredNext && !(inSpan && row[at + 1] === "covered"))
          out.push(cell("", gap, 1, head ? "width:1%" : ""));
      });
      const color =
        !head && markup !== "plain" && r.chance(0.5)
          ? ` ${upper ? "STYLE" : "style"}="background-color:#cceeff"`
          : "";
      return `<${tr}${color}>${out.join(markup === "novaworks" ? "\n    " : "")}</${tr}>`;
    },
    table(rows, sheet) {
      const total =
        sheet.columns.reduce((sum, column) => sum + widthOf(column.amount), 0) +
        gap * (sheet.columns.length - 1);
      const widths = markup === "workiva" ? `<tr>${`<td style="width:1.0%"></td>`.repeat(total)}</tr>` : "";
      const open = {
        plain: `<${tableTag} border="1" cellpadding="2" width="100%">`,
        word: `<table class="MsoTableGrid" border="1" cellspacing="0" cellpadding="0" style="border-collapse:collapse"><tbody>`,
        "workiva-old": `<table cellpadding="0" cellspacing="0" style="font-family:Times New Roman;font-size:10pt;border-collapse:collapse;">`,
        donnelley: `<table cellspacing="0" cellpadding="0" border="0" style="border-collapse:collapse" width="100%" align="center">`,
        novaworks: `<TABLE CELLSPACING="0" CELLPADDING="0" STYLE="font: 10pt Times New Roman, Times, Serif; width: 100%; border-collapse: collapse">`,
        workiva: `<table style="border-collapse:collapse;display:inline-table;margin-bottom:5pt;vertical-align:text-bottom;width:100.000%">`,
        toppan: `<table cellpadding="0" cellspacing="0" style="border-collapse:collapse;width:460pt;">`,
      }[markup];
      return `${open}${widths}\n${rows.join("\n")}\n${markup === "word" ? "</tbody>" : ""}</${tableTag}>`;
    },
  };
}

function insideColspan(row: readonly Slot[], at: number): boolean {
  for (let back = at - 1; back >= 0; back--) {
    const slot = row[back];
    if (slot === "covered") continue;
    return slot !== undefined && slot !== "absent" && slot.kind === "text" && back + slot.colspan > at;
  }
  return false;
}

function dollarText(part: AmountPart, dollars: Plan["choices"]["dollars"]): string {
  if (part.dollar === "") return "";
  return dollars === "glued-space" || dollars === "us" || part.dollar === "US$"
    ? `${part.dollar} `
    : part.dollar;
}

function styleOf(markup: Plan["markup"], role: TextCell["role"]): string {
  if (markup === "plain") return "";
  const align = role === "caption" ? "center" : role === "name" || role === "band" ? "left" : "right";
  return markup === "workiva"
    ? `padding:2px 1pt;text-align:${align};vertical-align:bottom`
    : `text-align:${align};vertical-align:bottom`;
}

/** Lines of runs as HTML, stacked the way the house stacks them. */
function lines(plan: Plan, all: readonly Line[], role: TextCell["role"], r: Random, tagged = false): string {
  const html = all.map((line) => line.map((run) => runHtml(plan, run, role, r, tagged)).join(""));
  const blank = (line: string) => (line === "" ? "&nbsp;" : line);
  const block = plan.choices.titleJoin === "block" || plan.markup === "workiva" || plan.markup === "word";
  if (!block)
    return wrapFont(
      plan,
      html.map(blank).join(role === "caption" && plan.seed % 3 === 0 ? "<br/>\n" : "<br>"),
    );
  const tag =
    plan.markup === "word"
      ? `p class="MsoNormal" style="margin:0"`
      : plan.seed % 2 === 0
        ? "div"
        : `p style="margin:0pt"`;
  const close = tag.startsWith("p") ? "p" : "div";
  return html.map((line) => `<${tag}>${wrapFont(plan, blank(line))}</${close}>`).join("");
}

function wrapFont(plan: Plan, html: string): string {
  switch (plan.markup) {
    case "workiva":
      return `<span style="color:#000000;font-family:'Arial',sans-serif;font-size:8pt;font-weight:400;line-height:120%">${html}</span>`;
    case "workiva-old":
      return `<font style="font-family:inherit;font-size:8pt;">${html}</font>`;
    case "donnelley":
      return `<font size="1">${html}</font>`;
    case "word":
      return `<span style="font-size:8.0pt;font-family:&quot;Times New Roman&quot;">${html}</span>`;
    default:
      return html;
  }
}

function runHtml(plan: Plan, run: Run, role: TextCell["role"], r: Random, tagged: boolean): string {
  const { choices } = plan;
  if (run.note) return noteHtml(plan, run.text);
  let html = escaped(run.text, choices.characters);
  if (choices.zeroWidth && r.chance(0.3) && run.text.length > 3) html = `&#8203;${html}&#8203;`;
  if (
    choices.brokenWords &&
    role !== "blank" &&
    run.text.length > 5 &&
    !html.includes("&") &&
    r.chance(0.5)
  ) {
    const cut = r.int(2, run.text.length - 2);
    const [before, after] = [html.slice(0, cut), html.slice(cut)];
    html =
      plan.markup === "workiva-old"
        ? `<font>${before}</font><font>${after}</font>`
        : `<span>${before}</span><span style="letter-spacing:0.1pt">${after}</span>`;
  }
  if (role === "caption" && plan.markup !== "plain") html = `<b>${html}</b>`;
  const figure = /\d[\d,.]*/.exec(run.text);
  if (tagged && choices.ixbrl && figure !== null && html === run.text) {
    const name = `<ix:nonFraction contextRef="c-${r.int(1, 9)}" name="custom:Item402Amount${r.int(1, 99)}" unitRef="usd" decimals="0" id="f-${r.int(1, 9999)}">`;
    html = `${run.text.slice(0, figure.index)}${name}${figure[0]}</ix:nonFraction>${run.text.slice(figure.index + figure[0].length)}`;
  }
  return (role === "name" || role === "caption") && plan.seed % 4 === 0
    ? html.replaceAll(" ", "&nbsp;")
    : html;
}

/** A footnote marker as the plan's filer raises it. */
export function noteHtml(plan: Plan, text: string): string {
  switch (plan.choices.noteStyle) {
    case "none":
    case "paren":
      return `(${text})`;
    case "sup":
    case "own-cell":
      return `<sup>(${text})</sup>`;
    case "sup-digit":
      return `<sup style="font-size:6pt">${text}</sup>`;
    case "css-super":
      return `<span style="font-size:60%;vertical-align:super">${text}</span>`;
    case "raised":
      return `<span style="font-size:4.55pt;line-height:120%;position:relative;top:-2.44pt;vertical-align:baseline">${text}</span>`;
    case "class":
      return `<span class="fnm">${text}</span>`;
    case "small-paren":
      return `<font style="font-size:5pt">(${text})</font>`;
    case "star":
      return Number(text) % 2 === 0 ? "*" : "†";
  }
}

const NAMED: Readonly<Record<string, string>> = {
  "—": "&mdash;",
  "–": "&ndash;",
  "’": "&rsquo;",
  "“": "&ldquo;",
  "”": "&rdquo;",
  é: "&eacute;",
  ñ: "&ntilde;",
  "£": "&pound;",
  "€": "&euro;",
  "¥": "&yen;",
  "−": "&minus;",
  "†": "&dagger;",
};

/** Text as HTML, with non-ASCII characters as the plan writes them. */
export function escaped(text: string, characters: Plan["choices"]["characters"]): string {
  const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  if (characters === "raw") return safe;
  return safe.replace(/[^\x20-\x7e\n]/gu, (mark) => {
    if (characters === "named") return NAMED[mark] ?? `&#${mark.codePointAt(0)};`;
    // U+2212 is not in windows-1252, all the others used here are.
    return characters === "windows-1252" && mark !== "−" ? mark : `&#${mark.codePointAt(0)};`;
  });
}
