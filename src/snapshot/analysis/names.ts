/** Which executives have a word in their name, and which rows are theirs. */
import { foldedWords } from "../../domain/selection.ts";
import { includes } from "../binary-search.ts";
import { grouped, type Groups } from "../groups.ts";
import { Numbering } from "../numbering.ts";
import { packAscending } from "./packed.ts";

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
  const { texts, places } = packAscending(numbers.words);
  const { first, members } = grouped(
    Int32Array.from(words, (number) => places[number] ?? 0),
    Int32Array.from(owners),
    texts.length,
  );
  const having = (word: string) => {
    const place = texts.find(word);
    return place < 0 ? members.subarray(0, 0) : members.subarray(first[place], first[place + 1]);
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
