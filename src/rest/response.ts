import {
  type AnswerBody,
  heldBody,
  newerFilingHeader,
  rateLimitHeader,
  rateLimitPolicyHeader,
  streamedBody,
} from "../http.ts";
import type { Answer } from "../operations/operation.ts";

/** Only what is charged waits; anything else is answered at once. @param held the body for who need not wait */
function bodyOf({ body, receipt }: Answer, held: AnswerBody): AnswerBody {
  const waited = receipt !== null && receipt.charged > 0;
  return waited && held === body ? streamedBody(body) : held;
}

/** What is the same whenever a body is answered. */
interface Kept {
  /** The window policy that stands in `head`; empty when none does. */
  policy: string;
  head: Headers;
  body: AnswerBody;
}

/**
 * Turns answers of one kind into responses. What the same body is always answered with is put together once and copied
 * after that: writing out eight headers anew costs more than the rest of an answer (`docs/performance.md`).
 */
export function answering(caching: Record<string, string>): (answer: Answer) => Response {
  const kept = new WeakMap<Uint8Array, Kept>();
  const headOf = ({ etag, incompleteYears, newerFiling, window }: Answer): Headers => {
    const head = new Headers({ ...caching, etag });
    if (newerFiling !== null) head.set("newer-filing", newerFilingHeader(newerFiling));
    if (incompleteYears.length > 0) head.set("incomplete-fiscal-years", incompleteYears.join(", "));
    if (window !== null) head.set("ratelimit-policy", rateLimitPolicyHeader(window));
    return head;
  };
  const keptFor = (answer: Answer): Kept => {
    const policy = answer.window === null ? "" : rateLimitPolicyHeader(answer.window);
    const known = kept.get(answer.body);
    if (known !== undefined && known.policy === policy) return known;
    const head = headOf(answer);
    head.set("content-type", "application/json");
    const fresh = { policy, head, body: known?.body ?? heldBody(answer.body) };
    kept.set(answer.body, fresh);
    return fresh;
  };
  const full = (answer: Answer): Response => {
    const { head, body } = keptFor(answer);
    return new Response(bodyOf(answer, body), { headers: head });
  };

  return (answer) => {
    const response = answer.notModified
      ? new Response(null, { status: 304, headers: headOf(answer) })
      : full(answer);
    if (answer.window !== null) response.headers.set("ratelimit", rateLimitHeader(answer.window));
    if (answer.receipt !== null && answer.receipt.remaining !== null) {
      response.headers.set("credits-charged", String(answer.receipt.charged));
      response.headers.set("credits-remaining", String(answer.receipt.remaining));
    }
    return response;
  };
}
