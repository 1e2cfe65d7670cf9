/** What a request carries, before anything is looked up. */
export type Presented =
  { kind: "none" } | { kind: "key"; secret: string } | { kind: "token"; secret: string } | { kind: "both" };

/** Who calls, once it is decided. */
export type Principal =
  | { kind: "operator" }
  | { kind: "anonymous"; address: string }
  | { kind: "key"; keyId: string; userId: string }
  | { kind: "token"; tokenId: string; userId: string; clientId: string; scope: string };
