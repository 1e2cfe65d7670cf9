import type { Actor } from "../accounts/audit.ts";
import type { RequestContext } from "../base-urls.ts";
import type { Person } from "../session-cookies.ts";

/** A signed-in person who does something, as the audit log tells of them. @param form the number of the form that was sent */
export function actorOf(
  request: Request,
  { address }: Pick<RequestContext, "address">,
  { userId }: Person,
  form: string | null = null,
): Actor {
  return { actor: userId, address, userAgent: request.headers.get("user-agent"), form };
}
