/** Endpoints of REST, each declared in the file of its operation. Routes, limits, the OpenAPI document and tests follow. */
import type { Parameter } from "../domain/parameters.ts";
import type { Definition } from "../lib/definition.ts";
import type { Prices } from "./operation.ts";

/** An endpoint, as data. */
export interface Endpoint {
  /** The operation id, in the ledger, the OpenAPI document and its examples. */
  readonly id: string;
  /** `:name` matches one segment. */
  readonly path: string;
  /** Without HEAD if the length of an answer would reveal what GET sells. */
  readonly methods: readonly ["GET"] | readonly ["GET", "HEAD"];
  /** Whether a credential is required; with `any` none is looked at, pages of all sites may ask, and everybody may keep the answer. */
  readonly caller: "credential" | "any";
  /** What an answer costs, of what an operator sets; null if nothing. */
  readonly price: keyof Prices | null;
  /** Whether it answers immediately; others may take seconds. */
  readonly isImmediate?: true;
  readonly tag: "Executive compensation" | "Analysis" | "Facts";
  readonly summary: string;
  readonly description: string;
  /** Of the query. */
  readonly parameters: readonly Parameter[];
  /** Of the path. */
  readonly segments?: readonly Parameter[];
  /** Example values for the reference page. */
  readonly example?: Readonly<Record<string, string>>;
  /** Description of the 200 response, and the definition of its body; null for a file. */
  readonly answer: { readonly about: string; readonly body: Exclude<Definition, string> | null };
  /** Its headers besides entity tag, rate limit and edition. */
  readonly says: readonly ("company" | "left out" | "evidence" | "credits")[];
  /** Statuses besides 200, 304, 400, 401 and 429. */
  readonly refusals: readonly ("402" | "404" | "410" | "503")[];
}
