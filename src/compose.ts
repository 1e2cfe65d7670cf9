import type { Ambient } from "./ambient.ts";
import type { Config } from "./config.ts";
import { addressMatcher } from "./http.ts";
import type { Log } from "./log.ts";
import { compensationOperation } from "./operations/compensation.ts";
import { factsOperation } from "./operations/facts.ts";
import type { OperationParts } from "./operations/parts.ts";
import { tickersOperation } from "./operations/tickers.ts";
import { ServiceError } from "./errors.ts";
import { openSnapshots, type Snapshots } from "./snapshot/snapshots.ts";

/** Every part of the program, built once. */
export interface Parts {
  config: Config;
  ambient: Ambient;
  log: Log;
  snapshots: Snapshots;
  operations: {
    admit: OperationParts["admit"];
    getCompensation: ReturnType<typeof compensationOperation>;
    getTickers: ReturnType<typeof tickersOperation>;
    getFacts: ReturnType<typeof factsOperation>;
  };
  /** Whether an address is a proxy whose `X-Forwarded-For` counts. */
  trustedProxy(address: string): boolean;
  /** Null while the writable store works, else what is wrong with it. */
  storeTrouble(): string | null;
  /** Lets go of everything that was opened. */
  close(): Promise<void>;
}

/** Who is let in and what it costs them: the only part that a command without a server puts another in place of. */
export type Door = Pick<OperationParts, "admit" | "charge">;

/** Lets everything in as the local operator, who has no window and pays nothing. Needs no store. */
export function operatorDoor(): Door {
  return {
    admit: () => ({ principal: { kind: "operator" }, window: null }),
    charge: () => Promise.resolve({ charged: 0, remaining: null }),
  };
}

/** Lets anonymous callers in where they may be, and knows no key: until a store is open. */
export function anonymousDoor(): Door {
  return {
    admit({ presented, address }, need) {
      if (presented.kind === "none" && need === "any") {
        return { principal: { kind: "anonymous", address }, window: null };
      }
      throw new ServiceError("unauthenticated", "Send an API key as X-API-KEY.", {
        presented: presented.kind === "key" || presented.kind === "token" ? presented.kind : "none",
      });
    },
    charge: () => Promise.resolve({ charged: 0, remaining: null }),
  };
}

/** Opens what the configuration names and builds every part on it. @throws OperatorError naming the next step */
export function openParts(config: Config, ambient: Ambient, log: Log, door: Door = anonymousDoor()): Parts {
  const snapshots = openSnapshots({
    dataDir: config.dataDir,
    monotonic: ambient.monotonic,
    onSwap: ({ contentHash, edition, rows }) => log.info("snapshot", { contentHash, edition, rows }),
    onFault: (error) => log.error("snapshot_fault", { message: error.message }),
  });
  return compose(config, ambient, log, { ...door, snapshots, onDemand: null });
}

/** Builds every part from the configuration and the outside world. */
export function compose(
  config: Config,
  ambient: Ambient,
  log: Log,
  rest: Door & { snapshots: Snapshots; onDemand: OperationParts["onDemand"] },
): Parts {
  const parts: OperationParts = { ...rest, prices: config };
  return {
    config,
    ambient,
    log,
    snapshots: rest.snapshots,
    operations: {
      admit: parts.admit,
      getCompensation: compensationOperation(parts),
      getTickers: tickersOperation(parts),
      getFacts: factsOperation(parts),
    },
    trustedProxy: addressMatcher(config.trustedProxies),
    storeTrouble: () => null,
    close: () => Promise.resolve(),
  };
}
