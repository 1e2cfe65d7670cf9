import { isCommonPassword } from "./common-passwords.ts";
import { ServiceError } from "../errors.ts";

/** Fewest characters of a password. */
export const MIN_PASSWORD_LENGTH = 10;

/** Most characters of a password; more would only cost time. */
const MAX_PASSWORD_LENGTH = 200;

/** What a hash by argon2id costs. */
export interface HashCost {
  /** KiB. */
  memoryCost: number;
  timeCost: number;
  /** The hash of a password that nobody knows, as dear as any other: what an unknown user is checked against. */
  nobodys: string;
}

/** @see OWASP Password Storage: 38 ms and 19 MB here. */
const COST: HashCost = {
  memoryCost: 19_456,
  timeCost: 2,
  nobodys:
    "$argon2id$v=19$m=19456,t=2,p=1$qGS2fqfGYgMOS/3KKVbffkEOzQClsuBXhVZy5Pyz9fU$GdJ1rMqRoI8LFkSW/9xgNat2Suub+D69FhhDqMJBJZQ",
};

/** Hashes that run at the same time; each takes 19 MB and a core. */
const AT_ONCE = 2;

/** Hashes that may wait; beyond that people are asked to come back. Strangers cannot take the places of the known. */
const MAX_WAITING = { known: 16, strangers: 64 } as const;

/** Whose hash it is: a browser's in which this account signed in before or that brought a link, or anybody's. */
export type Whose = keyof typeof MAX_WAITING;

/** Hashes and checks passwords, a few at a time so that many sign-ins at once do not take the whole machine. */
export class Passwords {
  private running = 0;
  private readonly lines: Record<Whose, (() => void)[]> = { known: [], strangers: [] };

  /** @param cost less only in tests, which sign in often */
  constructor(private readonly cost: HashCost = COST) {}

  /** Argon2id in PHC form. Refuses with `invalid_parameter` a password that is too short, too long or commonly used. */
  async hash(password: string, whose: Whose = "known"): Promise<string> {
    const text = readPassword(password);
    if (await isCommonPassword(text)) {
      throw new ServiceError(
        "invalid_parameter",
        "This password is too common. Choose another, such as a few random words.",
      );
    }
    const { memoryCost, timeCost } = this.cost;
    return this.inTurn(whose, () => Bun.password.hash(text, { algorithm: "argon2id", memoryCost, timeCost }));
  }

  /**
   * Whether the password is the right one. Takes as long for a user who is not there.
   * @param hash null for an unknown user, or one without a password: never right
   */
  async verify(password: string, hash: string | null, whose: Whose = "strangers"): Promise<boolean> {
    const text = password.slice(0, MAX_PASSWORD_LENGTH).normalize("NFKC");
    const right = await this.inTurn(whose, () => Bun.password.verify(text, hash ?? this.cost.nobodys));
    return right && hash !== null && password.length <= MAX_PASSWORD_LENGTH;
  }

  private async inTurn<T>(whose: Whose, work: () => Promise<T>): Promise<T> {
    const line = this.lines[whose];
    if (this.running >= AT_ONCE) {
      if (line.length >= MAX_WAITING[whose]) {
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
      const next = this.lines.known.shift() ?? this.lines.strangers.shift();
      // The place goes to the next in line, or is free.
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}

function readPassword(password: string): string {
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    throw new ServiceError(
      "invalid_parameter",
      `Cannot use this password: expected ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters, got ${password.length}.`,
    );
  }
  return password.normalize("NFKC");
}
