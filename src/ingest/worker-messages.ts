/** Messages to and from a worker thread. */
import type { ParsedFiling } from "../reader/parsed.ts";
import type { Known } from "../reader/pipeline.ts";
import type { IngestedFiling } from "./ingested-filing.ts";

/** A request to a worker. */
export type WorkerRequest =
  | { kind: "read"; bytes: Uint8Array; known: Known }
  | { kind: "commit"; dataDir: string; filings: readonly IngestedFiling[] };

/** A worker's answer. */
export type WorkerAnswer =
  { kind: "parsed"; parsed: ParsedFiling } | { kind: "committed" } | { kind: "failed"; why: string };
