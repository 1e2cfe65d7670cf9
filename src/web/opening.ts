import { redirectTo } from "../http/responses.ts";
import type { WebDeps } from "./deps.ts";
import { showRefusal } from "./show.ts";
import type { Gate } from "./viewer.ts";

/**
 * Handles the button that opens something: charges once and redirects to the page. Viewers who are not signed in are
 * sent to sign-in first.
 *
 * @param back path and query of the page
 */
export async function open(deps: WebDeps, request: Request, gate: Gate, back: string): Promise<Response> {
  const viewer = await deps.viewers.find(request);
  const { baseUrls, id } = deps.contextOf(request);
  if (viewer.kind !== "person" || deps.sessionCookies === null) {
    return redirectTo(`${baseUrls.origin}/sign-in?next=${encodeURIComponent(back)}`, []);
  }
  try {
    await deps.sessionCookies.form(request, viewer.browserSession);
    await deps.viewers.open(viewer, deps.snapshots.current().info.contentHash, gate, id);
    return redirectTo(baseUrls.origin + back, viewer.browserSession.cookies);
  } catch (refused) {
    return showRefusal(viewer, refused);
  }
}
