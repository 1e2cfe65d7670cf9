import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isSystemError } from "../../errors.ts";
import { parseAs } from "../../lib/validation.ts";

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

/**
 * Limits requests to EDGAR, in a folder shared by processes and kept across restarts: one empty file for each slot of 1/8 second
 * that was taken (created exclusively, so two processes never share one), and one file for the cool-down.
 *
 * @see https://www.sec.gov/os/webmaster-faq#developers
 */
export class RateLimiter {
  private readonly slots: string;
  private readonly coolDownFile: string;
  private last = 0;

  /** @param perSecond infinite for benchmarks against a server of our own */
  constructor(
    folder: string,
    private readonly clock: Clock,
    private readonly perSecond = REQUESTS_PER_SECOND,
  ) {
    this.slots = join(folder, "slots");
    this.coolDownFile = join(folder, "cool-down.json");
  }

  /** Resolves when the next request may be sent; called before each, including redirects and retries. */
  async acquire(): Promise<void> {
    const { slots, clock, perSecond } = this;
    const slotMs = 1000 / perSecond;
    if (slotMs === 0) return;
    mkdirSync(slots, { recursive: true });
    const present = Math.floor(clock.now() / slotMs);
    // If the clock was set back, our own last slot must not block us for hours.
    let slot = this.last > present + 100 * perSecond ? present : Math.max(present, this.last + 1);
    while (!isClaimed(join(slots, String(slot)))) slot++;
    this.last = slot;
    if (slot % 64 === 0) forgetOld(slots, present - 64);
    const waitMs = slot * slotMs - clock.now();
    if (waitMs > 0) await clock.sleep(waitMs);
  }

  /** End of the cool-down in milliseconds since the epoch; 0 if there is none. */
  coolingUntilMs(): number {
    const untilMs = readCoolDown(this.coolDownFile);
    const now = this.clock.now();
    return untilMs > now && untilMs <= now + MAX_COOL_DOWN_MS ? untilMs : 0;
  }

  /** Starts a cool-down; never shortens one in progress. */
  coolDown(ms: number, why: string): void {
    const untilMs = this.clock.now() + Math.min(ms, MAX_COOL_DOWN_MS);
    if (this.coolingUntilMs() >= untilMs) return;
    mkdirSync(dirname(this.coolDownFile), { recursive: true });
    // Several processes may write it at once.
    const fresh = `${this.coolDownFile}.${process.pid}.new`;
    writeFileSync(fresh, `${JSON.stringify({ untilMs, why })}\n`);
    renameSync(fresh, this.coolDownFile);
  }
}

/** Creates the file of a slot. @returns false if it was taken */
function isClaimed(file: string): boolean {
  try {
    closeSync(openSync(file, "wx"));
    return true;
  } catch (error) {
    if (isSystemError(error) && error.code === "EEXIST") return false;
    throw error;
  }
}

/** What the file of a cool-down says that is read. */
const COOL_DOWN = { untilMs: "number" } as const;

function readCoolDown(file: string): number {
  try {
    return parseAs(COOL_DOWN, readFileSync(file, "utf8")).untilMs;
  } catch {
    return 0;
  }
}

function forgetOld(slots: string, before: number): void {
  for (const name of readdirSync(slots)) {
    if (Number(name) < before) rmSync(join(slots, name), { force: true });
  }
}
