/** The OpenAPI document, and a reference page made from it. */
import { ROUTES } from "../http/routes.ts";
import { Elysia } from "elysia";
import guide from "../../docs/api.md" with { type: "text" };
import changelog from "../../CHANGELOG.md" with { type: "text" };
import { type ContextOf, EXAMPLE_ORIGIN } from "../http/base-urls.ts";
import { ENDPOINTS } from "../operations/endpoints.ts";
import { browserScript } from "../http/browser-script.ts" with { type: "macro" };
import scalarScript from "./reference/scalar.js.gz" with { type: "file" };

const PAGE = ROUTES.docs.path;
const SPEC = ROUTES.openapi.path;

/**
 * Styles of the bar above the reference, in the site's colours. Also hides Scalar's sample key, which looks like a real one,
 * and clips the button that Scalar places beyond the edge of a phone.
 */
const STYLE = `.light-mode { --scalar-color-accent: #14506b } .dark-mode { --scalar-color-accent: #7dbbd2 }
.execcomp-bar { display: flex; flex-wrap: wrap; gap: 0.4rem 1.25rem; padding: 0.7rem 1.25rem; font: 15px/1.5 system-ui, sans-serif;
  border-bottom: 1px solid light-dark(#d9e0e8, #2c3947); background: light-dark(#fff, #10161d); color-scheme: light dark }
.execcomp-bar a { color: light-dark(#16202b, #e6ebf0) } .execcomp-bar a:first-child { font-weight: bold }
.dark-mode .execcomp-bar { color-scheme: dark } .light-mode .execcomp-bar { color-scheme: light }
.scalar-app { overflow-x: clip } input[placeholder^="QUxM"]::placeholder { color: transparent }`;

/** Scalar's settings, without features that lead to other sites. */
const SCALAR = {
  spec: { url: SPEC },
  favicon: ROUTES.icon.path,
  customCss: STYLE,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
};

/** The page's own script, with the paths that it links to and loads. */
const SET_UP = `const PATHS = ${JSON.stringify({
  developer: ROUTES.developer.path,
  openapi: SPEC,
  library: ROUTES.docsLibrary.path,
})};${browserScript("rest/reference/page.ts")}`;

/** The plugin keeps its settings in the attributes of a script element that holds this; a browser asks whether it may run. */
const BLANK = Bun.SHA256.hash("\n    ", "base64");
/** Content security policy of the reference page. Inline styles are allowed, which Scalar needs; nothing loads from elsewhere. */
const PAGE_POLICY =
  `default-src 'none'; script-src 'self' 'sha256-${BLANK}'; ` +
  "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Renders a path of the plugin, with the details of our endpoints. Loaded on first use: it would add a tenth to startup time. */
async function documented(path: string, description = ""): Promise<string> {
  const [{ swagger }, { detailOf, DOCUMENT }] = await Promise.all([
    import("@elysiajs/swagger"),
    import("./openapi.ts"),
  ]);
  const info = { ...DOCUMENT.info, ...(description !== "" && { description }) };
  const app = new Elysia().use(
    swagger({
      path: PAGE,
      specPath: SPEC,
      // The plugin's types are for OpenAPI 3.0 and an older Scalar; it passes both through unchanged.
      documentation: { ...DOCUMENT, info } as never,
      scalarCDN: ROUTES.docsScript.path,
      scalarConfig: SCALAR as never,
    }),
  );
  // As above: OpenAPI 3.1, which the linter of `test/rest/openapi.test.ts` checks.
  for (const endpoint of Object.values(ENDPOINTS))
    app.get(endpoint.path, () => "", { detail: detailOf(endpoint) as never });
  return (await app.handle(new Request(`http://localhost${path}`))).text();
}

/** The OpenAPI document as served at the origin of its examples. */
export async function openApiDocument(): Promise<Record<string, unknown>> {
  // The title of the document is that of the guide.
  return JSON.parse(await documented(SPEC, guide.replace(/^# .*\n+/, "")));
}

/** A public text, with an entity tag. */
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
export function docs(contextOf: ContextOf) {
  let page: Promise<string> | undefined;
  // Cached for each of at most three origins, because requests for it are not rate-limited.
  const documents = new Map<string, Promise<string>>();
  const documentAt = async (origin: string) =>
    JSON.stringify(await openApiDocument()).replaceAll(EXAMPLE_ORIGIN, origin);
  // One Blob for all readers: a separate megabyte for each slow reader could exhaust a small machine.
  let script: Promise<Blob> | undefined;
  const readScript = async () => new Blob([await Bun.file(scalarScript).bytes()]);

  return new Elysia({ name: "docs" })
    .get(PAGE, async () => {
      // The page fetches the document, so it does not need the guide itself.
      const headers = { "content-security-policy": PAGE_POLICY, "cache-control": "no-cache" };
      return new Response(await (page ??= documented(PAGE)), {
        headers: { "content-type": "text/html; charset=utf-8", ...headers },
      });
    })
    .get(SPEC, async ({ request }) => {
      const { origin } = contextOf(request).baseUrls;
      return publicText(request, await documents.getOrInsertComputed(origin, documentAt), "application/json");
    })
    .get(ROUTES.changelog.path, ({ request }) => publicText(request, changelog, "text/plain; charset=utf-8"))
    .get(ROUTES.docsScript.path, ({ request }) =>
      publicText(request, SET_UP, "text/javascript; charset=utf-8"),
    )
    .get(ROUTES.docsLibrary.path, async () => {
      const headers = {
        "content-type": "text/javascript; charset=utf-8",
        "content-encoding": "gzip",
        "cache-control": "public, max-age=86400",
      };
      return new Response(await (script ??= readScript()), { headers });
    });
}
