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
  /** The quota and the name of the window whose policy stands in `head`; null when none does. */
  quota: number | null;
  name: string | null;
  head: Headers;
  body: AnswerBody;
}

/**
 * Turns answers of one kind into responses. What the same body is always answered with is put together once and copied
 * after that: writing out eight headers anew costs more than the rest of an answer (`docs/performance.md`).
 *
 * @param cors headers of a policy that is the same for all
 */
export function answering(
  caching: Record<string, string>,
  cors: Readonly<Record<string, string>> = {},
): (answer: Answer) => Response {
  const kept = new WeakMap<Uint8Array, Kept>();
  const headOf = ({ etag, incompleteYears, newerFiling, window }: Answer, type: string | null): Headers => {
    const head = new Headers({ ...caching, etag });
    if (newerFiling !== null) head.set("newer-filing", newerFilingHeader(newerFiling));
    if (incompleteYears.length > 0) head.set("incomplete-fiscal-years", incompleteYears.join(", "));
    if (window !== null) head.set("ratelimit-policy", rateLimitPolicyHeader(window));
    if (type !== null) head.set("content-type", type);
    for (const [name, value] of Object.entries(cors)) head.set(name, value);
    return head;
  };
  const keptFor = (answer: Answer): Kept => {
    const { quota = null, name = null } = answer.window ?? {};
    const known = kept.get(answer.body);
    if (known !== undefined && known.quota === quota && known.name === name) return known;
    const head = headOf(answer, "application/json");
    const fresh = { quota, name, head, body: known?.body ?? heldBody(answer.body) };
    kept.set(answer.body, fresh);
    return fresh;
  };
  const full = (answer: Answer): Response => {
    const { head, body } = keptFor(answer);
    return new Response(bodyOf(answer, body), { headers: head });
  };

  return (answer) => {
    const response = answer.notModified
      ? new Response(null, { status: 304, headers: headOf(answer, null) })
      : full(answer);
    if (answer.window !== null) response.headers.set("ratelimit", rateLimitHeader(answer.window));
    if (answer.receipt !== null && answer.receipt.remaining !== null) {
      response.headers.set("credits-charged", String(answer.receipt.charged));
      response.headers.set("credits-remaining", String(answer.receipt.remaining));
    }
    return response;
  };
}
