import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { userId } from "./schema.ts";

/** What a request has in common with the code and the grant that it becomes. */
const authorization = () => ({
  clientId: text("client_id").notNull(),
  clientName: text("client_name"),
  redirectUri: text("redirect_uri").notNull(),
  resource: text("resource").notNull(),
  scope: text("scope").notNull(),
  createdAtMs: integer("created_at_ms").notNull(),
  expiresAtMs: integer("expires_at_ms").notNull(),
});

/** Applications that can request access. */
export const oauthClients = sqliteTable(
  "oauth_clients",
  {
    /** The `client_id`: issued by us, or the URL of a client metadata document. */
    id: text("id").primaryKey(),
    kind: text("kind", { enum: ["registered", "document"] }).notNull(),
    /** The application's own name for itself; not verified. */
    name: text("name"),
    /** In the order registered. */
    redirectUris: text("redirect_uris", { mode: "json" }).$type<readonly string[]>().notNull(),
    authMethod: text("auth_method", {
      enum: ["none", "client_secret_basic", "client_secret_post"],
    }).notNull(),
    /** SHA-256; null for public clients. */
    secretHash: text("secret_hash"),
    grantTypes: text("grant_types", { mode: "json" }).$type<readonly string[]>().notNull(),
    applicationType: text("application_type"),
    /** SHA-256 of the registration and its address: identical registrations share a row for ten minutes. */
    fingerprint: text("fingerprint").notNull(),
    address: text("address").notNull(),
    /** Number of registrations that returned this row. */
    registrations: integer("registrations").notNull(),
    createdAtMs: integer("created_at_ms").notNull(),
    /** When a person last approved it; null if never. */
    lastGrantAtMs: integer("last_grant_at_ms"),
  },
  (table) => [
    index("oauth_clients_address").on(table.address, table.createdAtMs),
    index("oauth_clients_fingerprint").on(table.fingerprint),
    index("oauth_clients_created").on(table.createdAtMs),
  ],
);

/** Authorization requests awaiting the person's decision, by the SHA-256 of their transaction id. */
export const oauthRequests = sqliteTable(
  "oauth_requests",
  {
    hash: text("hash").primaryKey(),
    /** SHA-256 of the browser's cookie: only this browser may decide. */
    browserHash: text("browser_hash").notNull(),
    ...authorization(),
    state: text("state"),
    codeChallenge: text("code_challenge").notNull(),
    issuer: text("issuer").notNull(),
    address: text("address").notNull(),
    /** Null while undecided; the first decision is final. */
    decision: text("decision", { enum: ["approved", "denied"] }),
    decidedBy: text("decided_by"),
  },
  (table) => [
    index("oauth_requests_address").on(table.address, table.expiresAtMs),
    index("oauth_requests_expiry").on(table.expiresAtMs),
  ],
);

/** A person's authorization of one installation of an application, with its family of tokens. */
export const oauthGrants = sqliteTable(
  "oauth_grants",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    /** The end is an upper bound for the lifetime of its tokens. */
    ...authorization(),
    lastUsedAtMs: integer("last_used_at_ms"),
    revokedAtMs: integer("revoked_at_ms"),
    revokedFor: text("revoked_for", {
      enum: ["disconnected", "revoked", "code_replayed", "refresh_reused", "cut_off"],
    }),
  },
  (table) => [
    index("oauth_grants_user").on(table.userId, table.createdAtMs),
    index("oauth_grants_client").on(table.clientId),
    index("oauth_grants_expiry").on(table.expiresAtMs),
    index("oauth_grants_created").on(table.createdAtMs),
  ],
);

/** Authorization codes, by SHA-256. */
export const oauthCodes = sqliteTable(
  "oauth_codes",
  {
    hash: text("hash").primaryKey(),
    requestHash: text("request_hash").notNull(),
    userId: userId(),
    ...authorization(),
    codeChallenge: text("code_challenge").notNull(),
    /** Number of wrong verifiers so far. */
    failures: integer("failures").notNull(),
    usedAtMs: integer("used_at_ms"),
    /** The grant created from it. */
    grantId: text("grant_id"),
  },
  (table) => [index("oauth_codes_expiry").on(table.expiresAtMs)],
);

/** Access and refresh tokens, by SHA-256. */
export const oauthTokens = sqliteTable(
  "oauth_tokens",
  {
    hash: text("hash").primaryKey(),
    id: text("id").notNull(),
    kind: text("kind", { enum: ["access", "refresh"] }).notNull(),
    grantId: text("grant_id")
      .notNull()
      .references(() => oauthGrants.id),
    scope: text("scope").notNull(),
    createdAtMs: integer("created_at_ms").notNull(),
    expiresAtMs: integer("expires_at_ms").notNull(),
    revokedAtMs: integer("revoked_at_ms"),
    /** For refresh tokens: first use, number of uses, and the token it was exchanged for. */
    usedAtMs: integer("used_at_ms"),
    uses: integer("uses").notNull(),
    parentHash: text("parent_hash"),
  },
  (table) => [
    index("oauth_tokens_grant").on(table.grantId),
    index("oauth_tokens_parent").on(table.parentHash),
    index("oauth_tokens_expiry").on(table.expiresAtMs),
  ],
);
