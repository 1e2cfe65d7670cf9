import type { PeerGroups } from "../accounts/peer-groups.ts";
import type { ContextOf } from "../http/base-urls.ts";
import type { ChangeHistory } from "../operations/changes.ts";
import type { OperationDeps } from "../operations/operation.ts";
import type { Analyst } from "../analysis/analyst.ts";
import type { Rasterizer } from "../charts/rasterizer.ts";
import type { SessionCookies } from "../http/session-cookies.ts";
import type { Conditional } from "./conditional.ts";
import type { FormDeps } from "./forms.ts";
import type { Viewers } from "./viewer.ts";

/** Dependencies of the pages about compensation. */
export interface WebDeps {
  snapshots: OperationDeps["snapshots"];
  analyst: Analyst;
  changes: ChangeHistory;
  contextOf: ContextOf;
  viewers: Viewers;
  /** Null where there are no accounts. */
  sessionCookies: SessionCookies | null;
  /** Null where there are no accounts. */
  forms: FormDeps | null;
  /** Null where there are no accounts. */
  peerGroups: PeerGroups | null;
  prices: { priceHistory: number; priceQuery: number };
  admit: OperationDeps["admit"];
  /** Draws the images of link previews. */
  rasterizer: Rasterizer;
  /** Adds entity tags to visitor pages and caches them. */
  conditional: Conditional;
  /** Whether visitors see rankings of the latest fiscal year. */
  publicRankings: "on" | "off";
  /** The version of this build, for entity tags. */
  version: string;
}
