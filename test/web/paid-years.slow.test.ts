/** The walk of `paid-years.test.ts` with every filter, and with accounts in either store. */
import { afterAll, describe } from "bun:test";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { describeOpened, describeUnpaid } from "./paid-years-walk.ts";

const postgres = hasPostgres ? await startPostgres() : null;
afterAll(() => postgres?.stop());

describe.each(postgres === null ? ["SQLite"] : ["SQLite", "PostgreSQL"])("on %s", (name) => {
  const store = name === "SQLite" || postgres === null ? {} : { store: () => postgres.createDatabase() };
  const by = { publicRankings: "on", credits: 0, ...store } as const;
  describeUnpaid("a member without a credit where rankings are public", by);
  describeUnpaid("the holder of a test key", { ...by, isTest: true });
  describeOpened("who opened the CEOs of 2024", { ...by, publicRankings: "off", credits: 1 });
});
