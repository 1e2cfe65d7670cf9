import type { Actor } from "../accounts/audit.ts";
import type { RequestContext } from "../http/base-urls.ts";
import type { Person } from "../http/session-cookies.ts";

/** The actor of an audit entry: a signed-in person. @param form the number of the submitted form */
export function actorOf(
  request: Request,
  { address }: Pick<RequestContext, "address">,
  { userId }: Person,
  form: string | null = null,
): Actor {
  return { actor: userId, address, userAgent: request.headers.get("user-agent"), form };
}
