import type { Runtime } from "../runtime.ts";
import type { SqliteStore } from "../store/open.ts";
import { Journal } from "./journal.ts";
import type { Quotas, RateLimiter } from "./limits.ts";
import { postgresWindows } from "./postgres.ts";
import { RateLimits } from "./rate-limits.ts";
import { SharedRateLimits, type SharedRateLimitsDeps, type WindowService } from "./shared-rate-limits.ts";
import { valkeyWindows } from "./valkey.ts";

/** Where requests are counted. */
export interface RateLimitSettings {
  quotas: Quotas;
  /** Valkey and PostgreSQL that count for several servers; none: this process counts, and notes it in its store. */
  windows: readonly string[];
}

/** Windows that are let go of at the end. */
export interface OpenRateLimits extends RateLimiter {
  /** The services that count for several servers, and whether each answers now. */
  readonly up: ReadonlyMap<WindowService["name"], boolean>;
  close(): void;
}

/** The windows that the settings name. */
export function openRateLimits(
  { quotas, windows }: RateLimitSettings,
  runtime: Runtime,
  /** What this process notes its own windows in, over a restart; null where others count. */
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
