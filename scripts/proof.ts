/**
 * The proof of collected rows: every row adds up to its total, the chief executives' totals are those that a proxy prints and tags
 * for the year, and in a whole year the average of all other rows is the one that it tags, so that nobody is missing.
 */
import type { CompanyRecord, Observation } from "../src/dataset/record.ts";
import { CONFIRMED_AVERAGE } from "../src/dataset/officers.ts";
import type { CeoTotal } from "../src/dataset/peo-tags.ts";
import { COMPONENTS } from "../src/domain/row-fields.ts";

/** What collected rows may be off by, in cents: filers round. */
const ROUNDING = 100;

/** Each collected company-year that is not proved, with its reason. @param totals of the company */
export function unproved(record: CompanyRecord, totals: readonly CeoTotal[]): string[] {
  const collected = new Set(
    record.filings.flatMap(({ read, accession }) => (read === "collected" ? [accession] : [])),
  );
  const rows = record.observations.filter(({ accession }) => collected.has(accession));
  const years = Map.groupBy(rows, ({ accession, fiscalYear }) => `${accession} ${fiscalYear}`);
  return [...years.values()].flatMap((ofYear) => {
    const of = totals.filter(({ fiscalYear }) => fiscalYear === ofYear[0]?.fiscalYear);
    return [...reasons(ofYear, of)].map(
      (why) => `${record.cik} ${record.name} ${ofYear[0]?.fiscalYear}: collected rows are not proved: ${why}`,
    );
  });
}

function* reasons(rows: readonly Observation[], totals: readonly CeoTotal[]): Generator<string> {
  for (const { name, amounts } of rows) {
    const sum = COMPONENTS.reduce((all, field) => all + amounts[field], 0);
    if (sum !== amounts.total_compensation) yield `${name} does not add up`;
    if (Math.abs(amounts.unknown_component) > ROUNDING) yield `${name} has more than a rounding left over`;
  }
  const [chiefs, others] = [rows.filter(({ peo }) => peo.held), rows.filter(({ peo }) => peo.held === false)];
  if (chiefs.length === 0 || chiefs.length + others.length < rows.length)
    yield "who was chief executive is open";
  const isTagged = ({ amounts }: Observation) =>
    totals.some(({ total }) => Math.abs(total * 100 - amounts.total_compensation) <= ROUNDING);
  for (const chief of chiefs) if (!isTagged(chief)) yield `no proxy tags the total of ${chief.name}`;
  const isWhole = rows.some(({ checks }) => checks.includes(CONFIRMED_AVERAGE));
  if (!isWhole) {
    for (const { name } of others) yield `${name} is no chief executive of an incomplete year`;
    return;
  }
  const average = others.reduce((all, { amounts }) => all + amounts.total_compensation, 0) / others.length;
  const isAverage = ({ othersAverage }: CeoTotal) =>
    othersAverage !== null && Math.abs(othersAverage * 100 - average) <= ROUNDING;
  if (!totals.some(isAverage)) yield `no proxy tags ${average / 100} as the average of the others`;
}
