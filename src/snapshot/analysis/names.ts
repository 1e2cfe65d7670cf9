/** Which executives have a word in their name, and which rows are theirs. */
import { foldedWords } from "../../domain/selection.ts";
import { lowerBound } from "./binary-search.ts";
import { Numbering } from "./numbering.ts";

/** Numbers in groups: those of group `n` stand in `members` from `first[n]` to before `first[n + 1]`, ascending. */
interface Groups {
  first: Int32Array;
  members: Int32Array;
}

/** Finds rows by words of a name. */
export interface NameIndex {
  /** Rows of each name. */
  rows: Groups;
  /** Numbers of the names that have all of the words, which are folded. */
  having(words: readonly string[]): readonly number[];
}

/** Reads the words of all names. @param name of each row its place in `names` */
export function nameIndex(name: Int32Array, names: readonly string[]): NameIndex {
  const numbers = new Numbering();
  const [words, owners]: [number[], number[]] = [[], []];
  names.forEach((one, owner) => {
    for (const word of new Set(foldedWords(one))) {
      words.push(numbers.of(word));
      owners.push(owner);
    }
  });
  const { first, members } = grouped(Int32Array.from(words), Int32Array.from(owners), numbers.words.length);
  const having = (word: string) => {
    const number = numbers.find(word);
    return number === undefined ? members.subarray(0, 0) : members.subarray(first[number], first[number + 1]);
  };
  return {
    rows: grouped(name, null, names.length),
    having(asked) {
      const [rarest = members.subarray(0, 0), ...others] = asked
        .map(having)
        .sort((a, b) => a.length - b.length);
      return Array.from(rarest).filter((owner) => others.every((list) => includes(list, owner)));
    },
  };
}

/** @param group of each member its group; @param members ascending; null: their places */
function grouped(group: Int32Array, members: Int32Array | null, groups: number): Groups {
  const first = new Int32Array(groups + 1);
  for (let at = 0; at < group.length; at++) {
    const next = (group[at] ?? 0) + 1;
    first[next] = (first[next] ?? 0) + 1;
  }
  for (let at = 1; at <= groups; at++) first[at] = (first[at] ?? 0) + (first[at - 1] ?? 0);
  const free = first.slice();
  const sorted = new Int32Array(group.length);
  for (let at = 0; at < group.length; at++) {
    const of = group[at] ?? 0;
    const place = free[of] ?? 0;
    sorted[place] = members === null ? at : (members[at] ?? 0);
    free[of] = place + 1;
  }
  return { first, members: sorted };
}

function includes(ascending: Int32Array, value: number): boolean {
  return ascending[lowerBound(ascending, value)] === value;
}
