import { isSameYearEnd } from "../domain/fiscal-year.ts";
import { executiveId } from "../domain/executive.ts";
import { PARTS } from "./table/header.ts";
import { readNarrative } from "./officers/narrative.ts";
import { readOfficers, type Officers } from "./officers/officers.ts";
import type { TableOfficer } from "./officers/claims.ts";
import type { FilingFacts, OfficeTerm, ParsedRow, TableCopy } from "./parsed.ts";
import { namedInText } from "./table/full-names.ts";
import { readPeople, type Person } from "./table/people.ts";
import { readPeriods, readShortPeriod, type FiscalPeriods } from "./officers/fiscal-periods.ts";
import type { Problem, ProblemCode, Step } from "./problem.ts";
import { planColumns } from "./table/column-plan.ts";
import { reconcile, type Reconciled } from "./table/reconcile.ts";
import type { Candidate } from "./table/candidates.ts";
import { letters, stripTags, tidy } from "./document/text.ts";
import { sameName } from "./officers/tags.ts";
import { dollarOf, readUnits } from "./table/units.ts";
import { readEcd, type EcdFact } from "./document/inline-xbrl.ts";
import type { YearRow } from "./table/cells.ts";

/** The rows of one table with everything that was said about them. */
export interface Observed {
  readonly rows: readonly ParsedRow[];
  readonly offices: readonly OfficeTerm[];
  readonly problems: readonly Problem[];
  readonly tables: readonly TableCopy[];
  readonly regime: "full" | "scaled";
}

interface Draft {
  person: number;
  /** As printed beside the row, or once for the person. */
  title: string | null;
  year: YearRow;
  reconciled: Reconciled;
  problems: Problem[];
}

/** What stands in the table's rows behind its last year, and right below it. */
function remarksBelow(text: string, { grid, rows, region }: Candidate): string {
  const last = Math.max(...rows.map((row) => row.row));
  const inside = grid.rows.slice(last + 1).flatMap((row) => row.map((cell) => cell.text));
  const behind = region.closed ? stripTags(text.slice(region.end, region.end + 3000)).slice(0, 300) : "";
  return tidy([...inside.slice(0, 40), behind].join(" "));
}

