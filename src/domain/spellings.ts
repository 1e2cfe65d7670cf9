/** What somebody may have meant: misspelled words, and other forms of first names. */

/** How many typing errors a word of this length may have. */
export function maxErrors(length: number): number {
  return Math.max(1.5, length / 3);
}

/**
 * The candidate closest to a misspelled word, within an edit distance of a third of its length; undefined if none is.
 */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let lowest = Infinity;
  const words = text.toLowerCase();
  for (const candidate of candidates) {
    // A difference in length is a lower bound of the distance, and short words allow one edit: this skips nearly all of
    // thousands of symbols.
    const limit = maxErrors(candidate.length);
    if (Math.abs(text.length - candidate.length) > limit) continue;
    const word = candidate.toLowerCase();
    if (limit < 2 && word !== words && !isOneEditApart(words, word)) continue;
    // Prefer candidates of the same length: transposed letters are more common than missing ones.
    const away = distance(words, word) + (text.length === candidate.length ? 0 : 0.5);
    if (away < lowest) [best, lowest] = [candidate, away];
  }
  return best !== undefined && lowest <= maxErrors(best.length) ? best : undefined;
}

/**
 * Edit distance: insertions, deletions, substitutions and transpositions. Infinite for words longer than 64 letters.
 */
function distance(a: string, b: string): number {
  if (a.length > 64 || b.length > 64) return Infinity;
  let older: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? at(older, j - 2) + 1 : Infinity;
      next.push(Math.min(change, swap, at(row, j) + 1, at(next, j - 1) + 1));
    }
    [older, row] = [row, next];
  }
  return at(row, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}

/**
 * Whether two words differ by exactly one insertion, deletion, substitution or transposition. False for equal words.
 */
export function isOneEditApart(a: string, b: string): boolean {
  const more = a.length - b.length;
  if (more > 1 || more < -1 || a === b) return false;
  // One edit in words of three letters or more keeps the first or last letter. This excludes nearly all pairs.
  const isLong = a.length > 2 && b.length > 2;
  if (isLong && a[0] !== b[0] && a[a.length - 1] !== b[b.length - 1]) return false;
  let begin = 0;
  while (begin < a.length && a[begin] === b[begin]) begin++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [left, right] = [a.length - begin - end, b.length - begin - end];
  if (left <= 1 && right <= 1) return true;
  return left === 2 && right === 2 && a[begin] === b[begin + 1] && a[begin + 1] === b[begin];
}

/** Shortened first names that filings and people use for one another, folded. Names of a line are interchangeable. */
const SAME_NAMES = `
abby abigail|al albert alan allen|alex alexander alexandra|andy andrew drew|art arthur|barb barbara|ben benjamin
beth elizabeth betsy liz lisa|bill william will billy|bob robert rob robby bobby|brad bradley|cathy catherine katherine kathryn kathleen kate kathy katie
charlie charles chuck|chris christopher christine christina|cindy cynthia|dan daniel danny|dave david|deb deborah debra debbie
dick richard rick rich|don donald|doug douglas|ed edward eddie edwin|frank francis franklin|fred frederick|gabe gabriel|gene eugene
greg gregory|hank henry|herb herbert|jack john|jake jacob|jensen hsun|james jim jimmy jamie|jeff jeffrey geoffrey geoff|jen jennifer|jerry gerald jerome|joe joseph
jon jonathan|josh joshua|judy judith|ken kenneth|kim kimberly|larry lawrence laurence|len leonard|lou louis|marty martin|matt matthew
maggie margaret meg peggy|mike michael|mitch mitchell|nate nathan nathaniel|nick nicholas|pam pamela|pat patrick patricia|pete peter|phil philip phillip
ray raymond|ron ronald|russ russell|sam samuel samantha|sandy sandra|stan stanley|steve steven stephen|stu stuart|sue susan suzanne|ted theodore edward
terry terrence terence|tim timothy|toby tobias|tom thomas|tony anthony|val valerie|vicky victoria|vince vincent|walt walter|wes wesley|zach zachary`;

const GROUPS = SAME_NAMES.trim()
  .split(/[|\n]/)
  .map((line) => line.split(" "));

/** The other forms of a folded first name; none for most words. */
export function otherForms(name: string): string[] {
  const others = GROUPS.filter((group) => group.includes(name)).flat();
  return [...new Set(others)].filter((other) => other !== name);
}
