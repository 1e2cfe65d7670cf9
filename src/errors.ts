/** The kinds of refusal. REST, MCP and OAuth each map all of them to answers. */
export type RefusalKind =
  | "invalid_parameter"
  | "two_credentials"
  | "unauthenticated"
  | "payment_required"
  | "forbidden"
  | "insufficient_scope"
  | "unknown_company"
  | "conflict"
  | "stale_cursor"
  | "no_route"
  | "wrong_method"
  | "too_large"
  | "slow_body"
  | "unsupported_media"
  | "rate_limited"
  | "unavailable";

/** The state of a rate limit after a request. */
export interface WindowState {
  /** The policy's name in the headers: `anon`, `key`, `token`, or `handshake` for MCP's free methods. */
  name: string;
  /** Requests allowed in any period of `windowSeconds`. */
  quota: number;
  windowSeconds: number;
  remaining: number;
  /** Whole seconds, rounded up: until another request is allowed if none remain, else until the oldest one expires. */
  resetSeconds: number;
}

/** Data that the answer to a refusal may need besides its message. */
export interface RefusalDetails {
  /** Whole seconds after which to retry. */
  retryAfterSeconds?: number;
  /** Methods for the `Allow` header. */
  allow?: string;
  /** The window that counted or refused the request. */
  window?: WindowState;
  /** The credential that was refused; selects the challenge. */
  presented?: "none" | "key" | "token";
  /** Credits charged (always 0) and left, for metered accounts. */
  receipt?: { charged: number; remaining: number };
  /** Credits left and credits needed, at `payment_required`. */
  credits?: { balance: number; cost: number };
}

/** A refusal the caller can act on. Any other error is a bug and answers 500. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly kind: RefusalKind;
  readonly details: RefusalDetails;

  /** @param message what was requested, with its value, and what to do next; shown to the caller unchanged */
  constructor(kind: RefusalKind, message: string, details: RefusalDetails = {}) {
    super(message);
    this.kind = kind;
    this.details = details;
  }
}

/** The refusal of something the caller gave. */
export function invalid(message: string): ServiceError {
  return new ServiceError("invalid_parameter", message);
}

/** The refusal of something the caller may not do. */
export function forbidden(message: string): ServiceError {
  return new ServiceError("forbidden", message);
}

/** A refusal to start or to run a command; the message names the command or setting to change. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

/** What a system's error codes mean. */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  ENOTDIR: "a file stands where a folder is needed",
  EISDIR: "it is a folder",
  EEXIST: "it exists already",
  EACCES: "this user is not permitted to",
  EPERM: "this user is not permitted to",
  EROFS: "the disk is read-only",
  ENOSPC: "no space is left on the disk",
  EDQUOT: "no space is left on the disk",
  ENAMETOOLONG: "the path, or a name in it, is too long",
  EIO: "disk error",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "no such host, or no network",
  ECONNREFUSED: "connection refused",
  ENETUNREACH: "no network",
  EHOSTUNREACH: "the host cannot be reached",
  ECONNRESET: "the connection was closed",
  ETIMEDOUT: "no answer in time",
};

/** Whether a call to the system failed (a full disk, a missing folder), which is no bug. */
export function isSystemError(error: unknown): error is Error & { code: unknown; syscall: unknown } {
  return error instanceof Error && "code" in error && "syscall" in error;
}

/** The code of a system's or a database's error; empty without one. */
export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code ?? "") : "";
}

/** The message of any thrown value; of a system's error in words instead of its code. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const code = codeOf(thrown);
  // A folder cannot be made where a file is.
  const isInTheWay = code === "EEXIST" && "syscall" in thrown && thrown.syscall === "mkdir";
  const words = SYSTEM_ERRORS[isInTheWay ? "ENOTDIR" : code];
  if (words !== undefined) return words;
  // Mail has codes of its own, and the system's in the message: `connect ECONNREFUSED 127.0.0.1:25`.
  const [, systems = "", where] = /^(?:getaddrinfo|connect) (E[A-Z]+) ?(.*)$/.exec(thrown.message) ?? [];
  const called = SYSTEM_ERRORS[systems];
  if (called !== undefined) return `${called}${where ? ` (${where})` : ""}`;
  return TLS_ERRORS.find(([pattern]) => pattern.test(thrown.message))?.[1] ?? thrown.message;
}

/** What the messages of a failed TLS handshake mean. */
const TLS_ERRORS: readonly (readonly [message: RegExp, words: string])[] = [
  [/WRONG_VERSION_NUMBER|TLS handshake failed/, "no TLS is spoken on this port"],
  [
    /self.signed certificate|unable to (get|verify)/i,
    "its certificate is of an unknown authority, which NODE_EXTRA_CA_CERTS=FILE would add",
  ],
];

/** What to check in a setting if the service it names refuses. @param service what must run: `the database` */
export function whatToCheck(refusal: unknown, setting: string, service: string): string {
  const state = refusal instanceof Error && "errno" in refusal ? String(refusal.errno) : codeOf(refusal);
  const isUnknownUser = /^(EAUTH|28\w{3})$/.test(state) || /WRONGPASS|NOAUTH/.test(messageOf(refusal));
  return isUnknownUser
    ? `Check the user and the password in ${setting}.`
    : `Check the address of ${setting}, and that ${service} runs.`;
}
