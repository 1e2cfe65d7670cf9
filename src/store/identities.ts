import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./schema.ts";

/**
 * Links users to OpenID Connect identities: issuer and subject are stable, while an e-mail address can be reassigned.
 */
export const identities = sqliteTable(
  "identities",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    createdAtMs: integer("created_at_ms").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index("identities_user").on(table.userId),
  ],
);
