import { expect, test } from "bun:test";
import { readNarrative, sentencesOf } from "../../../src/reader/officers/sentences.ts";

test("sentences end at full stops, not at those of names", () => {
  expect(
    sentencesOf(
      "Mr. Cole retired on May 1, 2020. Ada T. Byrne of Acme Inc. succeeded him; She was CFO before. No.",
    ),
  ).toEqual([
    "Mr. Cole retired on May 1, 2020.",
    "Ada T. Byrne of Acme Inc. succeeded him;",
    "She was CFO before.",
  ]);
});

test("passages are what stands around the names of the offices, however they are marked up", () => {
  const far = "x ".repeat(5000);
  const text = `${far}<p>Ada was <b>chief</b>&nbsp;<i>financial</i> officer.</p>${far}<p>Ben is our CEO.</p>${far}`;
  const passages = readNarrative(text);
  expect(passages).toHaveLength(2);
  expect(passages[0]).toContain("Ada was chief financial officer.");
  expect(passages[1]).toContain("Ben is our CEO.");
  expect(Math.max(...passages.map(({ length }) => length))).toBeLessThan(3200);
});

test("a document that names no office has no passages", () => {
  expect(readNarrative("<p>The annual meeting is held on May 1.</p>")).toEqual([]);
});

test("a table does not run on into the sentence behind it", () => {
  const table = "<table><tr><td>Ann Example</td><td>Chief Executive Officer</td></tr></table>";
  const [passage = ""] = readNarrative(
    `<p>Our officers.</p>${table}<p>In March 2019, Ben Sample joined the Company.</p>`,
  );
  expect(sentencesOf(passage)).toEqual([
    "Our officers.",
    "Ann Example Chief Executive Officer",
    "In March 2019, Ben Sample joined the Company.",
  ]);
});

test("text full of offices is cut into passages that repeat nothing", () => {
  const text = Array.from({ length: 20_000 }, (_, at) => `Our CEO met person ${at}.`).join(" ");
  const passages = readNarrative(text);
  expect(passages.length).toBeGreaterThan(1);
  expect(passages.join(" ").match(/person 7000\./g)?.length).toBe(1);
  expect(passages.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(text.length);
});
