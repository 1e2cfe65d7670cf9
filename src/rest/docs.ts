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
      const text = (await fromPlugin(PAGE)).replaceAll(/<script\b/g, `<script nonce="${nonce}"`);
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
