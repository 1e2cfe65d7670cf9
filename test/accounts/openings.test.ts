import { expect, test } from "bun:test";
import { Openings } from "../../src/accounts/openings.ts";
import { withAccounts } from "../support/accounts.ts";

test("what a user unlocked is visible only to that user, in that dataset", () =>
  withAccounts(async ({ users, store, runtime }) => {
    const openings = new Openings(store, runtime);
    const [{ id: ann }, { id: bob }] = [
      await users.findOrCreate("ann@example.com"),
      await users.findOrCreate("bob@example.com"),
    ];
    expect(await openings.open(ann, "first", "history 1")).toBe(true);
    expect(await openings.open(ann, "first", "history 1")).toBe(false);
    expect(await openings.open(bob, "first", "history 2")).toBe(true);
    const open = (dataset: string) =>
      [ann, bob].map((user) =>
        ["history 1", "history 2"].map((subject) => openings.isOpen(user, dataset, subject)),
      );
    expect(open("first")).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(open("second")).toEqual([
      [false, false],
      [false, false],
    ]);
    // What one user unlocks in the next dataset ends only that user's unlocks in the previous one.
    await openings.open(ann, "second", "history 1");
    expect(open("first")).toEqual([
      [false, false],
      [false, true],
    ]);
    expect(open("second")).toEqual([
      [true, false],
      [false, false],
    ]);
  }));
