import { invalid, ServiceError } from "../errors.ts";

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
   * `invalid_parameter`, and the user's own address.
   */
  async hash(password: string, email: string, priority: HashPriority = "trusted"): Promise<string> {
    const text = readPassword(password);
    if (text.toLowerCase() === email || (await isCommonPassword(text))) {
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
