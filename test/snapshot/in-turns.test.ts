import { expect, test } from "bun:test";
import { grouped, groupedInTurns } from "../../src/snapshot/groups.ts";
import { MadeInTurns, sortedInTurns } from "../../src/snapshot/in-turns.ts";
import { seededRandom } from "../support/seeded-random.ts";

/** Makes "made" in so many slices, and counts how often that was begun and how many slices were done. */
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

/** Makes "made" in two slices, the first time with an error in the second. */
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

test("two who wait at once have it made once, one slice a turn, while others have theirs", async () => {
  const { counts, made } = counted(20);
  const waiting = Promise.all([made.ready(), made.ready()]);
  expect(counts).toEqual({ begun: 0, slices: 0 });
  let most = 0;
  for (let before = 0; made.ready() !== undefined; before = counts.slices) {
    await turn();
    most = Math.max(most, counts.slices - before);
  }
  await waiting;
  // Which of two is first in a turn may change: at most one slice is done before and one behind.
  expect(most).toBeLessThanOrEqual(2);
  expect(counts).toEqual({ begun: 1, slices: 20 });
  expect([made.ready(), made.now()]).toEqual([undefined, "made"]);
});

test("work of a caller who does not wait is done at once, and waiting callers continue", async () => {
  const { counts, made } = counted(20);
  const waiting = made.ready();
  while (counts.slices < 5) await turn();
  expect(made.now()).toBe("made");
  expect(counts).toEqual({ begun: 1, slices: 20 });
  await waiting;
  expect(counts.begun).toBe(1);
});

test("an error in the middle reaches all who wait, and the next who asks has it begun anew", async () => {
  const { counts, made } = failingOnce();
  const waiting = await Promise.allSettled([made.ready(), made.ready()]);
  expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await made.ready();
  expect([made.now(), counts.begun]).toEqual(["made", 2]);
});

test("an error of a caller who does not wait leaves no other waiting forever", async () => {
  const { counts, made } = failingOnce();
  const waiting = made.ready();
  while (counts.begun === 0) await turn();
  expect(() => made.now()).toThrow("unreadable");
  await waiting;
  expect(made.now()).toBe("made");
});

test.each([0, 1, 2048, 2049, 50_000])("%d texts are sorted as toSorted does, in slices", (count) => {
  const random = seededRandom(count);
  const texts = Array.from({ length: count }, () => String(random.whole(0, 30_000)));
  const sorting = sortedInTurns(texts);
  let slices = 0;
  let step = sorting.next();
  for (; step.done !== true; step = sorting.next()) slices += 1;
  expect(step.value).toEqual(texts.toSorted());
  expect(slices).toBeGreaterThanOrEqual(Math.ceil(count / 2048));
});

test.each([0, 1, 32_768, 32_769, 100_000])("%d numbers are grouped as in one go, in slices", (count) => {
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
