import { expect, test } from "bun:test";
import { type RefusalKind, ServiceError } from "../../src/errors.ts";
import { refusalHeaders, retryAfterSeconds, STATUS } from "../../src/http/refusals.ts";

test("a 503 always has Retry-After, even if none was given", () => {
  const waits = Object.keys(STATUS).map((kind) => {
    // The keys of the table are the kinds.
    const refused = new ServiceError(kind as RefusalKind, "x");
    return [STATUS[refused.kind], retryAfterSeconds(refused)] as const;
  });
  for (const [status, wait] of waits) expect(wait).toBe(status === 429 || status === 503 ? 5 : null);
  const named = new ServiceError("unavailable", "x", { retryAfterSeconds: 60 });
  expect(refusalHeaders(named)).toEqual({ "retry-after": "60" });
});
