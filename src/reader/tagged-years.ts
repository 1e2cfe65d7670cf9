/** Ties the totals that a filing tags for its principal executive officers (Item 402(v)) to fiscal years and people. */
import type { Cents } from "../domain/amount.ts";
import { surnameOf } from "../domain/executive.ts";
import type { EcdFact } from "./document/inline-xbrl.ts";
import type { TaggedYear } from "./parsed.ts";
import { problemOf, type ReadingProblem } from "./problem.ts";

/** The dimensions that only say whose fact it is. */
const PERSONAL = new Set(["ecd:IndividualAxis", "ecd:ExecutiveCategoryAxis"]);

/** Reads the tagged years of a filing, newest first; what cannot be tied is a problem. */
export function readTaggedYears(facts: readonly EcdFact[]): {
  years: TaggedYear[];
  problems: ReadingProblem[];
} {
  const problems: ReadingProblem[] = [];
  const report = (message: string): void => void problems.push(problemOf("ecd_unclear", message));
  const plain = facts.filter(({ name, end, text, axes }) => {
    const others = axes.filter((axis) => !PERSONAL.has(axis));
    if (others.length > 0 && name !== "PeoName")
      report(`ecd:${name} ${text} for ${end} has the dimension ${others.join(", ")}, and is left out`);
    return others.length === 0;
  });
  // Footnotes tag single years again in short contexts; a year is one for which a total or an average is tagged.
  const amounts = plain.filter(({ name }) => name !== "PeoName");
  const years = [...Map.groupBy(amounts, ({ end }) => end)]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([end, ofYear]) => yearOf(end, ofYear, plain, report));
  return {
    years: years.filter(({ peos, othersAverage }) => peos.length > 0 || othersAverage !== null),
    problems,
  };
}

type Year = Pick<TaggedYear, "start" | "end">;
type Report = (message: string) => void;

function yearOf(
  end: string,
  ofYear: readonly EcdFact[],
  all: readonly EcdFact[],
  report: Report,
): TaggedYear {
  const names = all.filter(({ name }) => name === "PeoName");
  // A dash marks a year in which this person was not PEO.
  const totals = ofYear.filter(
    ({ name, cents, text }) => name === "PeoTotalCompAmt" && (cents !== 0 || /\d/.test(text)),
  );
  const averages = ofYear.filter(({ name }) => name === "NonPeoNeoAvgTotalCompAmt");
  const byMember = Map.groupBy(totals, memberOf);
  const start = ofYear[0]?.start ?? "";
  const peos = [...byMember].map(([member, tagged]) => ({
    ...nameOf(member, { start, end }, names, byMember.size),
    member: member === "" ? null : member,
    total: onlyAmount(tagged, `ecd:PeoTotalCompAmt of ${end}${member === "" ? "" : ` (${member})`}`, report),
    decimals: tagged[0]?.decimals ?? null,
  }));
  for (const { total, name, candidates, member } of peos) {
    const who = `the principal executive officer of ${end}${member === null ? "" : ` (${member})`}`;
    if (name === null && (candidates > 1 || peos.length > 1))
      report(`${candidates > 1 ? "More than one" : "No"} ecd:PeoName can be tied to ${who}`);
    if (total !== null && total < 0) report(`The total tagged for ${who} is negative: ${total / 100}`);
  }
  if (peos.length === 0) report(`ecd:PeoTotalCompAmt is not tagged for ${end}`);
  if (peos.some(({ member }) => member === null) && peos.length > 1)
    report(`Totals with and without a member are tagged for ${end}`);
  const currencies = new Set(ofYear.map(({ currency }) => currency));
  if (currencies.size > 1) report(`The units of the tags for ${end} differ: ${[...currencies].join(", ")}`);
  return {
    start,
    end,
    currency: currencies.size === 1 ? (ofYear[0]?.currency ?? null) : null,
    peos: peos.map(({ name, member, total, decimals }) => ({ name, member, total, decimals })),
    othersAverage:
      averages.length === 0 ? null : onlyAmount(averages, `ecd:NonPeoNeoAvgTotalCompAmt of ${end}`, report),
  };
}

/** The one amount that all of these facts give. */
function onlyAmount(facts: readonly EcdFact[], what: string, report: Report): Cents | null {
  const amounts = new Set(facts.map(({ cents }) => cents));
  const [only = null] = amounts;
  if (amounts.size > 1) report(`${what} is tagged ${facts.map(({ text }) => text).join(" and ")}`);
  else if (only === null) report(`${what} has no readable amount: "${facts[0]?.text ?? ""}"`);
  return amounts.size > 1 ? null : only;
}

/** A tagged name, and how many the tags give instead of one. */
interface TiedName {
  readonly name: string | null;
  readonly candidates: number;
}

/**
 * The name tagged for a member; else the year's name that the member is made from (`RobertMBakishMember`: Mr. Bakish); else, if the
 * year has one officer, its only name.
 */
function nameOf(member: string, year: Year, names: readonly EcdFact[], officers: number): TiedName {
  const ofYear = names.filter(({ start, end }) => start >= year.start && end <= year.end);
  const ways = [
    names.filter((fact) => memberOf(fact) === member && (member !== "" || ofYear.includes(fact))),
    names.filter(({ text }) => member.toLowerCase().includes(surnameOf(text) || "?")),
    officers === 1 ? ofYear : [],
  ];
  const found = new Set((ways.find((facts) => facts.length > 0) ?? []).map(textOf));
  const [name = null] = found;
  return { name: found.size === 1 ? name : null, candidates: found.size };
}

/** A tagged name without footnote markers. */
function textOf({ text }: EcdFact): string {
  return text.replace(/(?:\s*\(\d{1,2}\)|[*†‡])+$/, "");
}

/** The members of a fact that identify a person. */
function memberOf({ members }: EcdFact): string {
  return members
    .filter((member) => member !== "ecd:PeoMember")
    .toSorted()
    .join(" ");
}
