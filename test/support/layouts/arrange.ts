import { amountIn, columnsOf, headOf } from "./columns.ts";
import { printAmount } from "./money.ts";
import { printedName } from "./names.ts";
import type { Plan } from "./plan.ts";
import { random, type Random } from "./random.ts";
import {
  BLANK,
  plain,
  textCell,
  type AmountCell,
  type Column,
  type Line,
  type Run,
  type Sheet,
  type Slot,
} from "./sheet.ts";
import type { TruePerson, TrueYear } from "./truth.ts";
import { yearLabel } from "./years.ts";

/** One person's rows on one page; the rest may be on the next. */
interface Group {
  readonly person: TruePerson;
  readonly years: readonly TrueYear[];
  readonly lead: "full" | "blank" | "continued";
}

/** Lays out the plan's truth as physical tables: one, or two if a page ends inside. */
export function arrange(plan: Plan): Sheet[] {
  const r = random(plan.seed ^ 0x5eed);
  const columns = columnsOf(plan);
  const head = headOf(plan, columns, r);
  if (plan.choices.split === "same-table") {
    const [first = [], second = []] = pages(plan, r).map((groups, page) =>
      bodyOf(plan, columns, groups, page === 0, r),
    );
    const pageEnd = plan.seed % 2 === 0 ? [band(columns, [[plain("47")]])] : [];
    return [
      { columns, head, body: second.length === 0 ? first : [...first, ...pageEnd, ...head, ...second] },
    ];
  }
  return pages(plan, r).map((groups, page) => ({
    columns,
    head: page > 0 && plan.choices.split !== "header" ? [] : head,
    body: bodyOf(plan, columns, groups, page === 0, r),
  }));
}

function pages(plan: Plan, r: Random): Group[][] {
  const whole = plan.truth.people.map((person): Group => ({ person, years: person.years, lead: "full" }));
  const { split } = plan.choices;
  if (split === "none") return [whole];
  if (split === "header" || split === "headless" || split === "same-table") {
    if (whole.length < 2) return [whole];
    const cut = r.int(1, whole.length - 1);
    return [whole.slice(0, cut), whole.slice(cut)];
  }
  const at = whole.findIndex((group) => group.years.length > 1);
  const group = whole[at];
  if (group === undefined) return [whole];
  const lead = split === "mid-blank" ? "blank" : "continued";
  return [
    [...whole.slice(0, at), { ...group, years: group.years.slice(0, 1) }],
    [{ ...group, years: group.years.slice(1), lead }, ...whole.slice(at + 1)],
  ];
}

function bodyOf(
  plan: Plan,
  columns: readonly Column[],
  groups: readonly Group[],
  firstPage: boolean,
  r: Random,
): Slot[][] {
  const rows: Slot[][] = [];
  let section = "";
  groups.forEach((group, at) => {
    const heading = group.person.former ? "Former Executive Officers" : "Named Executive Officers";
    if (plan.choices.sections && heading !== section && (firstPage || section !== ""))
      rows.push(band(columns, [[plain(heading)]]));
    section = heading;
    if (plan.choices.blankRows && at > 0) rows.push(columns.map(() => BLANK));
    rows.push(...groupRows(plan, columns, group, firstPage && at === 0, r));
  });
  return rows;
}

function band(columns: readonly Column[], lines: readonly Line[]): Slot[] {
  return columns.map((_, at) => (at === 0 ? textCell("band", lines, 1, columns.length) : "covered"));
}

