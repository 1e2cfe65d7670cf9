import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGrants, type Grants } from "../../../src/accounts/oauth-state/index.ts";
import type { AuthorizationRequest } from "../../../src/accounts/oauth-state/requests.ts";
import type { GrantDeps } from "../../../src/accounts/oauth-state/tokens.ts";
import { SqliteStore } from "../../../src/store/open.ts";
import { users } from "../../../src/store/schema.ts";
import { type TestRuntime, testRuntime } from "../../support/runtime.ts";

/** A store with the authorization server's state, and a clock that the test controls. */
export interface Bench {
  store: SqliteStore;
  grants: Grants;
  runtime: TestRuntime;
  /** Creates a user and returns its id. */
  user(email?: string): string;
  /** Registers a public client on this computer and returns its id. */
  client(redirectUris?: readonly string[]): Promise<string>;
  /** Goes from request to code. */
  code(options: { userId: string; clientId: string; over?: Partial<AuthorizationRequest> }): Promise<string>;
  close(): void;
}

/** A valid verifier and its challenge. */
export const VERIFIER = "verifier-verifier-verifier-verifier-verifier";
/** S256 of `VERIFIER`. */
export const CHALLENGE = Bun.SHA256.hash(VERIFIER, "base64url").replace(/=+$/, "");
/** The redirect URI of the clients of these tests. */
export const REDIRECT = "http://localhost:3118/callback";
/** The resource that they request. */
export const RESOURCE = "http://localhost:8402/mcp";
/** The default lifetimes. */
export const LIFETIMES = {
  codeSeconds: 300,
  accessTokenSeconds: 3600,
  refreshIdleSeconds: 30 * 86_400,
  grantSeconds: 180 * 86_400,
};

/** A bench; close it when done. */
export function bench(over: Partial<GrantDeps> = {}): Bench {
  const dataDir = mkdtempSync(join(tmpdir(), "execcomp-grants-"));
  const runtime = testRuntime();
  const store = new SqliteStore({ dataDir, runtime });
  const grants = createGrants({
    sealKey: () => new Uint8Array(32),
    store,
    runtime,
    lifetimes: LIFETIMES,
    limits: { registrationsPerHour: 20, unconnectedApplications: 2000 },
    allowedRedirects: ["https://claude.ai/api/mcp/auth_callback"],
    readDocuments: false,
    ...over,
  });
  const made = {
    user(email = `${runtime.id()}@example.com`) {
      const id = runtime.id();
      const row = { id, email, role: "member", createdAtMs: runtime.now() } as const;
      store.db.insert(users).values(row).run();
      return id;
    },
    async client(redirectUris: readonly string[] = [REDIRECT]) {
      const { client } = await grants.clients.register(
        {
          name: `App ${runtime.id()}`,
          redirectUris,
          authMethod: "none",
          grantTypes: ["authorization_code", "refresh_token"],
          applicationType: "native",
        },
        { address: "127.0.0.1", exempt: true },
      );
      return client.id;
    },
    async code({ userId, clientId, over: changed = {} }: Parameters<Bench["code"]>[0]) {
      const request: AuthorizationRequest = {
        clientId,
        clientName: "App",
        redirectUri: REDIRECT,
        state: "s",
        codeChallenge: CHALLENGE,
        resource: RESOURCE,
        scope: "executive-compensation:read",
        issuer: "http://localhost:8402",
        ...changed,
      };
      const browser = `browser ${runtime.id()}`;
      const transaction = await grants.requests.open(request, { browser, address: "127.0.0.1" });
      const decided = await grants.requests.decide(
        transaction,
        { browser, userId, address: null, userAgent: null },
        true,
      );
      if (decided.kind !== "approved") throw new Error(`not approved: ${decided.kind}`);
      return decided.code;
    },
  };
  return {
    store,
    grants,
    runtime,
    ...made,
    close() {
      void store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
