import { ROUTES } from "../http/routes.ts";
import { Elysia } from "elysia";
import changelog from "../../CHANGELOG.md" with { type: "text" };
import { type ContextOf, EXAMPLE_ORIGIN } from "../http/base-urls.ts";
import type { Runtime } from "../runtime.ts";
import { openApiDocument } from "./openapi.ts";
import scalarScript from "./reference/scalar.js.gz" with { type: "file" };

const SPEC = ROUTES.openapi.path;

/** Scalar's settings, without features that lead to other sites. */
const SCALAR = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
};

/**
 * Content security policy of the reference page, which shares its origin with sessions: only the scripts we add run, by
 * a nonce per response. Inline styles are allowed, which Scalar needs, and nothing loads from elsewhere.
 */
const pagePolicy = (nonce: string) =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self' 'unsafe-inline'; ` +
  "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A bar above the reference, with links back to the site. Its style hides Scalar's sample key, which looks like a real one. */
const BAR = `<header class="execcomp-bar"><a href="/"><strong>execcomp</strong></a>
  <a href="${ROUTES.developer.path}">API keys and quick start</a> <a href="${SPEC}">OpenAPI document</a></header>
<noscript><p class="execcomp-bar">This page needs JavaScript. The OpenAPI document has the same content.</p></noscript>
<style>.execcomp-bar { display: flex; gap: 1.25rem; padding: 0.7rem 1.25rem; font: 15px/1.5 system-ui, sans-serif;
  border-bottom: 1px solid light-dark(#d9e0e8, #2c3947); background: light-dark(#fff, #10161d); color-scheme: light dark }
.execcomp-bar a { color: light-dark(#16202b, #e6ebf0) } .dark-mode .execcomp-bar { color-scheme: dark }
.light-mode .execcomp-bar { color-scheme: light }
input[placeholder^="QUxM"]::placeholder { color: transparent }</style>`;

/**
 * Sets the newly created key in the reference. The developer page passes it in this tab's session
 * storage, never in a URL.
 */
const TAKE_KEY = `
  const key = sessionStorage.getItem("execcomp_key");
  if (key !== null) {
    const reference = document.getElementById("api-reference");
    const settings = JSON.parse(reference.dataset.configuration);
    settings.authentication = {
      preferredSecurityScheme: "ApiKeyAuth",
      securitySchemes: { ApiKeyAuth: { name: "X-API-KEY", in: "header", value: key } },
    };
    reference.dataset.configuration = JSON.stringify(settings);
  }
`;

/** The page, with its scripts by nonce. */
const pageWith = (nonce: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />
<link rel="icon" href="${ROUTES.icon.path}" type="image/svg+xml" /><title>API reference · Executive Compensation</title>
<style>body { margin: 0 } .light-mode, .dark-mode { --scalar-color-accent: #0b5cad }</style></head>
<body>${BAR}
<script nonce="${nonce}" id="api-reference" data-url="${SPEC}" data-configuration='${JSON.stringify(SCALAR)}'></script>
<script nonce="${nonce}">${TAKE_KEY}</script><script nonce="${nonce}" src="${ROUTES.docsScript.path}"></script></body></html>`;

/** A text served to everybody alike, with its entity tag. */
function publicText(request: Request, body: string, type: string): Response {
  const etag = `"${Bun.hash(body).toString(36)}"`;
  const headers = {
    etag,
    "cache-control": "public, max-age=300",
    "access-control-allow-origin": "*",
    "content-type": type,
  };
  const isKnown = request.headers.get("if-none-match")?.includes(etag) === true;
  return new Response(isKnown ? null : body, { status: isKnown ? 304 : 200, headers });
}

/** `/api/openapi.json`, and a reference page at `/api/docs` that loads nothing from other sites. */
export function docs({ secret }: Pick<Runtime, "secret">, contextOf: ContextOf) {
  // A server has at most three origins; made once for each, as anybody may ask without being counted.
  const documents = new Map<string, string>();
  const documentAt = (origin: string): string => {
    const known = documents.get(origin);
    if (known !== undefined) return known;
    const text = JSON.stringify(openApiDocument()).replaceAll(EXAMPLE_ORIGIN, origin);
    documents.set(origin, text);
    return text;
  };
  // One Blob for all readers: a separate megabyte for each slow reader could exhaust a small machine.
  let script: Promise<Blob> | undefined;
  const readScript = async () => new Blob([await Bun.file(scalarScript).bytes()]);

  return new Elysia({ name: "docs" })
    .get(ROUTES.docs.path, () => {
      const nonce = secret(16).toBase64({ alphabet: "base64url" });
      const headers = { "content-security-policy": pagePolicy(nonce), "cache-control": "no-cache" };
      return new Response(pageWith(nonce), {
        headers: { "content-type": "text/html; charset=utf-8", ...headers },
      });
    })
    .get(SPEC, ({ request }) =>
      publicText(request, documentAt(contextOf(request).baseUrls.origin), "application/json"),
    )
    .get(ROUTES.changelog.path, ({ request }) => publicText(request, changelog, "text/plain; charset=utf-8"))
    .get(ROUTES.docsScript.path, async () => {
      const headers = {
        "content-type": "text/javascript; charset=utf-8",
        "content-encoding": "gzip",
        "cache-control": "public, max-age=86400",
      };
      return new Response(await (script ??= readScript()), { headers });
    });
}
