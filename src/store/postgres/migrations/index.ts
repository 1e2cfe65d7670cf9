/**
 * The store's schema in PostgreSQL, step by step. A change of `../../schema.ts` and its neighbours needs a step here as well as
 * in `../../migrations/`: `test/store/postgres/schema.test.ts` fails while the columns differ. Import the SQL below and name it
 * in `STEPS`; one that has landed is never edited.
 */
import store from "./0000_store.sql" with { type: "text" };
import ledgerIds from "./0001_ledger-ids.sql" with { type: "text" };

/** One step of the schema. */
export interface PostgresMigration {
  /** Names sort in the order of their making. */
  name: string;
  text: string;
}

/** All steps, oldest first. */
export const STEPS: readonly PostgresMigration[] = [
  { name: "0000_store", text: store },
  { name: "0001_ledger-ids", text: ledgerIds },
];