/** Turns the chosen table and its continuations into rows with flags, ids, checks and problems. */
export function observe(
  text: string,
  tables: readonly Candidate[],
  facts: FilingFacts,
  monthDay: string | null,
): Observed {
  const first = tables[0];
  if (first === undefined) return { rows: [], offices: [], problems: [], tables: [], regime: "full" };
  const problems: Problem[] = [];
  const filing = (code: ProblemCode, step: Step, message: string): void =>
    void problems.push({ code, step, message, cell: null });
  const units = readUnits(first, remarksBelow(text, tables.at(-1) ?? first), dollarOf(text));
  if (units.unclear)
    filing(
      "units_unclear",
      "columns",
      units.scaleText === null
        ? "The words above the table speak of thousands in a way that is not known, or every salary is so small that thousands may be meant"
        : `Only some captions say "${units.scaleText}"`,
    );
  const plan = planColumns(tables.flatMap((table) => table.rows));
  for (const { grid } of tables) {
    if (grid.cut === "document") filing("truncated", "grid", `The document ends inside table ${grid.table}`);
    if (grid.cut === "bounds") filing("table_cut", "grid", `Table ${grid.table} is larger than what is read`);
  }
  for (const { table, unread } of tables.flatMap((one) => one.read))
    for (const { row, label } of unread)
      filing(
        "row_unreadable",
        "rows",
        `Row ${row} of table ${table} has amounts beside "${label}", which reads as no year`,
      );
  const ofRow = new Map(tables.flatMap((table) => table.rows.map((row) => [row, table.grid.table] as const)));
  const read = namedInText(readPeople(tables.flatMap((table) => table.read)), text);
  const people = mergePeople(read);
  const ownTitles = titlesByRow(read, people);
  const drafts: Draft[] = [];
  for (const [at, person] of people.entries()) {
    for (const row of person.rows) {
      const table = ofRow.get(row) ?? first.grid.table;
      const outcome = reconcile(table, row, plan, units.scale);
      if (person.name === "") {
        filing(
          "name_missing",
          "people",
          `Nobody's name stands beside row ${row.row} (${row.year.label}) of table ${table}`,
        );
      } else if (outcome.kind === "dropped") {
        problems.push({ ...outcome.problem, message: `${person.name}: ${outcome.problem.message}` });
      } else
        drafts.push({
          person: at,
          title: ownTitles.get(row) ?? person.title,
          year: row,
          reconciled: outcome.row,
          problems: [...outcome.row.problems],
        });
    }
  }
  const kept = withoutRepeats(drafts, people, filing);
  const years = [...new Set(kept.map((draft) => draft.year.year.year))];
  if (years.length === 0)
    return { rows: [], offices: [], problems, tables: tables.map(copyOf), regime: "full" };
  const passages = readNarrative(text);
  const ecd = readEcd(text);
  const periods = readPeriods(years, ecd, facts.fiscalYearEnd, passages.join(" "), monthDay);
  const newest = Math.max(...years);
  const fullYear = periods.get(newest);
  const short =
    fullYear === undefined ? undefined : readShortPeriod([first.heading, ...passages].join(" "), fullYear);
  const ids = idsOf(people);
  const officers: TableOfficer[] = people.map((person, index) => ({
    id: ids[index] ?? "",
    name: person.name,
    printedName: person.printedName,
    title: person.title,
    titleOf: new Map(
      person.rows.flatMap((row) =>
        ownTitles.has(row) ? [[row.year.year, ownTitles.get(row) ?? null] as const] : [],
      ),
    ),
    years: kept.filter((draft) => draft.person === index).map((draft) => draft.year.year.year),
    totals: new Map(
      kept
        .filter((draft) => draft.person === index && !draft.year.year.partial)
        .map((draft) => [draft.year.year.year, draft.reconciled.amounts.total_compensation] as const),
    ),
    blank: kept
      .filter((draft) => draft.person === index && draft.reconciled.blank)
      .map((draft) => draft.year.year.year),
  }));
  const offices = readOfficers({
    people: officers,
    periods,
    facts: ecd,
    passages,
    companyName: facts.companyName,
    accession: facts.accession ?? "",
  });
  for (const { year, office } of offices.unclear)
    filing(
      office === "peo" ? "peo_unclear" : "pfo_unclear",
      "offices",
      `Nobody in the table bears the title of principal ${office === "peo" ? "executive" : "financial"} officer of ${year}`,
    );
  for (const { year, name } of offices.unmatchedTags)
    filing("ecd_peo_name", "offices", `ecd:PeoName of ${year} is "${name}", nobody in the table`);
  const rows = kept.map((draft, index) =>
    rowOf(
      draft,
      index + 1,
      people,
      ids,
      offices,
      periods,
      units.currency,
      draft.year.year.year === newest ? short : undefined,
    ),
  );
  const checked = checkTags(rows, ecd, periods, filing);
  const nameOf = new Map(officers.map(({ id, name }) => [id, name]));
  const terms = offices.terms.map((term): OfficeTerm => ({
    executive_id: term.person,
    executive_name: nameOf.get(term.person) ?? "",
    office: term.office,
    start: term.from?.earliest ?? null,
    end: term.to?.latest ?? null,
    kind: "dated",
    text: term.quote,
  }));
  return {
    rows: checked,
    offices: terms,
    problems,
    tables: tables.map(copyOf),
    regime: regimeOf(checked, tables),
  };
}

/** One person of two tables, or of two places of one, is one person. */
function mergePeople(people: readonly Person[]): Person[] {
  const merged = new Map<string, Person>();
  people.forEach((person, index) => {
    const key = person.name === "" ? `#${index}` : letters(person.name);
    const known = merged.get(key);
    merged.set(
      key,
      known === undefined
        ? person
        : { ...known, title: known.title ?? person.title, rows: [...known.rows, ...person.rows] },
    );
  });
  return [...merged.values()];
}