function groupRows(
  plan: Plan,
  columns: readonly Column[],
  group: Group,
  first: boolean,
  r: Random,
): Slot[][] {
  const { family, choices } = plan;
  const name = nameRuns(plan, group, r);
  const title: Line = [plain(group.person.title)];
  const both = joinTitle(plan, name, title);
  const years = group.years;
  const cells = (
    year: TrueYear | undefined,
    lead: Record<"name" | "position", Slot>,
    firstRow: boolean,
  ): Slot[] =>
    columns.map((column): Slot => {
      if (column.key === "name" || column.key === "position") return lead[column.key];
      if (year === undefined) return BLANK;
      if (column.key === "year") return textCell("year", [yearRuns(plan, year, r)]);
      return amountCell(plan, column, [year], firstRow, r);
    });
  const row = (at: number, name: Slot, position: Slot = BLANK): Slot[] =>
    cells(years[at], { name, position }, first && at === 0);
  const rest = years.slice(1).map((_, at) => at + 1);
  if (group.lead !== "full") {
    const lead =
      group.lead === "blank"
        ? BLANK
        : textCell("name", [[plain(printedName(group.person, choices.people)), plain(" (continued)")]]);
    return years.map((_, at) => row(at, at === 0 ? lead : family === "repeat" ? lead : BLANK));
  }
  switch (family) {
    case "rowspan":
      return [row(0, textCell("name", both, years.length)), ...rest.map((at) => row(at, "covered"))];
    case "repeat":
    case "year-first":
      return years.map((_, at) =>
        row(at, textCell("name", at > 0 && group.person.title.length > 30 ? [name] : both)),
      );
    case "blank":
      return [row(0, textCell("name", both)), ...rest.map((at) => row(at, BLANK))];
    case "absent":
      return [row(0, textCell("name", both)), ...rest.map((at) => row(at, "absent"))];
    case "title-row":
      return [
        cells(undefined, { name: textCell("name", [name]), position: BLANK }, false),
        row(0, textCell("name", [title])),
        ...rest.map((at) => row(at, BLANK)),
      ];
    case "title-alone":
      return [
        row(0, textCell("name", [name])),
        cells(undefined, { name: textCell("name", [title]), position: BLANK }, false),
        ...rest.map((at) => row(at, BLANK)),
      ];
    case "name-band":
      return [band(columns, both), ...years.map((_, at) => row(at, BLANK))];
    case "wrap": {
      const lines = wrapped(group.person.title, 28);
      const height = Math.max(years.length, lines.length + 1);
      return Array.from({ length: height }, (_, at) =>
        row(
          at,
          at === 0
            ? textCell("name", [name])
            : lines[at - 1] === undefined
              ? BLANK
              : textCell("name", [lines[at - 1] ?? ""]),
        ),
      );
    }
    case "title-rowspan":
      return [
        row(0, textCell("name", [name])),
        ...Array.from({ length: Math.max(1, years.length - 1) }, (_, at) =>
          row(at + 1, at === 0 ? textCell("name", [title], Math.max(1, years.length - 1)) : "covered"),
        ),
      ];
    case "year-under-name":
      return [
        cells(undefined, { name: textCell("name", [name]), position: BLANK }, false),
        cells(undefined, { name: textCell("name", [title]), position: BLANK }, false),
        ...years.map((year, at) => row(at, textCell("year", [yearRuns(plan, year, r)]))),
      ];
    case "year-beside-name":
      return years.map((year, at) =>
        row(
          at,
          textCell("name", at === 0 ? [name, title, yearRuns(plan, year, r)] : [yearRuns(plan, year, r)]),
        ),
      );
    case "stacked":
    case "pre":
    case "pre-leaders":
      return [
        columns.map((column): Slot => {
          if (column.key === "name") return textCell("name", both);
          if (column.key === "year")
            return textCell(
              "year",
              years.map((year) => yearRuns(plan, year, r)),
            );
          return amountCell(plan, column, years, first, r);
        }),
      ];
    case "position-rowspan":
      return [
        row(0, textCell("name", [name], years.length), textCell("name", [title], years.length)),
        ...rest.map((at) => row(at, "covered", "covered")),
      ];
    case "position-repeat":
      return years.map((_, at) => row(at, textCell("name", [name]), textCell("name", [title])));
    case "position-blank":
      return years.map((_, at) =>
        at === 0 ? row(at, textCell("name", [name]), textCell("name", [title])) : row(at, BLANK),
      );
  }
}

function nameRuns(plan: Plan, group: Group, r: Random): Line {
  const printed = plain(printedName(group.person, plan.choices.people));
  return plan.choices.noteStyle !== "none" && r.chance(0.3)
    ? [printed, { text: String(r.int(1, 9)), note: true }]
    : [printed];
}

function joinTitle(plan: Plan, name: Line, title: Line): Line[] {
  const { titleJoin } = plan.choices;
  if (titleJoin === "comma") return [[...name, plain(", "), ...title]];
  if (titleJoin === "dash") return [[...name, plain(" – "), ...title]];
  return [name, title];
}

function yearRuns(plan: Plan, year: TrueYear, r: Random): Run[] {
  const label = plain(yearLabel(year.year, plan.choices.yearLabel));
  return plan.choices.yearLabel === "noted" && r.chance(0.5)
    ? [label, { text: String(r.int(1, 9)), note: true }]
    : [label];
}

function amountCell(
  plan: Plan,
  column: Column,
  years: readonly TrueYear[],
  firstRow: boolean,
  r: Random,
): AmountCell {
  const { choices } = plan;
  return {
    kind: "amount",
    parts: years.map((year, at) => {
      const note = choices.noteStyle !== "none" && r.chance(0.07) ? String(r.int(1, 9)) : "";
      return printAmount(amountIn(column, year), choices, firstRow && at === 0, note);
    }),
    hidden: choices.hidden && r.chance(0.15) ? r.int(1_000, 9_999_999).toLocaleString("en-US") : "",
  };
}

/** Breaks a title into lines of at most `width` characters. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
