/** Every way in which a caller can be refused. REST, MCP and OAuth each hold one exhaustive table from kind to answer. */
export type RefusalKind =
  | "invalid_parameter"
  | "two_credentials"
  | "unauthenticated"
  | "payment_required"
  | "forbidden"
  | "insufficient_scope"
  | "unknown_company"
  | "stale_cursor"
  | "no_route"
  | "wrong_method"
  | "too_large"
  | "unsupported_media"
  | "rate_limited"
  | "unavailable";

/** A rate limit as the caller sees it after this request. */
export interface WindowState {
  /** The policy's name in the headers: `anon`, `key`, `token`, or `handshake` for MCP's free methods. */
  name: string;
  /** Requests allowed in any window. */
  quota: number;
  windowSeconds: number;
  remaining: number;
  /** Whole seconds, rounded up, until one more request fits (full window) or the oldest one leaves it. */
  resetSeconds: number;
}

/** What an answer to a refusal may need besides its sentence. */
export interface RefusalDetails {
  /** Whole seconds after which trying again makes sense. */
  retryAfterSeconds?: number;
  /** Methods for the `Allow` header. */
  allow?: string;
  /** The window that this request was counted in, or that was full. */
  window?: WindowState;
  /** What was presented and refused: decides the challenge. */
  presented?: "none" | "key" | "token";
  /** Credits that were charged (none) and are left, for a caller who has an account and is metered. */
  receipt?: { charged: number; remaining: number };
  /** Credits left and asked for, at `payment_required`. */
  credits?: { balance: number; cost: number };
}

/** A refusal that the caller can act on; anything else that is thrown is a bug and answers 500. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly kind: RefusalKind;
  readonly details: RefusalDetails;

  /** @param message what was asked, with its value, and what to do next; shown to the caller as it is */
  constructor(kind: RefusalKind, message: string, details: RefusalDetails = {}) {
    super(message);
    this.kind = kind;
    this.details = details;
  }
}

/** A refusal to start or to carry out a command; the message names the command or setting to change. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
