import type { Located } from "./locate.ts";
import type { Problem, ProblemCode } from "../problem.ts";
import { continuations, headersApart, precedents, readCandidates, type Candidate } from "./candidates.ts";
import { whyNone, type Refused } from "./explain-rejection.ts";

/** The table with those that carry it on, or why none was taken. */
export type Choice =
  | { readonly kind: "chosen"; readonly tables: readonly Candidate[]; readonly problems: readonly Problem[] }
  | Refused;

/** Two candidates within this many points of each other are equally likely. */
const CLOSE = 2;

/** Picks the Summary Compensation Table among all tables that could be it. */
export function chooseTable(text: string, located: Located): Choice {
  const read = readCandidates(text, located);
  const apart = headersApart(text, located);
  const fit = [...read, ...apart.map(({ candidate }) => candidate)]
    .filter((one) => one.wrong === null)
    .sort((a, b) => b.score - a.score);
  const best = fit[0];
  if (best === undefined) return whyNone(text, located, read);
  const followed = continuations(text, located, best);
  const tables = [...precedents(text, located, best), best, ...followed.tables];
  const byOrder = [
    ...apart.filter((one) => one.byOrder && one.candidate === best).map(() => best.region.ordinal),
    ...followed.byOrder,
  ];
  const rivals = fit.filter(
    (one) =>
      !tables.some((table) => table.region === one.region) &&
      best.score - one.score <= CLOSE &&
      one.rows.length > 0,
  );
  const differing = rivals.filter((one) => !sameFigures(one, best));
  const problems: Problem[] = differing.map((one) =>
    say(
      "several_tables",
      `Table ${best.region.ordinal} (${best.score} points) was read; table ${one.region.ordinal} (${one.score}) scores alike`,
    ),
  );
  for (const table of byOrder)
    problems.push(
      say(
        "header_apart",
        `Table ${table} has no captions; every row has as many amounts as the header before it has columns`,
      ),
    );
  for (const table of followed.tables.filter(isHeadedAnew))
    problems.push(
      say(
        "several_tables",
        `Table ${table.region.ordinal} was read as more of the same, though a heading of its own stands above it: "${table.heading.slice(-80)}"`,
      ),
    );
  if (followed.unread !== undefined)
    problems.push(
      say(
        "continuation_unread",
        `Table ${followed.unread.ordinal} follows with rows of years and amounts that could not be tied to the columns; it was left out`,
      ),
    );
  return { kind: "chosen", tables, problems };
}

/** Whether the words above a table that carries on another call it the Summary Compensation Table again, and not its continuation. */
function isHeadedAnew(table: Candidate): boolean {
  return (
    /summary\s+compensation\s+table/i.test(table.heading) && !/\bcont(?:inu|['’]?d|\.)/i.test(table.heading)
  );
}

function say(code: ProblemCode, message: string): Problem {
  return { code, step: "locate", message, cell: null };
}

/** Whether two tables print the same totals: one document may hold its table twice. */
function sameFigures(one: Candidate, other: Candidate): boolean {
  const totals = (table: Candidate): string =>
    [
      ...new Set(
        table.rows.flatMap((row) =>
          row.slots
            .filter((slot) => slot.column.meaning === "total_compensation")
            .map((slot) => slot.texts.join("").replace(/\D/g, "")),
        ),
      ),
    ]
      .sort()
      .join();
  return totals(one) === totals(other);
}
