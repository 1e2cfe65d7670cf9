import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** Maximum requests per second by all processes of a data folder together. EDGAR's own limit is 10. */
export const REQUESTS_PER_SECOND = 8;

/** How long EDGAR blocks an address that was too fast, and so how long we send no requests. */
export const COOL_DOWN_MS = 10 * 60_000;

/** Longest cool-down accepted from the file: a wrong clock must not block us for good. */
const MAX_COOL_DOWN_MS = 60 * 60_000;

/** The clock of ingest; in tests, waiting takes no time. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** Limits requests to EDGAR; `acquire` is called before every request, including redirects and retries. */
export interface RateLimiter {
  /** Resolves when the next request may be sent. */
  acquire(): Promise<void>;
  /** End of the cool-down in milliseconds since the epoch; 0 if there is none. */
  coolingUntilMs(): number;
  /** Starts a cool-down; never shortens one in progress. */
  coolDown(ms: number, why: string): void;
}

/**
 * A rate limiter in a folder, shared by processes and kept across restarts: one empty file for each slot of 1/8 second that
 * was taken (created exclusively, so two processes never share one), and one file for the cool-down.
 *
 * @param perSecond infinite for benchmarks against a server of our own
 * @see https://www.sec.gov/os/webmaster-faq#developers
 */
export function fileRateLimiter(folder: string, clock: Clock, perSecond = REQUESTS_PER_SECOND): RateLimiter {
  const slots = join(folder, "slots");
  const coolDownFile = join(folder, "cool-down.json");
  const slotMs = 1000 / perSecond;
  let last = 0;

  const claim = (slot: number): boolean => {
    try {
      closeSync(openSync(join(slots, String(slot)), "wx"));
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    }
  };

  return {
    async acquire() {
      if (slotMs === 0) return;
      mkdirSync(slots, { recursive: true });
      const present = Math.floor(clock.now() / slotMs);
      // If the clock was set back, our own last slot must not block us for hours.
      let slot = last > present + 100 * perSecond ? present : Math.max(present, last + 1);
      while (!claim(slot)) slot++;
      last = slot;
      if (slot % 64 === 0) forgetOld(slots, present - 64);
      const waitMs = slot * slotMs - clock.now();
      if (waitMs > 0) await clock.sleep(waitMs);
    },

    coolingUntilMs() {
      const untilMs = readCoolDown(coolDownFile);
      const now = clock.now();
      return untilMs > now && untilMs <= now + MAX_COOL_DOWN_MS ? untilMs : 0;
    },

    coolDown(ms, why) {
      const untilMs = clock.now() + Math.min(ms, MAX_COOL_DOWN_MS);
      if (this.coolingUntilMs() >= untilMs) return;
      mkdirSync(folder, { recursive: true });
      const fresh = `${coolDownFile}.${process.pid}.new`;
      writeFileSync(fresh, `${JSON.stringify({ untilMs, why })}\n`);
      renameSync(fresh, coolDownFile);
    },
  };
}

function readCoolDown(file: string): number {
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    const untilMs = typeof read === "object" && read !== null && "untilMs" in read ? read.untilMs : 0;
    return typeof untilMs === "number" ? untilMs : 0;
  } catch {
    return 0;
  }
}

function forgetOld(slots: string, before: number): void {
  for (const name of readdirSync(slots)) {
    if (Number(name) < before) rmSync(join(slots, name), { force: true });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
