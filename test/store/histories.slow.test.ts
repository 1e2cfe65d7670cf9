import { describe, test } from "bun:test";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { expectSameHistory } from "./both-stores.ts";

const postgres = hasPostgres ? await startPostgres() : null;

describe.skipIf(postgres === null)("one history in both stores", () => {
  test.each([1, 2, 3, 4, 5, 6, 7])(
    "history %d has the same answers at every step, and leaves the same rows",
    async (seed) => expectSameHistory((await postgres?.createDatabase()) ?? "", seed, 600),
    600_000,
  );
});
