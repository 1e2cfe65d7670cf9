/** The walk of `paid-years.test.ts` with every filter, and with accounts in PostgreSQL. */
import { afterAll, describe } from "bun:test";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { describeOpened, describeUnpaid, OPENED_KINDS } from "./paid-years-walk.ts";

const postgres = hasPostgres ? await startPostgres() : null;
afterAll(() => postgres?.stop());

const member = "a member without a credit where rankings are public";
const by = { publicRankings: "on", credits: 0 } as const;
describeUnpaid(member, by);
const openedBy = { publicRankings: "off", credits: 1, isThin: true } as const;
for (const what of OPENED_KINDS.slice(1)) describeOpened(what, openedBy);

// With one filter in five: the store knows who opened what, not which filters there are.
describe.skipIf(postgres === null)("on PostgreSQL", () => {
  if (postgres === null) return;
  const there = { ...by, isThin: true, store: () => postgres.createDatabase() } as const;
  describeUnpaid(member, there);
  describeUnpaid("the holder of a test key", { ...there, isTest: true });
  describeOpened("the CEOs of 2024", { ...there, publicRankings: "off", credits: 1 });
});
