/** What a worker thread is asked, and what it answers. */
import type { ParsedFiling } from "../reader/parsed.ts";
import type { Known } from "../reader/pipeline.ts";
import type { IngestedFiling } from "./ingested-filing.ts";

/** What a thread is asked. */
export type WorkerRequest =
  | { kind: "read"; bytes: Uint8Array; known: Known }
  | { kind: "commit"; dataDir: string; filings: readonly IngestedFiling[] };

/** What it answers. */
export type WorkerAnswer =
  { kind: "parsed"; parsed: ParsedFiling } | { kind: "committed" } | { kind: "failed"; why: string };
