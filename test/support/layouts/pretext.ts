import { wrapped } from "./arrange.ts";
import type { AmountPart } from "./money.ts";
import type { Plan } from "./plan.ts";
import type { Line, Sheet, Slot } from "./sheet.ts";

const NAME_WIDTH = 38;

/**
 * Writes the sheets of one table as fixed-width text, with names wrapped next to their years and the same columns on
 * every page.
 */
export function renderPre(plan: Plan, sheets: readonly Sheet[]): string[] {
  const pages = sheets.map((sheet) => ({
    sheet,
    bodies: sheet.body.map((row) => row.map((slot) => slotLines(plan, slot))),
    heads: headLines(plan, sheet),
  }));
  const widths = (sheets[0]?.columns ?? []).map((column, at) =>
    column.key === "name"
      ? NAME_WIDTH
      : Math.max(
          ...pages.flatMap(({ heads }) => heads[at] ?? []).map((line) => line.length),
          ...pages.flatMap(({ bodies }) => bodies.flatMap((row) => row[at] ?? [])).map((line) => line.length),
        ),
  );
  return pages.map(({ sheet, bodies, heads }) => renderPage(plan, sheet, bodies, heads, widths));
}

function headLines(plan: Plan, sheet: Sheet): string[][] {
  return sheet.columns.map((column, at) => {
    const caption = sheet.head
      .map((row) => slotLines(plan, row[at] ?? "absent").join(" "))
      .join(" ")
      .trim();
    return column.key === "name" ? wrapped(caption, NAME_WIDTH - 2) : wrapped(caption, 13);
  });
}

function renderPage(
  plan: Plan,
  sheet: Sheet,
  bodies: readonly string[][][],
  heads: readonly string[][],
  widths: readonly number[],
): string {
  const pad = (text: string, at: number): string => {
    const width = widths[at] ?? 0;
    return at === 0 ? text.padEnd(width) : text.padStart(width);
  };
  const line = (parts: readonly string[]) => parts.map(pad).join("   ").trimEnd();
  const out: string[] = [];
  if (sheet.head.length > 0) {
    const depth = Math.max(...heads.map((lines) => lines.length));
    for (let row = 0; row < depth; row++)
      out.push(line(heads.map((lines) => lines[row - (depth - lines.length)] ?? "")));
    out.push(sheet.columns.map((_, at) => "-".repeat(widths[at] ?? 0)).join("   "));
  }
  bodies.forEach((row, index) => {
    const isBand = sheet.body[index]?.[1] === "covered";
    if (isBand) {
      out.push((row[0] ?? []).join(" "));
      return;
    }
    const height = Math.max(...row.map((lines) => lines.length));
    for (let at = 0; at < height; at++) {
      const parts = row.map((lines) => lines[at] ?? "");
      const leaders = plan.family === "pre-leaders" && parts[0] !== "" && (parts[1] ?? "") !== "";
      if (leaders) parts[0] = `${parts[0] ?? ""} `.padEnd(NAME_WIDTH, ".");
      out.push(line(parts));
    }
    if (plan.family === "pre" || plan.seed % 2 === 0) out.push("");
  });
  const sgml = plan.seed % 3 === 0;
  return sgml
    ? `<TABLE>\n<CAPTION>\n${out.slice(0, 0).join("")}<S>${" ".repeat(NAME_WIDTH)}<C>\n${out.join("\n")}\n</TABLE>`
    : out.join("\n");
}

function slotLines(plan: Plan, slot: Slot): string[] {
  if (slot === "covered" || slot === "absent") return [];
  if (slot.kind === "amount") return slot.parts.map((part) => amountText(plan, part));
  const texts = slot.lines.map((line) => lineText(plan, line));
  return slot.role === "name" ? texts.flatMap((text) => wrapped(text, NAME_WIDTH - 3)) : texts;
}

function lineText(plan: Plan, line: Line): string {
  return line.map((run) => (run.note ? noteText(plan, run.text) : run.text)).join("");
}

function amountText(plan: Plan, part: AmountPart): string {
  const dollar = part.dollar === "" || plan.choices.dollars === "glued" ? part.dollar : `${part.dollar} `;
  // Footnote markers are to the right of the figure, so that figures stay aligned in one column, as typists set them.
  return `${dollar}${part.body}${part.close}${part.note === "" ? "" : noteText(plan, part.note)}`;
}

function noteText(plan: Plan, text: string): string {
  return plan.choices.noteStyle === "star" ? "*" : `(${text})`;
}
