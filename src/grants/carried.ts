import { isWellFormed, newSecret } from "../credentials.ts";
import type { Runtime } from "../runtime.ts";
import { createSeals } from "./seals.ts";
import { REQUEST_MS } from "./requests.ts";

/** An authorization request that a browser carries itself, because nobody has signed in there yet. */
export interface CarriedRequest {
  transaction: string;
  /** The query as the client sent it, to be checked again. */
  query: string;
  expiresAtMs: number;
}

/** Authorization requests outside the store: whoever has not signed in can fill nothing with them. */
export interface CarriedRequests {
  /** Seals a request for ten minutes, for this browser alone. */
  seal(query: string, browser: string): CarriedRequest & { sealed: string };
  /** The request in a seal; undefined when it is over or was not made for this browser. */
  open(sealed: string, browser: string): CarriedRequest | undefined;
}

/** The requests that browsers carry, under a key that whoever may open them has alike. */
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
