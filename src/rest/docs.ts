import { ROUTES } from "../routes.ts";
import { Elysia } from "elysia";
import type { Runtime } from "../runtime.ts";
import scalarScript from "../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with { type: "file" };

const PAGE = ROUTES.docs.path;
const SPEC = ROUTES.openapi.path;
const SCRIPT = ROUTES.docsScript.path;

/** Scalar's own settings: what would lead elsewhere is left out. */
const SCALAR = {
  spec: { url: SPEC },
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
};

/**
 * The reference page stands on the origin that holds sessions: only the scripts that we wrote into it run, each by this
 * answer's nonce. Its styles are inline, which Scalar needs, and only here; nothing is loaded from elsewhere.
 */
const pagePolicy = (nonce: string) =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self' 'unsafe-inline'; ` +
  "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** What stands above the reference: the way back, in the site's own colours. */
const BAR = `<header class="execcomp-bar"><a href="/"><strong>execcomp</strong></a>
  <a href="${ROUTES.developer.path}">API keys and quick start</a> <a href="${SPEC}">OpenAPI document</a></header>
<noscript><p class="execcomp-bar">This page needs JavaScript. All of it is in the OpenAPI document.</p></noscript>
<style>.execcomp-bar { display: flex; gap: 1.25rem; padding: 0.7rem 1.25rem; font: 15px/1.5 system-ui, sans-serif;
  border-bottom: 1px solid light-dark(#d9e0e8, #2c3947); background: light-dark(#fff, #10161d); color-scheme: light dark }
.execcomp-bar a { color: light-dark(#16202b, #e6ebf0) } .dark-mode .execcomp-bar { color-scheme: dark }
.light-mode .execcomp-bar { color-scheme: light }</style>`;

/** Gives the reference the key that was just made: the developer page left it with this tab, never in an address. */
const TAKE_KEY = `<script>
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
</script>`;

/** The plugin's page as ours: named, with the way back, the site's colours, and the key of this tab. */
function dressed(text: string): string {
  return text
    .replace("<html>", '<html lang="en">')
    .replace(
      "<title>",
      '<link rel="icon" href="/assets/icon.svg" type="image/svg+xml" /><title>API reference · ',
    )
    .replace("<body>", `<body>${BAR}`)
    .replace(/(?=<script src=)/, TAKE_KEY)
    .replaceAll("#f06292", "#0b5cad");
}

/** Loaded with the first question for it: the plugin and the document are a tenth of a server's start. */
async function loadPlugin() {
  const [{ swagger }, { describedRoutes, documentation }] = await Promise.all([
    import("@elysiajs/swagger"),
    import("./openapi.ts"),
  ]);
  return describedRoutes().use(
    swagger({
      path: PAGE,
      specPath: SPEC,
      exclude: [PAGE, SPEC],
      // The plugin's types know OpenAPI 3.0; the document is 3.1 and passes through it untouched.
      documentation: documentation() as never,
      scalarCDN: SCRIPT,
      // The plugin's types know an older Scalar; the settings pass through it untouched.
      scalarConfig: SCALAR as never,
    }),
  );
}

/** The OpenAPI document, as it is served. */
export async function openApiDocument(): Promise<Record<string, unknown>> {
  const answer = await (await loadPlugin()).handle(new Request(`http://localhost${SPEC}`));
  // The plugin answers with the document, an object.
  return (await answer.json()) as Record<string, unknown>;
}

/** `/api/openapi.json`, and a reference page at `/api/docs` that loads nothing from elsewhere. */
export function docs({ secret }: Pick<Runtime, "secret">) {
  let loading: ReturnType<typeof loadPlugin> | undefined;
  const texts = new Map<string, Promise<string>>();
  const fromPlugin = (path: string): Promise<string> => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    loading ??= loadPlugin();
    const text = loading
      .then((plugin) => plugin.handle(new Request(`http://localhost${path}`)))
      .then((answer) => answer.text());
    texts.set(path, text);
    return text;
  };
  // One Blob for all readers: a megabyte for each of those who never read would be the end of a small machine.
  let packed: Promise<Blob> | undefined;
  const pack = async () => new Blob([Bun.gzipSync(await Bun.file(scalarScript).bytes())]);

  return new Elysia({ name: "docs" })
    .get(PAGE, async () => {
      const nonce = secret(16).toBase64({ alphabet: "base64url" });
      const text = dressed(await fromPlugin(PAGE)).replaceAll(/<script\b/g, `<script nonce="${nonce}"`);
      const headers = { "content-security-policy": pagePolicy(nonce), "cache-control": "no-cache" };
      return new Response(text, { headers: { "content-type": "text/html; charset=utf-8", ...headers } });
    })
    .get(SPEC, async () => {
      const headers = { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" };
      return new Response(await fromPlugin(SPEC), {
        headers: { "content-type": "application/json", ...headers },
      });
    })
    .get(SCRIPT, async () => {
      const headers = {
        "content-type": "text/javascript; charset=utf-8",
        "content-encoding": "gzip",
        "cache-control": "public, max-age=86400",
      };
      return new Response(await (packed ??= pack()), { headers });
    });
}
