/** Length of every window, in seconds. @see spec.md, Limits */
export const WINDOW_SECONDS = 60;

/** How many times more of MCP's handshake and list messages fit than calls. */
const HANDSHAKES = 10;

/** Requests that fit into any window, by who calls. @see spec.md, Limits */
export const QUOTAS = { anon: 60, key: 600, token: 600 } as const;

/** Whose window. */
export type WindowKind = keyof typeof QUOTAS;

/** What is counted: calls, or MCP's handshakes in a window of their own. */
export type Counted = "calls" | "handshakes";

/** One window: its identity in the store, its name in headers, its quota. */
export interface WindowSpec {
  id: string;
  name: string;
  quota: number;
}

/** The window of a caller. @param who address, key id or token id */
export function windowOf(kind: WindowKind, who: string, counted: Counted): WindowSpec {
  return counted === "calls"
    ? { id: `${kind}:${who}`, name: kind, quota: QUOTAS[kind] }
    : { id: `${kind}+${who}`, name: "handshake", quota: QUOTAS[kind] * HANDSHAKES };
}
