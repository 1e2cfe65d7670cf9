/** Clock, ids, randomness and network of the machine, as values. Tests pass their own. */
export interface Runtime {
  /** Milliseconds since the epoch; may jump when the clock is set. */
  now(): number;
  /** Milliseconds of a clock that never goes backwards, from an arbitrary origin. */
  monotonic(): number;
  /** A new identifier: unique, sortable by creation time, URL-safe. */
  id(): string;
  /** Cryptographically random bytes. */
  secret(bytes: number): Uint8Array;
  /** The only access to the network. */
  fetch: (input: string | URL | Request, init?: BunFetchRequestInit) => Promise<Response>;
  /** The addresses of a host name, from the system's resolver. */
  resolve: (host: string) => Promise<readonly string[]>;
}

/** The runtime of a real process. */
export function realRuntime(): Runtime {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    id: () => Bun.randomUUIDv7(),
    secret: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    fetch: (input, init) => fetch(input, init),
    resolve: async (host) => (await Bun.dns.lookup(host)).map(({ address }) => address),
  };
}
