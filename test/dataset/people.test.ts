import { expect, test } from "bun:test";
import { identifyPeople } from "../../src/dataset/people.ts";
import { testFiling, testRow } from "../support/record.ts";

const OLD = "0000000001-24-000001";
const NEW = "0000000001-25-000001";
const filings = [testFiling({ year: 2024 }), testFiling()];
let position = 0;
const row = (accession: string, name: string, fiscalYear: number, salary: number, stock = 0) =>
  testRow({ accession, name, fiscalYear, position: ++position }, { salary, stock_awards: stock });
const idsOf = (
  observations: ReturnType<typeof row>[],
  pins: { executiveId: string; spelling: string }[] = [],
) => identifyPeople({ filings, observations, pins });

test("the same executive-year with the same amounts in two filings links two spellings of one surname", () => {
  const { ids, pins } = idsOf([
    row(OLD, "Dan Cregg", 2022, 700, 5),
    row(NEW, "Daniel J. Cregg", 2022, 700, 5),
  ]);
  expect(ids).toEqual(["dan-cregg", "dan-cregg"]);
  expect(pins).toEqual([
    { executiveId: "dan-cregg", spelling: "Dan Cregg" },
    { executiveId: "dan-cregg", spelling: "Daniel J. Cregg" },
  ]);
});

test("they also link a surname that has a further part in one of them", () => {
  const older = row(OLD, "Mary T. Jones", 2022, 700);
  expect(idsOf([older, row(NEW, "Mary Jones-Lee", 2022, 700)]).ids).toEqual(["mary-jones", "mary-jones"]);
  expect(idsOf([older, row(NEW, "Mary Joneson", 2022, 700)]).ids).toEqual(["mary-jones", "mary-joneson"]);
});

test("three officers with equal amounts in every component stay three people (Apple, fiscal 2024: 27,179,257)", () => {
  const names = ["Kate Adams", "Deirdre O’Brien", "Jeff Williams"];
  const renamed = ["Katherine L. Adams", "Deirdre O’Brien", "Jeffrey E. Williams"];
  const { ids } = idsOf([
    ...names.map((name) => row(OLD, name, 2024, 100_000_000, 2_217_925_700)),
    ...renamed.map((name) => row(NEW, name, 2024, 100_000_000, 2_217_925_700)),
  ]);
  expect(new Set(ids.slice(0, 3)).size).toBe(3);
  expect(new Set(ids.slice(3)).size).toBe(3);
  expect(ids[3]).not.toBe(ids[0]);
  expect(ids[4]).toBe("deirdre-obrien");
});

test("equal amounts do not link people if one side has them twice, even if one surname agrees", () => {
  const { ids } = idsOf([
    row(OLD, "Dan Cregg", 2022, 700),
    row(OLD, "Eve Stone", 2022, 700),
    row(NEW, "Daniel J. Cregg", 2022, 700),
  ]);
  expect(ids).toEqual(["dan-cregg", "eve-stone", "daniel-cregg"]);
});

test("equal amounts do not link people of another surname, in another year, or with only zeros", () => {
  expect(idsOf([row(OLD, "Dan Cregg", 2022, 700), row(NEW, "Dan Crane", 2022, 700)]).ids).toEqual([
    "dan-cregg",
    "dan-crane",
  ]);
  expect(idsOf([row(OLD, "Dan Cregg", 2022, 700), row(NEW, "Daniel Cregg", 2023, 700)]).ids).toEqual([
    "dan-cregg",
    "daniel-cregg",
  ]);
  expect(idsOf([row(OLD, "Dan Cregg", 2022, 0), row(NEW, "Daniel Cregg", 2022, 0)]).ids).toEqual([
    "dan-cregg",
    "daniel-cregg",
  ]);
});

test("spellings that fold to one id are one person without any amount", () => {
  const { ids } = idsOf([row(OLD, "ROBERT B. FORD", 2022, 1), row(NEW, "Ford, Robert", 2024, 2)]);
  expect(ids).toEqual(["robert-ford", "robert-ford"]);
});

