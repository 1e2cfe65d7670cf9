import { ROUTES } from "../http/routes.ts";
import { Elysia } from "elysia";
import type { ContextOf } from "../http/base-urls.ts";
import type { Runtime } from "../runtime.ts";

/** Paths that crawlers should not visit: endpoints for programs, and personal pages. */
const DISALLOWED = [
  ROUTES.compensation.path,
  ROUTES.mcp.path,
  "/oauth/",
  ROUTES.developer.path,
  ROUTES.peerGroups.path,
  ROUTES.sharedList.path,
  ROUTES.signIn.path,
  ROUTES.signUp.path,
];

/** Validity of `security.txt` in days, counted from each request. */
const SECURITY_DAYS = 180;

/** `/robots.txt`, and `/.well-known/security.txt` where the operator names a contact. @see RFC 9309, RFC 9116 */
export function robots(deps: {
  contextOf: ContextOf;
  runtime: Pick<Runtime, "now">;
  securityContact: string;
}) {
  const text = (body: string) =>
    new Response(body, {
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" },
    });
  const app = new Elysia({ name: "robots" }).get(ROUTES.robots.path, () =>
    text(`User-agent: *\n${DISALLOWED.map((path) => `Disallow: ${path}\n`).join("")}`),
  );
  const { securityContact } = deps;
  if (securityContact === "") return app;
  return app.get(ROUTES.securityText.path, ({ request }) => {
    const { origin } = deps.contextOf(request).baseUrls;
    const expires = new Date(deps.runtime.now() + SECURITY_DAYS * 86_400_000).toISOString().slice(0, 10);
    return text(
      `Contact: ${securityContact}\nExpires: ${expires}T00:00:00.000Z\n` +
        `Canonical: ${origin}${ROUTES.securityText.path}\nPreferred-Languages: en\n`,
    );
  });
}