/** The title beside each row of those whose name the table prints several times with different titles. */
function titlesByRow(read: readonly Person[], people: readonly Person[]): Map<YearRow, string> {
  const out = new Map<YearRow, string>();
  for (const person of people) {
    const parts = read.filter((one) => letters(one.name) === letters(person.name) && one.title !== null);
    if (new Set(parts.map((one) => letters(one.title ?? ""))).size < 2) continue;
    for (const { title, rows } of parts) for (const row of rows) out.set(row, title ?? "");
  }
  return out;
}

function withoutRepeats(
  drafts: readonly Draft[],
  people: readonly Person[],
  filing: (code: ProblemCode, step: Step, message: string) => void,
): Draft[] {
  const kept: Draft[] = [];
  for (const draft of drafts) {
    const twin = kept.find(
      (one) => one.person === draft.person && one.year.year.year === draft.year.year.year,
    );
    if (twin === undefined) {
      kept.push(draft);
      continue;
    }
    const who = `${people[draft.person]?.name ?? ""} ${draft.year.year.label}`;
    if (JSON.stringify(twin.reconciled.amounts) === JSON.stringify(draft.reconciled.amounts)) {
      filing("repeated_row", "rows", `${who} is printed twice alike`);
    } else if (twin.reconciled.blank && !draft.reconciled.blank) kept[kept.indexOf(twin)] = draft;
    else if (!draft.reconciled.blank) {
      const message = `${who} is printed twice: ${twin.reconciled.amounts.total_compensation / 100} and ${draft.reconciled.amounts.total_compensation / 100}; the first is kept`;
      twin.problems.push({ code: "duplicate_row", step: "rows", message, cell: null });
    }
  }
  return kept;
}

function idsOf(people: readonly Person[]): string[] {
  const taken = new Set<string>();
  return people.map((person) => {
    const base = executiveId(person.name);
    let id = base;
    if (taken.has(id)) {
      const suffix = /\b(jr|sr|ii|iii|iv)\b\.?$/i.exec(person.name)?.[1]?.toLowerCase();
      if (suffix !== undefined) id = `${base}-${suffix}`;
    }
    for (let count = 2; taken.has(id); count++) id = `${base}-${count}`;
    taken.add(id);
    return id;
  });
}

function rowOf(
  draft: Draft,
  position: number,
  people: readonly Person[],
  ids: readonly string[],
  offices: Officers,
  periods: FiscalPeriods,
  currency: string,
  short: { start: string; end: string } | undefined,
): ParsedRow {
  const { year, reconciled } = draft;
  const person = people[draft.person];
  const id = ids[draft.person] ?? "";
  const peo = offices.flag(id, year.year.year, "peo");
  const pfo = offices.flag(id, year.year.year, "pfo");
  const problems = [...draft.problems];
  if (person?.clear === false)
    problems.push({
      code: "name_unclear",
      step: "people",
      message: `"${person.printedName}" is taken for the name, "${person.title ?? ""}" for the title`,
      cell: null,
    });
  if (year.year.partial)
    problems.push({
      code: "partial_period",
      step: "rows",
      message: `"${year.year.label}" is shorter than a year`,
      cell: null,
    });
  else if (short !== undefined)
    problems.push({
      code: "partial_period",
      step: "rows",
      message: `The row covers ${short.start} to ${short.end}`,
      cell: null,
    });
  const headed = year.section.captionRows.length > 0;
  return {
    position,
    executive_id: id,
    executive_name: person?.name ?? "",
    printedName: person?.printedName ?? "",
    executive_role: draft.title,
    fiscal_year: year.year.year,
    yearLabel: year.year.label,
    periodEnd: year.year.end ?? periods.get(year.year.year)?.last ?? null,
    period: short ?? null,
    reporting_currency: currency,
    amounts: reconciled.amounts,
    cells: reconciled.cells,
    unknownReason: reconciled.unknownReason,
    placeholder: reconciled.blank && !peo.held && !pfo.held,
    blank: reconciled.blank,
    is_peo: peo.held,
    is_pfo: pfo.held,
    peoEvidence: peo.evidence,
    pfoEvidence: pfo.evidence,
    checks: headed
      ? reconciled.checks
      : reconciled.checks.map((check) =>
          check.check === "header_grid"
            ? { ...check, detail: `${check.detail}, of the table before` }
            : check,
        ),
    problems,
  };
}

