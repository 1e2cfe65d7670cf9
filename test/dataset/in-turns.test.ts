import { expect, test } from "bun:test";
import { grouped, groupedInTurns } from "../../src/dataset/groups.ts";
import { MadeInTurns, sortedInTurns } from "../../src/dataset/in-turns.ts";
import { seededRandom } from "../support/seeded-random.ts";

/** Makes "made" in the given number of slices; counts how often that was started and how many slices were done. */
function counted(slices: number) {
  const counts = { begun: 0, slices: 0 };
  const made = new MadeInTurns(function* () {
    counts.begun += 1;
    for (let slice = 0; slice < slices; slice++) {
      counts.slices += 1;
      yield;
    }
    return "made";
  });
  return { counts, made };
}

/** Makes "made" in two slices, with an error in the second one the first time. */
function failingOnce() {
  const counts = { begun: 0 };
  const made = new MadeInTurns(function* () {
    counts.begun += 1;
    yield;
    if (counts.begun === 1) throw new Error("unreadable");
    return "made";
  });
  return { counts, made };
}

const turn = () => new Promise((resolve) => void setImmediate(resolve));

test("two concurrent callers have it made once, one slice per turn, while other work runs in between", async () => {
  const { counts, made } = counted(20);
  const waiting = Promise.all([made.ready(), made.ready()]);
  expect(counts).toEqual({ begun: 0, slices: 0 });
  let most = 0;
  for (let before = 0; made.ready() !== undefined; before = counts.slices) {
    await turn();
    most = Math.max(most, counts.slices - before);
  }
  await waiting;
  // Which of two goes first in a turn may change: at most one slice is done before and one after.
  expect(most).toBeLessThanOrEqual(2);
  expect(counts).toEqual({ begun: 1, slices: 20 });
  expect([made.ready(), made.now()]).toEqual([undefined, "made"]);
});

test("work for a caller who does not wait is done at once, and waiting callers continue", async () => {
  const { counts, made } = counted(20);
  const waiting = made.ready();
  while (counts.slices < 5) await turn();
  expect(made.now()).toBe("made");
  expect(counts).toEqual({ begun: 1, slices: 20 });
  await waiting;
  expect(counts.begun).toBe(1);
});

test("an error in the middle reaches all waiting callers, and the next caller starts it again", async () => {
  const { counts, made } = failingOnce();
  const waiting = await Promise.allSettled([made.ready(), made.ready()]);
  expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await made.ready();
  expect([made.now(), counts.begun]).toEqual(["made", 2]);
});

test("an error for a caller who does not wait leaves no one waiting forever", async () => {
  const { counts, made } = failingOnce();
  const waiting = made.ready();
  while (counts.begun === 0) await turn();
  expect(() => made.now()).toThrow("unreadable");
  await waiting;
  expect(made.now()).toBe("made");
});

test.each([0, 1, 2048, 2049, 50_000])("%d texts are sorted in slices like toSorted does", (count) => {
  const random = seededRandom(count);
  const texts = Array.from({ length: count }, () => String(random.whole(0, 30_000)));
  const sorting = sortedInTurns(texts);
  let slices = 0;
  let step = sorting.next();
  for (; step.done !== true; step = sorting.next()) slices += 1;
  expect(step.value).toEqual(texts.toSorted());
  expect(slices).toBeGreaterThanOrEqual(Math.ceil(count / 2048));
});

test.each([0, 1, 32_768, 32_769, 100_000])("%d numbers are grouped in slices as in one go", (count) => {
  const random = seededRandom(count);
  const group = Int32Array.from({ length: count }, () => random.whole(0, 999));
  const members = Int32Array.from({ length: count }, (_, place) => 3 * place);
  const grouping = groupedInTurns(group, members, 1000);
  let slices = 0;
  let step = grouping.next();
  for (; step.done !== true; step = grouping.next()) slices += 1;
  expect(step.value).toEqual(grouped(group, members, 1000));
  expect(slices).toBe(2 * Math.ceil(count / 32_768));
  const places = Map.groupBy(members, (member) => group[member / 3]);
  for (const [one, all] of places) {
    const { first, members: kept } = step.value;
    expect(Array.from(kept.subarray(first[one ?? 0], first[(one ?? 0) + 1]))).toEqual(all);
  }
});
