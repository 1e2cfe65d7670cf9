/** The outside world as values: what the program takes from the machine besides files and sockets. Tests hand in their own. */
export interface Runtime {
  /** Milliseconds since the epoch; may jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds of a clock that never goes back and says nothing about the date. */
  monotonic(): number;
  /** A new identifier: unique, sortable by time of making, URL-safe. */
  id(): string;
  /** Fresh bytes fit for keys and tokens. */
  secret(bytes: number): Uint8Array;
  /** The only way out to the network. */
  fetch: (input: string | URL | Request, init?: BunFetchRequestInit) => Promise<Response>;
  /** The addresses of a host name, as the system's resolver gives them. */
  resolve: (host: string) => Promise<readonly string[]>;
}

/** The real world. */
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
