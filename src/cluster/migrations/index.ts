/**
 * The migrations of the store in PostgreSQL. A change to `../../store/schema.ts` and its neighbours needs a migration here as
 * well as in `../../store/migrations/`: `test/cluster/schema.test.ts` fails while the columns differ. Import the SQL
 * below and add it to `STEPS`; never edit one that has landed.
 */
import store from "./0000_store.sql" with { type: "text" };
import ledgerIds from "./0001_ledger-ids.sql" with { type: "text" };
import rotatedKeys from "./0002_rotated-keys.sql" with { type: "text" };
import invitations from "./0003_invitations.sql" with { type: "text" };
import rolledDays from "./0004_rolled-days.sql" with { type: "text" };
import indexes from "./0005_indexes.sql" with { type: "text" };
import counts from "./0006_counts.sql" with { type: "text" };

/** A migration. */
export interface PostgresMigration {
  /** Names sort in order of creation. */
  name: string;
  text: string;
}

/** All migrations, oldest first. */
export const STEPS: readonly PostgresMigration[] = [
  { name: "0000_store", text: store },
  { name: "0001_ledger-ids", text: ledgerIds },
  { name: "0002_rotated-keys", text: rotatedKeys },
  { name: "0003_invitations", text: invitations },
  { name: "0004_rolled-days", text: rolledDays },
  { name: "0005_indexes", text: indexes },
  { name: "0006_counts", text: counts },
];
