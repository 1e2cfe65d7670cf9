import type { Site } from "./sites.ts";

/** What is known of a request before any surface looks at it. */
export interface Call {
  /** Request id: in the log line, the ledger and the `X-Request-Id` header. */
  id: string;
  /** The site root that was asked; every link in the answer is built from it. */
  site: Site;
  /** Address that an anonymous caller is counted under. */
  address: string;
}

/** Finds the call of a request that is being answered. Throws for a request that did not come through the server. */
export type CallOf = (request: Request) => Call;
