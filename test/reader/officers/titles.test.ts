import { expect, test } from "bun:test";
import { letters } from "../../../src/reader/clean-text.ts";
import { FALLBACK_TITLES } from "../../../src/reader/lexicon/titles.ts";
import { companyWordsOf, isCoChief, officeOfTitle } from "../../../src/reader/officers/titles.ts";
import { COMPANY_TITLES, FALLBACKS, TITLES } from "./cases.ts";

const acme = companyWordsOf("Acme Energy, Inc.");

test.each(TITLES)("the title %p names %p", (title, offices) => {
  const named = (["peo", "pfo"] as const).flatMap((office) => {
    const standing = officeOfTitle(title, office, acme);
    const name = office === "peo" ? "PEO" : "PFO";
    return standing === null ? [] : [standing.startsWith("former") ? `former ${name}` : name];
  });
  expect(named.join(" ")).toBe(offices);
});

test.each(TITLES.filter(([, offices]) => offices === "PEO" || offices === "PFO" || offices === "PEO PFO"))(
  "the title %p in capitals names %p, too",
  (title, offices) => {
    const upper = title.toUpperCase();
    const named = (["peo", "pfo"] as const).filter((office) =>
      officeOfTitle(upper, office, acme)?.startsWith("present"),
    );
    expect(named.map((office) => office.toUpperCase()).join(" ")).toBe(offices);
  },
);

test.each(COMPANY_TITLES)("%p at %p", (title, company, isPfo) => {
  expect(officeOfTitle(title, "pfo", companyWordsOf(company)) === "present").toBe(isPfo);
});

test.each(FALLBACKS)("%p stands for an office that nobody has: %s", (title, office) => {
  expect(officeOfTitle(title, office)).toBeNull();
  expect(FALLBACK_TITLES.has(letters(title), office)).toBe(true);
});

test("a vice president is no fallback for the principal executive officer", () => {
  expect(FALLBACK_TITLES.has(letters("Vice President, Operations"), "peo")).toBe(false);
});

test("interims and co-chiefs are told by their titles", () => {
  expect(officeOfTitle("Interim President and Chief Financial Officer", "pfo")).toBe("present_interim");
  expect(officeOfTitle("Interim President, Chief Financial Officer", "pfo")).toBe("present");
  expect(officeOfTitle("Former Acting CFO", "pfo")).toBe("former_interim");
  expect(isCoChief("Co-CEO")).toBe(true);
  expect(isCoChief("CEO")).toBe(false);
});
