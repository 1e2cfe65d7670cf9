/** Joins names that are broken over several rows. */
import { NAME_PARTS } from "../../lexicon/names.ts";
import { letters } from "../../text.ts";
import { cleanName, hasTitleWord, isSuffix, nameLikeness } from "../../values/names.ts";
import type { Line } from "../grid/grid.ts";
import { splitName, type NameAndTitle } from "./split-name.ts";

/** A person as read so far. */
interface NameAbove {
  readonly printedName: string;
  readonly title: readonly string[];
  /** Number of title lines above the last year; later ones may belong to the next name. */
  readonly settled: number;
}

/** The lines of a row, and the name at their beginning. */
interface NameLines {
  readonly lines: readonly Line[];
  readonly split: NameAndTitle | undefined;
}

/** A name printed next to a later year, below a title or below first names (`Jonathan` above `Smith`). */
export function nameBelow(
  { title }: NameAbove,
  lines: readonly Line[],
  split: NameAndTitle | undefined,
): NameAndTitle | undefined {
  const above = title.join(" ");
  if (letters(above) === "" || hasTitleWord(above)) return split;
  return lines.length === 0 ? undefined : splitName([{ text: above }, ...lines]);
}

/**
 * Whether the first row has only first names and the next one the family name: `Priya` above `Hollingberry`. Certain only if an
 * office follows: two capitalized words may also be the middle of a title.
 */
export function beginsName([given, family, office]: readonly NameLines[]): "surely" | "perhaps" | "no" {
  const last = family?.lines[0];
  if (given?.lines.length !== 1 || last === undefined || given.split !== undefined) return "no";
  const split = splitName([...given.lines, ...(family?.lines ?? []), ...(office?.lines ?? [])]);
  if (split === undefined || nameLikeness(split.name) !== 2) return "no";
  // `PMI` above `U.S.` is a division.
  const end = split.name.split(" ").findLast((word) => !isSuffix(word)) ?? "";
  if (!/^\p{L}[\p{L}'’-]+$/u.test(end)) return "no";
  // `Bo Sample` is another person's full name; `Van de Velde` is only a family name.
  if (family?.split !== undefined && !NAME_PARTS.has(last.text.split(" ")[0] ?? "", "particle")) return "no";
  return hasTitleWord(split.title) && !/^(?:and|&|of)\b/i.test(split.title) ? "surely" : "perhaps";
}

/** `Cindy` above `Patterson, CFO | 2008`: a name whose first line was read as the end of the title above it. */
export function nameFromAbove(
  { title, settled }: NameAbove,
  { lines, split: own }: NameLines,
): { split: NameAndTitle; lines: number } | undefined {
  if (lines.length === 0 || own !== undefined) return undefined;
  for (let count = 1; count <= title.length - settled; count++) {
    const joined = [...title.slice(-count), ...lines.map((line) => line.text)].join(" ");
    const split = splitName([{ text: joined }]);
    if (split !== undefined && nameLikeness(split.name) === 2 && split.clear) return { split, lines: count };
  }
  return undefined;
}

/** `Cruz`, `de la Cruz`, `Van de Velde` */
const FAMILY_NAME = /^(?:\p{L}{1,3}\s){0,2}\p{L}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?$/u;

/** The rest of a name broken off in the line above: a suffix, a degree, or the family name after an initial or `de la`. */
export function tailOfName(
  { printedName, title }: NameAbove,
  line: string,
): { name: string; title: string } | undefined {
  if (printedName === "" || letters(title.join("")) !== "") return undefined;
  const bare = cleanName(line);
  if (/^V\.\s?P\./.test(bare)) return undefined;
  const degrees = leadingDegrees(bare);
  const ends = degrees.title === "" || /,\s*$/.test(printedName);
  if (degrees.name !== "" && (ends || /^(?:jr|sr|ii|iii|iv)\b\.?\s*[,;:–—-]/i.test(bare))) return degrees;
  const broken =
    /(?:\s\p{Lu}\.|-|\s(?:de|del|della|der|den|di|da|la|van|von|ter|ten|le|du|dos))$/iu.test(
      cleanName(printedName),
    ) || /^(?:(?:Van|Von|De) )?(?:(?:de|del|della|der|den|di|da|du|la|los|van|von) )+\p{Lu}/u.test(bare);
  if (!broken) return undefined;
  const [first = "", ...rest] = bare.split(/\s*[,;–—]\s*|\s+-\s+/);
  if (hasTitleWord(first) || !FAMILY_NAME.test(first)) return undefined;
  const degreesAt = rest.findIndex((part) => !isSuffix(part));
  const split = degreesAt < 0 ? rest.length : degreesAt;
  return { name: [first, ...rest.slice(0, split)].join(", "), title: rest.slice(split).join(", ") };
}

/** Splits `M.D., Ph.D. – Chief Medical Officer` into degrees, which continue the line above, and the title. */
function leadingDegrees(line: string): { name: string; title: string } {
  const words = line.split(/\s+/);
  const other = words.findIndex((word) => !isSuffix(word.replace(/[,;:–—-]+$/, "")));
  const count = other < 0 ? words.length : other;
  return {
    name: words
      .slice(0, count)
      .join(" ")
      .replace(/[,;:–—-]+$/, ""),
    title: words
      .slice(count)
      .join(" ")
      .replace(/^[,;:–—-]+\s*/, ""),
  };
}
