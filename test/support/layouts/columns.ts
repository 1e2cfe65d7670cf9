import { unitMark } from "./money.ts";
import type { Plan } from "./plan.ts";
import type { Random } from "./random.ts";
import { BLANK, plain, textCell, type Column, type Line, type Slot } from "./sheet.ts";
import type { PrintedComponent } from "../../../src/domain/row-fields.ts";
import type { TrueYear } from "./truth.ts";

const LETTERS: Partial<Record<Column["key"], string>> = {
  name: "(a)",
  year: "(b)",
  salary: "(c)",
  bonus: "(d)",
  stock_awards: "(e)",
  option_awards: "(f)",
  non_equity_incentive: "(g)",
  pension_change: "(h)",
  other_comp: "(i)",
  total: "(j)",
};

/** The columns that the plan's filer prints, from left to right. */
export function columnsOf(plan: Plan): Column[] {
  const { captions, choices, family } = plan;
  const column = (
    key: Column["key"],
    lines: readonly string[],
    part: Column["part"] = "whole",
    group = "",
  ): Column => ({
    key,
    part,
    lines,
    group,
    amount: key !== "name" && key !== "position" && key !== "year",
  });
  const name = column(
    "name",
    family.startsWith("year-") && family !== "year-first"
      ? [...captions.name, "and Year"]
      : nameCaption(plan),
  );
  const year = column("year", captions.year);
  const lead =
    family === "year-first"
      ? [year, name]
      : family === "year-under-name" || family === "year-beside-name"
        ? [name]
        : family.startsWith("position-")
          ? [name, column("position", captions.position), year]
          : [name, year];
  const amounts = plan.truth.columns.flatMap((field): Column[] => {
    if (field === "non_equity_incentive" && choices.nonEquity === "subtotal-group") {
      const group = "Non-Equity Incentive Plan Compensation";
      return [
        column(field, ["Annual"], "first", group),
        column(field, ["Long-Term"], "second", group),
        column(field, ["Total"], "whole", group),
      ];
    }
    if (field === "non_equity_incentive" && choices.nonEquity === "subtotal")
      return [
        column(field, ["Annual", "Incentive Plan"], "first"),
        column(field, ["Long-Term", "Incentive Plan"], "second"),
        column(field, ["Total Non-Equity", "Incentive Plan", "Compensation"]),
      ];
    if (field === "non_equity_incentive" && choices.nonEquity === "subtotal-plain")
      return [
        column(field, ["Annual", "Incentive"], "first"),
        column(field, ["Long-Term", "Incentive"], "second"),
        column(field, ["Total Non-Equity", "Incentive Plan", "Compensation"]),
      ];
    if (field === "stock_awards" && choices.stock === "rsu-psu")
      return [
        column(field, ["Restricted Stock", "Unit Awards"], "first"),
        column(field, ["Performance Stock", "Unit Awards"], "second"),
      ];
    if (field === "pension_change" && choices.pension === "split")
      return [
        column(field, ["Change in", "Pension Value"], "first"),
        column(field, ["Nonqualified", "Deferred", "Compensation", "Earnings"], "second"),
      ];
    return [column(field, captions[field])];
  });
  const tail = [column("total", captions.total)];
  if (choices.afterTotal) tail.push(column("after", ["Total Without", "Change in", "Pension Value"]));
  return [...lead.filter(({ key }) => !choices.undated || key !== "year"), ...amounts, ...tail];
}

function nameCaption(plan: Plan): readonly string[] {
  return plan.family.startsWith("position-") ? ["Name"] : plan.captions.name;
}

/** What a column shows for a year, in cents. */
export function amountIn(column: Column, year: TrueYear): number | null {
  if (column.key === "total") return year.total;
  if (column.key === "after")
    return year.total === null ? null : year.total - (year.amounts.pension_change ?? 0);
  // Only amount columns get here, and those keys are the printed fields.
  const value = year.amounts[column.key as PrintedComponent];
  if (value === null || column.part === "whole") return value;
  const step = Math.abs(value) % 100_000 === 0 ? 100_000 : Math.abs(value) % 100 === 0 ? 100 : 1;
  const first = Math.trunc(value / step / 3) * step;
  return column.part === "first" ? first : value - first;
}

/** The rows of the header; `note` returns the footnote of each caption or an empty string. */
export function headOf(plan: Plan, columns: readonly Column[], r: Random): Slot[][] {
  const { choices } = plan;
  const showUnit =
    choices.thousands === "header" ||
    choices.currency !== "USD" ||
    choices.dollars === "none" ||
    r.chance(0.5);
  const unitOnOwnLine = r.chance(0.6);
  const captions = columns.map((column): Line[] => {
    const note =
      choices.noteStyle !== "none" && column.amount && r.chance(0.3)
        ? [{ text: String(r.int(1, 9)), note: true }]
        : [];
    const words = column.lines.map((line) => (choices.upperCaptions ? line.toUpperCase() : line));
    const unit = column.amount && showUnit ? unitMark(choices) : "";
    const lines: Line[] = words.map((line) => [plain(line)]);
    const last = lines.length - 1;
    if (unit !== "" && unitOnOwnLine)
      return r.chance(0.5)
        ? [...lines, [plain(unit), ...note]]
        : [...lines.slice(0, last), [...(lines[last] ?? []), ...note], [plain(unit)]];
    return [
      ...lines.slice(0, last),
      [...(lines[last] ?? []), ...(unit === "" ? [] : [plain(` ${unit}`)]), ...note],
    ];
  });
  const grouped = columns.some((column) => column.group !== "");
  const rows: Slot[][] = [];
  if (choices.header === "split-rows" && !grouped) {
    const depth = Math.max(...captions.map((lines) => lines.length));
    for (let row = 0; row < depth; row++)
      rows.push(
        captions.map((lines) => {
          const line = lines[row - (depth - lines.length)];
          return line === undefined ? BLANK : textCell("caption", [line]);
        }),
      );
  } else {
    const lines = choices.header === "breaks" ? captions : captions.map((caption) => [joined(caption)]);
    if (grouped) {
      rows.push(
        columns.map((column, at) => {
          if (column.group === "") return textCell("caption", lines[at] ?? [], 2);
          return columns[at - 1]?.group === column.group
            ? "covered"
            : textCell("caption", [column.group], 1, columns.filter((c) => c.group === column.group).length);
        }),
      );
      rows.push(
        columns.map((column, at) => (column.group === "" ? "covered" : textCell("caption", lines[at] ?? []))),
      );
    } else rows.push(lines.map((caption) => textCell("caption", caption)));
  }
  const letters: Slot[] = columns.map((column) => textCell("caption", [LETTERS[column.key] ?? ""]));
  if (choices.letters === "top") rows.unshift(letters);
  if (choices.letters === "bottom") rows.push(letters);
  return rows;
}

/** A caption's lines as one; hyphenated words are rejoined, as a filer would print them on one line. */
function joined(caption: readonly Line[]): Line {
  return caption
    .flatMap((line, at): Line => {
      const before = caption[at - 1]?.at(-1)?.text ?? "";
      return at === 0 || before.endsWith("compen-") ? line : [plain(" "), ...line];
    })
    .map((run) => ({ ...run, text: run.text.replace(/compen-$/, "compen") }));
}