test("father and son in one table are two people: the newcomer has the suffix", () => {
  const both = [row(NEW, "William Ford, Jr.", 2024, 5), row(NEW, "William Ford", 2024, 9)];
  expect(idsOf(both).ids).toEqual(["william-ford-jr", "william-ford"]);
  const known = [{ executiveId: "william-ford", spelling: "William Ford, Jr." }];
  expect(idsOf(both, known).ids).toEqual(["william-ford", "william-ford-2"]);
});

test("a suffix on only one side does not make another person, two different ones do", () => {
  expect(idsOf([row(OLD, "William Ford", 2022, 5), row(NEW, "William Ford, Jr.", 2024, 6)]).ids).toEqual([
    "william-ford",
    "william-ford",
  ]);
  expect(idsOf([row(OLD, "William Ford, Sr.", 2022, 5), row(NEW, "William Ford III", 2024, 6)]).ids).toEqual([
    "william-ford",
    "william-ford-iii",
  ]);
});

test("a pinned id stays, even if the name would now yield another, and applies to new spellings too", () => {
  const pins = [{ executiveId: "dj-cregg", spelling: "Dan Cregg" }];
  const { ids, newPins } = idsOf(
    [row(OLD, "Dan Cregg", 2022, 700), row(NEW, "Daniel J. Cregg", 2022, 700)],
    pins,
  );
  expect(ids).toEqual(["dj-cregg", "dj-cregg"]);
  expect(newPins).toEqual([{ executiveId: "dj-cregg", spelling: "Daniel J. Cregg" }]);
});

test("two pinned ids are never merged; the amounts that suggest it are reported", () => {
  const pins = [
    { executiveId: "dan-cregg", spelling: "Dan Cregg" },
    { executiveId: "daniel-cregg", spelling: "Daniel J. Cregg" },
  ];
  const { ids, conflicts, newPins } = idsOf(
    [row(OLD, "Dan Cregg", 2022, 700), row(NEW, "Daniel J. Cregg", 2022, 700)],
    pins,
  );
  expect(ids).toEqual(["dan-cregg", "daniel-cregg"]);
  expect(newPins).toEqual([]);
  expect(conflicts).toHaveLength(1);
  expect(conflicts[0]?.message).toContain("pinned as dan-cregg and daniel-cregg");
});

test("one spelling is one person, even if a filing prints it twice for one year", () => {
  const { ids, pins } = idsOf([row(NEW, "John Smith", 2024, 5), row(NEW, "John Smith", 2024, 9)]);
  expect(ids).toEqual(["john-smith", "john-smith"]);
  expect(pins.map(({ spelling }) => spelling)).toEqual(["John Smith"]);
});

test("different middle initials are two people, unless their amounts link them; a missing one proves nothing", () => {
  expect(idsOf([row(OLD, "John A. Smith", 2022, 5), row(NEW, "John B. Smith", 2024, 6)]).ids).toEqual([
    "john-smith",
    "john-smith-2",
  ]);
  expect(idsOf([row(OLD, "John A. Smith", 2023, 5), row(NEW, "John B. Smith", 2023, 5)]).ids).toEqual([
    "john-smith",
    "john-smith",
  ]);
  expect(idsOf([row(OLD, "John A. Smith", 2022, 5), row(NEW, "John Smith", 2024, 6)]).ids).toEqual([
    "john-smith",
    "john-smith",
  ]);
});

test("ids do not depend on the order in which observations are passed", () => {
  const observations = [
    row(OLD, "Dan Cregg", 2022, 700),
    row(OLD, "William Ford", 2022, 9),
    row(NEW, "Daniel J. Cregg", 2022, 700),
    row(NEW, "William Ford, Jr.", 2022, 9),
    row(NEW, "William Ford", 2022, 8),
  ];
  const by = (list: typeof observations) => {
    const { ids } = identifyPeople({ filings, observations: list, pins: [] });
    return Object.fromEntries(list.map((one, index) => [one.position, ids[index]]));
  };
  expect(by(observations.toReversed())).toEqual(by(observations));
});

test("a name without a Latin letter still gets its own id", () => {
  expect(idsOf([row(NEW, "李彥宏", 2024, 5), row(NEW, "余華", 2024, 6)]).ids).toEqual([
    "executive",
    "executive-2",
  ]);
});
