/**
 * The migrations of the store. To add one:
 *
 * 1. Describe the tables in `schema.ts` (or in a separate file, exported from there).
 * 2. `bunx drizzle-kit generate --dialect sqlite --schema 'src/store/{schema,identities,oauth,audit}.ts' --out src/store/migrations --name WHAT`
 *    writes `NNNN_WHAT.sql`, a line in `meta/_journal.json` and `meta/NNNN_snapshot.json`, which
 *    replaces the previous one (a migration of data alone has none). What drizzle cannot express
 *    (triggers, WITHOUT ROWID) is added to the SQL by hand, statements separated by `--> statement-breakpoint`.
 * 3. Import the SQL below and add it to `TEXTS`. `test/store/migrations.test.ts` fails while something is missing.
 *
 * Never edit a migration that has landed: stores that ran it would differ from new ones.
 */
import journal from "./meta/_journal.json";
import accounts from "./0000_accounts.sql" with { type: "text" };
import oauth from "./0001_oauth.sql" with { type: "text" };
import identities from "./0002_identities.sql" with { type: "text" };
import provedAddresses from "./0003_proved-addresses.sql" with { type: "text" };
import pageOpenings from "./0004_page-openings.sql" with { type: "text" };
import audit from "./0005_audit.sql" with { type: "text" };
import ledgerInOrder from "./0006_ledger-in-order.sql" with { type: "text" };
import peerGroups from "./0007_peer-groups.sql" with { type: "text" };
import rolledLedger from "./0008_rolled-ledger.sql" with { type: "text" };
import rolledLedgerOverlap from "./0009_rolled-ledger-overlap.sql" with { type: "text" };
import windowHitsNumbers from "./0010_window-hits-numbers.sql" with { type: "text" };
import rotatedKeys from "./0011_rotated-keys.sql" with { type: "text" };
import invitations from "./0012_invitations.sql" with { type: "text" };
import rolledDays from "./0013_rolled-days.sql" with { type: "text" };
import indexes from "./0014_indexes.sql" with { type: "text" };
import counts from "./0015_counts.sql" with { type: "text" };

const TEXTS: Readonly<Record<string, string>> = {
  "0000_accounts": accounts,
  "0001_oauth": oauth,
  "0002_identities": identities,
  "0003_proved-addresses": provedAddresses,
  "0004_page-openings": pageOpenings,
  "0005_audit": audit,
  "0006_ledger-in-order": ledgerInOrder,
  "0007_peer-groups": peerGroups,
  "0008_rolled-ledger": rolledLedger,
  "0009_rolled-ledger-overlap": rolledLedgerOverlap,
  "0010_window-hits-numbers": windowHitsNumbers,
  "0011_rotated-keys": rotatedKeys,
  "0012_invitations": invitations,
  "0013_rolled-days": rolledDays,
  "0014_indexes": indexes,
  "0015_counts": counts,
};

/** A migration. */
export interface Migration {
  tag: string;
  /** Creation time, which defines the order and is recorded in `__drizzle_migrations`. */
  atMs: number;
  statements: readonly string[];
  /** SHA-256 of the SQL text, hexadecimal. */
  hash: string;
}

/** All migrations, oldest first. */
export function migrations(): readonly Migration[] {
  return journal.entries.map(({ tag, when }) => {
    const text = TEXTS[tag];
    if (text === undefined) throw new Error(`migration ${tag} is not named in src/store/migrations/index.ts`);
    const statements = text.split("--> statement-breakpoint");
    return { tag, atMs: when, statements, hash: Bun.CryptoHasher.hash("sha256", text, "hex") };
  });
}
