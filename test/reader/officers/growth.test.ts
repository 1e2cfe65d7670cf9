import { expect, test } from "bun:test";
import { reportInto, Work } from "../../../src/reader/parsed-filing.ts";
import { readClaims } from "../../../src/reader/officers/officers.ts";
import type { TableOfficer } from "../../../src/reader/officers/sentences.ts";

const PERIODS = new Map([[2023, { first: "2023-01-01", last: "2023-12-31" }]]);
const SENTENCE =
  "Our principal executive officer, Ada Example, became Chief Executive Officer on March 4, 2019 and met us. ";

function officer(index: number): TableOfficer {
  const word = (at: number): string =>
    `N${at.toString(36).replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "")}son`;
  const name = `${word(index)} ${word(index * 7 + 1)}`;
  return {
    id: String(index),
    name,
    printedName: name,
    title: "Treasurer",
    years: new Map([[2023, { isPaid: true }]]),
  };
}

function read(people: readonly TableOfficer[], sentences: number): void {
  const passages = [SENTENCE.repeat(sentences)];
  const texts = { facts: [], passages, companyWords: [], accession: "", work: new Work() };
  readClaims({ people, periods: PERIODS, ...texts }, reportInto([]));
}

/** How many people are looked for in the text. */
function searchedPeople(people: number): number {
  const searched = new Set<number>();
  const counted = Array.from({ length: people }, (_, index) => ({
    ...officer(index),
    get printedName() {
      searched.add(index);
      return "";
    },
  }));
  read(counted, 1);
  return searched.size;
}

/** Processor time, the least of three: other processes only add to it. */
function cpu(work: () => void): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    }),
  );
}

test("the text is searched for sixty people at most, however many a crafted table has", () => {
  expect(searchedPeople(30)).toBe(30);
  expect(searchedPeople(600)).toBe(60);
});

test("four times the text takes nothing like sixteen times the work", () => {
  const people = Array.from({ length: 20 }, (_, index) => officer(index));
  read(people, 100);
  expect(cpu(() => read(people, 2000)) / cpu(() => read(people, 500))).toBeLessThan(9);
});
