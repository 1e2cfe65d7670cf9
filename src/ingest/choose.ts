import type { Located } from "./locate.ts";
import { hasCaptions, ownText, plain } from "./locate.ts";
import type { Problem, ProblemCode, RefusalReason } from "./problem.ts";
import { continuations, headersApart, precedents, readCandidates, type Candidate } from "./select.ts";
import { letters, stripTags, wholeTags } from "./text.ts";

/** The table with those that carry it on, or why none was taken. */
export type Choice =
  | { readonly kind: "chosen"; readonly tables: readonly Candidate[]; readonly problems: readonly Problem[] }
  | { readonly kind: "refused"; readonly reason: RefusalReason; readonly detail: string };

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

function whyNone(text: string, located: Located, read: readonly Candidate[]): Choice {
  const named = [...read].sort((a, b) => b.score - a.score)[0];
  if (named !== undefined && named.score >= 5) {
    switch (named.wrong) {
      case "old_layout":
        return refuse("old_layout", `table ${named.region.ordinal}`);
      case "foreign_layout":
        return refuse("foreign_layout", `table ${named.region.ordinal}`);
      case "no_total":
        return refuse("no_total", `table ${named.region.ordinal}`);
      default:
    }
  }
  const old = located.regions.find(
    (region) => region.end - region.start < 400_000 && isOld(ownText(text, region)),
  );
  if (old !== undefined)
    return refuse(
      "old_layout",
      `table ${old.ordinal} has captions of the table before December 2006 and no total`,
    );
  const words = oldWords(text);
  if (words !== undefined)
    return refuse("old_layout", `captions of the table before December 2006: "${words}"`);
  if (named !== undefined && named.score >= 8)
    return refuse("rows_unreadable", `table ${named.region.ordinal}: ${named.reasons.join(", ")}`);
  if (read.length === 0 && imageUnderHeading(text))
    return refuse("image_only", 'an image stands under the heading "Summary Compensation Table"');
  return refuse(
    "no_table",
    `${located.regions.length} tables, ${read.length} with captions of pay, none that is the Summary Compensation Table`,
  );
}

const OLD_CAPTIONS =
  /longtermcompensation|ltippayout|securitiesunderlying|otherannualcomp|annualcompensation|optionssars|underlyingoptions|optionsawarded/;

/**
 * The captions of the old table around "principal position", wherever they stand: fixed-width text, captions apart from
 * their rows. The present table has a total; the old one has none, and names what only it had.
 */
function oldWords(text: string): string | undefined {
  let mentions = 0;
  for (const found of text.matchAll(/principal(?:\s|&nbsp;|&#160;|<[^<>]{0,200}>){1,40}positions?\b/gi)) {
    if (++mentions > MOST_MENTIONS) break;
    const before = stripTags(wholeTags(text, found.index - 4000, found.index)).slice(-500);
    const behind = stripTags(wholeTags(text, found.index, found.index + 5000)).slice(0, 400);
    const bare = letters(before + behind);
    const total = letters(before.slice(-120) + behind.slice(0, 250)).includes("total");
    if (OLD_CAPTIONS.test(bare) && /salary/.test(bare) && !total && /(?:19|20)\d\d/.test(behind))
      return behind.slice(0, 120);
  }
  return undefined;
}

const BLOCK = /<\/?(?:p|div|td|th|h[1-6]|li|center|br|tr)\b/gi;
/** Mentions of the table that are looked at, and characters of text between a heading and its image. */
const MOST_MENTIONS = 200;
const MOST_BETWEEN = 400;

/** Whether a heading of the table is followed by an image. A mention in running text, such as a reference to the proxy, is no heading. */
function imageUnderHeading(text: string): boolean {
  if (!/<img\b/i.test(text)) return false;
  let mentions = 0;
  for (const found of text.matchAll(/summary\s+compensation(?:\s+tables?)?/gi)) {
    if (++mentions > MOST_MENTIONS) break;
    const end = found.index + found[0].length;
    const before = text.slice(Math.max(0, found.index - 600), found.index);
    const start = [...before.matchAll(BLOCK)].at(-1)?.index;
    if (start === undefined || stripTags(before.slice(start)).length > 20) continue;
    const after = text.slice(end, end + 8000);
    const line = after.slice(0, after.search(BLOCK));
    const image = after.search(/<img\b/i);
    if (image >= 0 && stripTags(line).length < 60 && stripTags(after.slice(0, image)).length < MOST_BETWEEN)
      return true;
  }
  return false;
}

function isOld(html: string): boolean {
  if (!/salar/i.test(html)) return false;
  const words = plain(html);
  const bare = letters(words);
  return (
    bare.includes("salary") &&
    /longtermcompensation|ltippayout|securitiesunderlying/.test(bare) &&
    /annualcompensation|ltippayout|restrictedstock|otherannual|allothercomp/.test(bare) &&
    !hasCaptions(words)
  );
}

function refuse(reason: RefusalReason, detail: string): Choice {
  return { kind: "refused", reason, detail };
}
