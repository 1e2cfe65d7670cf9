import { isWellFormed, newSecret } from "../credentials.ts";
import type { Runtime } from "../../runtime.ts";
import { createSeals } from "./seals.ts";
import { REQUEST_MS } from "./requests.ts";

/** An authorization request that the browser carries, because no one has signed in there yet. */
export interface CarriedRequest {
  transaction: string;
  /** The query as sent by the client, to be validated again. */
  query: string;
  expiresAtMs: number;
}

/** Authorization requests kept outside the store, so that anonymous visitors cannot fill it. */
export interface CarriedRequests {
  /** Seals a request for ten minutes, bound to this browser. */
  seal(query: string, browser: string): CarriedRequest & { sealed: string };
  /** The sealed request; undefined if it has expired or belongs to another browser. */
  open(sealed: string, browser: string): CarriedRequest | undefined;
}

/** Creates the sealing of requests; all servers that open them share the key. */
export function createCarriedRequests(
  runtime: Pick<Runtime, "now" | "secret">,
  key: () => Uint8Array,
): CarriedRequests {
  const seals = createSeals(runtime, key);
  return {
    seal(query, browser) {
      const transaction = newSecret("request", runtime);
      const expiresAtMs = runtime.now() + REQUEST_MS;
      const sealed = seals.seal(`${transaction} ${expiresAtMs} ${query}`, browser);
      return { transaction, query, expiresAtMs, sealed };
    },
    open(sealed, browser) {
      const [, transaction = "", until, query = ""] =
        /^(\w+) (\d+) (.*)$/s.exec(seals.open(sealed, browser) ?? "") ?? [];
      const expiresAtMs = Number(until);
      const isOpen = isWellFormed("request", transaction) && expiresAtMs > runtime.now();
      return isOpen ? { transaction, query, expiresAtMs } : undefined;
    },
  };
}
