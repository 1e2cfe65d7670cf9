import { currencyCode } from "./money.ts";
import { servedId, servedName } from "./names.ts";
import type { Plan } from "./plan.ts";
import { PRINTED_COMPONENTS, type PrintedComponent } from "../../../src/domain/row-fields.ts";
import { sumOf, type TruePerson, type TrueYear } from "./truth.ts";

/** A row as `docs/contract.md`, "Rows", has it, amounts in cents. */
export interface ExpectedRow {
  readonly executive_id: string;
  readonly executive_name: string;
  readonly executive_role: string | null;
  readonly fiscal_year: number;
  readonly reporting_currency: string;
  readonly amounts: Readonly<Record<PrintedComponent | "unknown_component" | "total_compensation", number>>;
  /** Null if the document leaves it open. */
  readonly is_peo: boolean | null;
  readonly is_pfo: boolean | null;
}

function isBlank(year: TrueYear): boolean {
  return PRINTED_COMPONENTS.every((field) => year.amounts[field] === null) && year.total === null;
}

/** A blank year before a paid one: the person took office later, as A.M. O'Brien did (0001104659-26-036366). */
function cameLater(person: TruePerson, year: TrueYear): boolean {
  return person.years.some((other) => other.year > year.year && !isBlank(other));
}

/** The rows that a faithful reading of the plan's document returns, in table order. */
export function expectedRows(plan: Plan): ExpectedRow[] {
  const { truth, choices } = plan;
  const digits = choices.empty === "0" || choices.empty === "-0-";
  const served = new Set(
    truth.people.flatMap((person) =>
      person.isPfo
        ? person.years
            .filter((year) => digits || !isBlank(year) || !cameLater(person, year))
            .map((year) => year.year)
        : [],
    ),
  );
  return truth.people.flatMap((person) =>
    person.years.flatMap((year): ExpectedRow[] => {
      if (!digits && isBlank(year) && (cameLater(person, year) || (!person.isPeo && !person.isPfo)))
        return [];
      const amounts = Object.fromEntries(
        PRINTED_COMPONENTS.map((field) => [field, year.amounts[field] ?? 0]),
      );
      const total = year.total ?? 0;
      return [
        {
          executive_id: servedId(person),
          executive_name: servedName(person, choices.people),
          executive_role: person.title,
          fiscal_year: year.year,
          reporting_currency: currencyCode(choices),
          // Every key of PRINTED_COMPONENTS is set above; the other two follow.
          amounts: {
            ...(amounts as Record<PrintedComponent, number>),
            unknown_component: total - sumOf(year),
            total_compensation: total,
          },
          is_peo: person.isPeo,
          // A treasurer may be the financial officer of a year for which the table names no other.
          is_pfo:
            /Treasurer/.test(person.title) && !person.isPfo && !served.has(year.year) ? null : person.isPfo,
        },
      ];
    }),
  );
}
