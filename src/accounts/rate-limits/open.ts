import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/open.ts";
import { Journal } from "./journal.ts";
import type { Quotas, RateLimiter } from "./limits.ts";
import { postgresWindows } from "./postgres.ts";
import { RateLimits } from "./rate-limits.ts";
import { SharedRateLimits, type SharedRateLimitsDeps, type WindowService } from "./shared-rate-limits.ts";
import { valkeyWindows } from "./valkey.ts";

/** Settings of rate limiting. */
export interface RateLimitSettings {
  quotas: Quotas;
  /**
   * URLs of Valkey and PostgreSQL services shared by several servers; if empty, this process counts
   * and persists to its store.
   */
  windows: readonly string[];
}

/** Rate limits with resources to close. */
export interface OpenRateLimits extends RateLimiter {
  /** The shared services, and whether each is reachable. */
  readonly up: ReadonlyMap<WindowService["name"], boolean>;
  close(): void;
}

/** Opens the configured rate limits. */
export function openRateLimits(
  { quotas, windows }: RateLimitSettings,
  runtime: Runtime,
  /** Where this process persists its own windows; null if shared services count. */
  store: SqliteStore | null,
  onChange: SharedRateLimitsDeps["onChange"],
): OpenRateLimits {
  if (windows.length === 0) {
    const journal = store === null ? null : new Journal(store, runtime);
    const own = new RateLimits(runtime, journal, { quotas });
    return Object.assign(own, { up: new Map(), close: () => {} });
  }
  const own = new RateLimits(runtime, null, { quotas });
  const services = windows.map((url) => (isPostgres(url) ? postgresWindows(url) : valkeyWindows(url)));
  return new SharedRateLimits({ services, own, quotas, runtime, onChange });
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}
