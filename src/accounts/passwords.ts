import { invalid, ServiceError } from "../errors.ts";
import { hashSecret } from "./credentials.ts";
import { counted } from "../domain/text.ts";
import { and, desc, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import type { Store, StoreDb } from "../store/store.ts";
import { signInFailures as failures } from "../store/schema.ts";

/** Minimum length of a password, in characters. */
export const MIN_PASSWORD_LENGTH = 10;

/** Maximum length of a password; longer ones would only take more time. */
const MAX_PASSWORD_LENGTH = 200;

/** Cost parameters of argon2id. */
export interface HashCost {
  /** KiB. */
  memoryCost: number;
  timeCost: number;
  /** Hash of an unknown password at the same cost, to verify against for unknown users. */
  dummyHash: string;
}

/** 38 ms and 19 MB on the reference machine. @see OWASP Password Storage */
const COST: HashCost = {
  memoryCost: 19_456,
  timeCost: 2,
  dummyHash:
    "$argon2id$v=19$m=19456,t=2,p=1$qGS2fqfGYgMOS/3KKVbffkEOzQClsuBXhVZy5Pyz9fU$GdJ1rMqRoI8LFkSW/9xgNat2Suub+D69FhhDqMJBJZQ",
};

/** Maximum concurrent hashes; each takes 19 MB and a core. */
const MAX_RUNNING = 2;

/**
 * Maximum waiting hashes; beyond that, people are asked to try again. Strangers cannot use the places of trusted browsers.
 */
const MAX_WAITING = { trusted: 16, strangers: 64 } as const;

/**
 * Priority of a hash: `trusted` for a browser in which the account signed in before or that presented
 * a link, else `strangers`.
 */
export type HashPriority = keyof typeof MAX_WAITING;

/** Hashes and verifies passwords, a few at a time, so that many concurrent sign-ins do not use all the machine. */
export class Passwords {
  private running = 0;
  private readonly lines: Record<HashPriority, (() => void)[]> = { trusted: [], strangers: [] };

  /** @param cost lower in tests, which sign in often */
  constructor(private readonly cost: HashCost = COST) {}

  /**
   * Hashes with argon2id in PHC format. Refuses a password that is too short, too long or too common with
   * `invalid_parameter`.
   */
  async hash(password: string, priority: HashPriority = "trusted"): Promise<string> {
    const text = readPassword(password);
    if (await isCommonPassword(text)) {
      throw invalid("This password is too common. Choose another, such as a few random words.");
    }
    const { memoryCost, timeCost } = this.cost;
    return this.inTurn(priority, () =>
      Bun.password.hash(text, { algorithm: "argon2id", memoryCost, timeCost }),
    );
  }

  /**
   * Whether the password is correct. Takes as long for unknown users.
   * @param hash null for a user who is unknown or has no password: never correct
   */
  async verify(
    password: string,
    hash: string | null,
    priority: HashPriority = "strangers",
  ): Promise<boolean> {
    const text = password.slice(0, MAX_PASSWORD_LENGTH).normalize("NFKC");
    const right = await this.inTurn(priority, () => Bun.password.verify(text, hash ?? this.cost.dummyHash));
    return right && hash !== null && password.length <= MAX_PASSWORD_LENGTH;
  }

  private async inTurn<T>(priority: HashPriority, work: () => Promise<T>): Promise<T> {
    const line = this.lines[priority];
    if (this.running >= MAX_RUNNING) {
      if (line.length >= MAX_WAITING[priority]) {
        throw new ServiceError("unavailable", "Too many people are signing in at once. Try again shortly.", {
          retryAfterSeconds: 5,
        });
      }
      await new Promise<void>((resolve) => line.push(resolve));
    } else {
      this.running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.lines.trusted.shift() ?? this.lines.strangers.shift();
      // Passes the slot to the next in line, or frees it.
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}

function readPassword(password: string): string {
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    throw invalid(
      `Cannot use this password: expected ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters, got ${password.length}.`,
    );
  }
  return password.normalize("NFKC");
}

/**
 * Whether a password is one of the 49,000 most common, ignoring case: those that attackers try first. The list is loaded
 * with the first password chosen, not at startup. @see NIST SP 800-63B, 5.1.1.2
 */
async function isCommonPassword(password: string): Promise<boolean> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return dictionary["passwords-common"].includes(password.toLowerCase());
}

const MINUTE_MS = 60_000;

/** Maximum failures by account, address or both, and the time they count for. */
const RULES = [
  { by: "both", max: 5, withinMs: 15 * MINUTE_MS },
  { by: "address", max: 50, withinMs: 15 * MINUTE_MS },
  // Generous: it must not let strangers lock a user out, only slow down distributed guessing.
  { by: "account", max: 100, withinMs: 60 * MINUTE_MS },
] as const;

const MAX_MS = Math.max(...RULES.map(({ withinMs }) => withinMs));

/**
 * Limits password guessing by account and address together, by address, and by account. An attempt is counted before
 * the password is verified, so that concurrent attempts do not evade it. Unknown accounts count the same way.
 */
export class Throttle {
  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now">,
  ) {}

  /**
   * Counts an attempt, as failed until `succeeded`. Refuses with `rate_limited`.
   *
   * @param who e-mail or other id of the account; stored as a hash
   * @param device id of a browser in which this account signed in before. It is counted separately, whatever others do
   * to the account or at its address; null for any other
   * @returns the attempt's id
   */
  async begin(who: string, from: string, device: string | null): Promise<number> {
    const account = hashSecret(who, "base64");
    const address = device === null ? from : `device ${hashSecret(device, "base64")}`;
    const rules = device === null ? RULES : RULES.filter(({ by }) => by === "both");
    const { id, waitMs } = await this.store.transact(async (tx) => {
      const nowMs = this.runtime.now();
      const over = lte(failures.atMs, nowMs - MAX_MS);
      await tx.delete(failures).where(over).run();
      // Future times mean that the clock was set back; reset them to now.
      await tx.update(failures).set({ atMs: nowMs }).where(gt(failures.atMs, nowMs)).run();
      let waitMs = 0;
      for (const { by, max, withinMs } of rules) {
        const counted = and(
          by === "address" ? undefined : eq(failures.account, account),
          by === "account" ? undefined : eq(failures.address, address),
          gt(failures.atMs, nowMs - withinMs),
        );
        // The oldest of as many as are allowed: once it is over, there is room for another.
        const oldest = await tx
          .select({ atMs: failures.atMs })
          .from(failures)
          .where(counted)
          .orderBy(desc(failures.atMs), desc(failures.id))
          .limit(1)
          .offset(max - 1)
          .get();
        if (oldest !== undefined) waitMs = Math.max(waitMs, oldest.atMs + withinMs - nowMs);
      }
      if (waitMs > 0) return { id: 0, waitMs };
      const row = await tx.insert(failures).values({ account, address, atMs: nowMs }).returning().get();
      return { id: row.id, waitMs };
    });
    if (waitMs === 0) return id;
    const message = `Too many attempts. Try again in ${counted(Math.ceil(waitMs / MINUTE_MS), "minute")}.`;
    throw new ServiceError("rate_limited", message, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }

  /** Does the work of an attempt. One that ends with `unavailable` said nothing about the password, and is not counted. */
  async answer<T>(attemptId: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ServiceError && error.kind === "unavailable") {
        const attempt = eq(failures.id, attemptId);
        // While the store itself is down, the attempt stays counted.
        await this.store.transact((tx) => tx.delete(failures).where(attempt).run()).catch(() => {});
      }
      throw error;
    }
  }

  /** Failures for the account of an attempt from its address within the hour, including this one. */
  async failures(tx: StoreDb, attemptId: number): Promise<number> {
    return tx.$count(failures, likeAttempt(attemptId));
  }

  /** Forgets the attempt and earlier failures of the account from that address. Inside a transaction. */
  async succeeded(tx: StoreDb, attemptId: number): Promise<void> {
    await tx.delete(failures).where(likeAttempt(attemptId)).run();
  }
}

/** The failures of the account and address of an attempt. */
function likeAttempt(id: number): SQL {
  return sql`(${failures.account}, ${failures.address}) = (SELECT f.account, f.address FROM sign_in_failures f WHERE f.id = ${id})`;
}
