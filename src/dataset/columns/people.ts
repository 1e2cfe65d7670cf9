/** The people of all companies by name, read in pages: a search for one of them reads little of millions of rows. */
import { elementAt, float64At, int32At } from "../../lib/checked-access.ts";
import { numberAt, numberOf, type Numbers } from "../arrays.ts";
import type { Columns } from "./columns.ts";

/** The newest row of each person under each of their names. */
export interface PeopleByName {
  /** Of each name of the columns the place of its first row here; one extra element holds their number. */
  first: Numbers<Int32Array>;
  /** Equal for the rows of one executive of one company. */
  person: Numbers<Float64Array>;
  fiscalYear: Numbers<Int32Array>;
  /** Total compensation in cents. */
  total: Numbers<Float64Array>;
  /** `rowKey` */
  key: Numbers<Float64Array>;
}

/** Finds the people of a dataset by name. */
export function buildPeople(columns: Columns): PeopleByName {
  const { names, nameRows, rows, companyYear, companyYears, executiveId, amounts } = columns;
  const first = new Int32Array(names.length + 1);
  // One row is of one person. Lists that grow, and a map for each name, would take as much memory as all columns.
  const [newest, person] = [new Int32Array(rows), new Float64Array(rows)];
  const ofName = new Map<number, number>();
  let count = 0;
  for (let name = 0; name < names.length; name++) {
    ofName.clear();
    const end = int32At(nameRows.first, name + 1);
    for (let at = int32At(nameRows.first, name); at < end; at++) {
      const row = int32At(nameRows.members, at);
      const company = int32At(companyYears.company, int32At(companyYear, row));
      // Rows ascend by fiscal year within a company.
      ofName.set(company * rows + int32At(executiveId, row), row);
    }
    ofName.forEach((row, one) => {
      person[count] = one;
      newest[count++] = row;
    });
    first[name + 1] = count;
  }
  const found = newest.subarray(0, count);
  return {
    first,
    person: person.subarray(0, count),
    fiscalYear: found.map((row) => int32At(companyYears.fiscalYear, int32At(companyYear, row))),
    total: new Float64Array(found).map((row) => numberOf(amounts.total_compensation, row)),
    key: new Float64Array(found).map((row) => float64At(columns.key, row)),
  };
}

/**
 * The keys of the newest rows of the people with these names: newest years first, then by name, so that their order tells no
 * amount. @param order the alphabetical rank of each name
 */
export function newestRows(
  people: PeopleByName,
  names: readonly number[],
  order: ArrayLike<number>,
  max: number,
): number[] {
  const { first, person, fiscalYear, key } = people;
  const newest = new Map<number, { key: number; fiscalYear: number; name: number }>();
  for (const name of names) {
    for (let at = numberAt(first, name); at < numberAt(first, name + 1); at++) {
      const one = {
        key: numberAt(key, at),
        fiscalYear: numberAt(fiscalYear, at),
        name: elementAt(order, name),
      };
      const other = newest.get(numberAt(person, at));
      if (other === undefined || other.fiscalYear < one.fiscalYear) newest.set(numberAt(person, at), one);
    }
  }
  return [...newest.values()]
    .sort((a, b) => b.fiscalYear - a.fiscalYear || a.name - b.name || a.key - b.key)
    .slice(0, max)
    .map((one) => one.key);
}
