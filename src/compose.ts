import type { Ambient } from "./ambient.ts";
import type { Config } from "./config.ts";
import { addressMatcher } from "./http.ts";
import type { Log } from "./log.ts";
import { compensationOperation } from "./operations/compensation.ts";
import { factsOperation } from "./operations/facts.ts";
import type { OperationParts } from "./operations/parts.ts";
import { tickersOperation } from "./operations/tickers.ts";
import type { Dataset } from "./snapshot/reader.ts";

/** Every part of the program, built once. */
export interface Parts {
  config: Config;
  ambient: Ambient;
  log: Log;
  snapshots: { current(): Dataset };
  operations: {
    getCompensation: ReturnType<typeof compensationOperation>;
    getTickers: ReturnType<typeof tickersOperation>;
    getFacts: ReturnType<typeof factsOperation>;
  };
  /** Whether an address is a proxy whose `X-Forwarded-For` counts. */
  trustedProxy(address: string): boolean;
  /** Null while the writable store works, else what is wrong with it. */
  storeTrouble(): string | null;
}

/** Builds every part from the configuration and the outside world. */
export function compose(
  config: Config,
  ambient: Ambient,
  log: Log,
  rest: Pick<OperationParts, "snapshots" | "admit" | "charge" | "onDemand">,
): Parts {
  const parts: OperationParts = { ...rest, prices: config };
  return {
    config,
    ambient,
    log,
    snapshots: rest.snapshots,
    operations: {
      getCompensation: compensationOperation(parts),
      getTickers: tickersOperation(parts),
      getFacts: factsOperation(parts),
    },
    trustedProxy: addressMatcher(config.trustedProxies),
    storeTrouble: () => null,
  };
}