/** Holds the tagged totals against the table. Tags are wrong in hundreds of filings: a difference is a problem of the filing, never of a number. */
function checkTags(
  rows: readonly ParsedRow[],
  ecd: readonly EcdFact[],
  periods: FiscalPeriods,
  filing: (code: ProblemCode, step: Step, message: string) => void,
): ParsedRow[] {
  const newest = Math.max(...rows.map((row) => row.fiscal_year));
  const of = (name: EcdFact["name"], year: number): EcdFact[] => {
    const period = periods.get(year);
    return period === undefined
      ? []
      : ecd.filter((fact) => fact.name === name && isSameYearEnd(fact.end, period.last));
  };
  const averageAgrees = checkAverage(
    rows.filter((row) => row.fiscal_year === newest && !row.placeholder),
    of("NonPeoNeoAvgTotalCompAmt", newest),
    newest,
    filing,
  );
  return rows.map((row) => {
    const checks = [...row.checks];
    const totals = of("PeoTotalCompAmt", row.fiscal_year).filter((fact) => fact.cents !== null);
    const named = of("PeoName", row.fiscal_year).some((fact) => sameName(row.executive_name, fact.text));
    if (row.is_peo && totals.length > 0) {
      const agrees = totals.some(
        (fact) => Math.abs((fact.cents ?? 0) - row.amounts.total_compensation) <= 100,
      );
      const sides = `table ${row.amounts.total_compensation / 100}, tagged ${[...new Set(totals.map((fact) => (fact.cents ?? 0) / 100))].join(" and ")}`;
      checks.push({ check: "ecd_peo_total", agrees, detail: sides });
      if (!agrees && named)
        filing("ecd_peo_total", "reconcile", `${row.executive_name} ${row.fiscal_year}: ${sides}`);
    }
    if (averageAgrees !== null && row.fiscal_year === newest && !row.is_peo)
      checks.push({
        check: "ecd_average",
        agrees: averageAgrees,
        detail: "average of the officers who are not PEO",
      });
    return { ...row, checks };
  });
}

function checkAverage(
  rows: readonly ParsedRow[],
  facts: readonly EcdFact[],
  year: number,
  filing: (code: ProblemCode, step: Step, message: string) => void,
): boolean | null {
  const tagged = facts.find((fact) => fact.cents !== null)?.cents;
  const others = rows.filter((row) => !row.is_peo);
  if (tagged === undefined || tagged === null || others.length === 0) return null;
  const mean = others.reduce((sum, row) => sum + row.amounts.total_compensation, 0) / others.length;
  if (Math.abs(mean - tagged) <= 200) return true;
  filing(
    "ecd_average",
    "reconcile",
    `${year}: the table's average of ${others.length} officers is ${Math.round(mean) / 100}, tagged ${tagged / 100}`,
  );
  return false;
}

function copyOf(table: Candidate): TableCopy {
  return {
    table: table.grid.table,
    rows: table.grid.rows.map((row, at) =>
      row
        .filter((cell) => cell.row === at && cell.raw !== "")
        .map((cell): readonly [number, string] => [cell.x0, cell.raw]),
    ),
    captionRows: table.sections.flatMap((section) => section.captionRows),
  };
}

function regimeOf(rows: readonly ParsedRow[], tables: readonly Candidate[]): "full" | "scaled" {
  const years = new Set(rows.map((row) => row.fiscal_year)).size;
  const people = new Set(rows.map((row) => row.executive_id)).size;
  const meanings = new Set(
    tables.flatMap((table) =>
      table.sections.flatMap((section) => section.columns.map((column) => column.meaning)),
    ),
  );
  const complete = [...PARTS].every((part) => meanings.has(part));
  return years >= 3 || people >= 5 || (complete && years > 2) ? "full" : "scaled";
}
