import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/open.ts";
import { Journal } from "./journal.ts";
import type { Quotas, RateLimiter } from "./limits.ts";
import { RateLimits } from "./rate-limits.ts";
import { SharedRateLimits, type SharedRateLimitsDeps, type WindowService } from "./shared-rate-limits.ts";

/** Settings of rate limiting. */
export interface RateLimitSettings {
  quotas: Quotas;
  /** Services shared by several servers; if empty, this process counts and persists to its store. */
  services: readonly WindowService[];
}

/** Rate limits with resources to close. */
export interface OpenRateLimits extends RateLimiter {
  /** The shared services, and whether each is reachable. */
  readonly up: ReadonlyMap<WindowService["name"], boolean>;
  close(): void;
}

/** Opens the configured rate limits. */
export function openRateLimits(
  { quotas, services }: RateLimitSettings,
  runtime: Runtime,
  /** Where this process persists its own windows; null if shared services count. */
  store: SqliteStore | null,
  onChange: SharedRateLimitsDeps["onChange"],
): OpenRateLimits {
  if (services.length === 0) {
    const journal = store === null ? null : new Journal(store, runtime);
    const own = new RateLimits(runtime, journal, { quotas });
    return Object.assign(own, { up: new Map(), close: () => {} });
  }
  const own = new RateLimits(runtime, null, { quotas });
  return new SharedRateLimits({ services, own, quotas, runtime, onChange });
}
