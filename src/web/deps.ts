import type { AuditLog } from "../accounts/audit.ts";
import type { Credits } from "../accounts/credits.ts";
import type { Keys } from "../accounts/keys.ts";
import type { Links } from "../accounts/links.ts";
import type { Grants } from "../accounts/oauth-state/index.ts";
import type { Throttle } from "../accounts/sign-in-throttle.ts";
import type { Sessions } from "../accounts/sessions.ts";
import type { SignIns, SignUpMode } from "../accounts/sign-in.ts";
import type { SignUp } from "../accounts/sign-up.ts";
import type { Users } from "../accounts/users.ts";
import type { Log } from "../log.ts";
import type { Outbox } from "../jobs/mail.ts";
import type { Runtime } from "../runtime.ts";
import type { PeerGroups } from "../accounts/peer-groups.ts";
import type { ContextOf } from "../http/base-urls.ts";
import type { OperationDeps } from "../operations/operation.ts";
import type { Analyst } from "../analysis/analyst.ts";
import type { Rasterizer } from "../charts/rasterizer.ts";
import type { SessionCookies } from "../http/session-cookies.ts";
import type { FormDeps } from "./forms.ts";
import type { Viewers } from "./viewer.ts";
import type { Conditional } from "./page-cache.ts";

/** Dependencies of the pages about compensation. */
export interface WebDeps {
  snapshots: OperationDeps["snapshots"];
  analyst: Analyst;
  contextOf: ContextOf;
  viewers: Viewers;
  /** Null where there are no accounts. */
  sessionCookies: SessionCookies | null;
  /** Null where there are no accounts. */
  forms: FormDeps | null;
  /** Null where there are no accounts. */
  peerGroups: PeerGroups | null;
  prices: OperationDeps["prices"];
  admit: OperationDeps["admit"];
  /** Draws the images of link previews. */
  rasterizer: Rasterizer;
  /** Adds entity tags to visitor pages and caches them. */
  conditional: Conditional;
  /** Whether visitors see rankings of the latest fiscal year. */
  publicRankings: "on" | "off";
  /** Who may register. */
  signUp: SignUpMode;
  /** The version of this build, for entity tags. */
  version: string;
}

/** The sign-in provider of the configuration. */
export interface Provider {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What the pages of accounts work with: those to come in by, the developer page, the owners' pages. */
export interface AccountDeps {
  forms: FormDeps;
  runtime: Runtime;
  log: Log;
  users: Users;
  keys: Keys;
  credits: Credits;
  sessions: Sessions;
  links: Links;
  throttle: Throttle;
  signIns: SignIns;
  signUps: SignUp;
  grants: Grants;
  audit: AuditLog;
  /** A user's free credits of a first key (0 if already received), and whether requests are free. */
  creditsOf(userId: string): Promise<{ freeCredits: number; unmetered: boolean }>;
  config: OperationDeps["prices"] & {
    signUp: SignUpMode;
    /** Whether visitors see rankings of the latest fiscal year. */
    publicRankings: "on" | "off";
    /** How a person gets more credits, in the operator's words. */
    creditsNote: string;
    /** Display name of the sign-in provider. */
    ssoName: string;
    ssoDomains: readonly string[];
  };
  /** Null where no mail server is configured. */
  outbox: Outbox | null;
  /** Null without single sign-on. */
  provider: Provider | null;
}
