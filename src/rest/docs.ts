import { Elysia } from "elysia";
import scalarScript from "../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with { type: "file" };

const PAGE = "/api/docs";
const SPEC = "/api/openapi.json";
const SCRIPT = "/api/docs/reference.js";

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

/** The reference page styles and configures itself inline; nothing is loaded from elsewhere. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Loaded with the first question for it: the plugin and the document are a tenth of a server's start. */
async function loadPlugin() {
  const [{ swagger }, { openApiDocument }] = await Promise.all([
    import("@elysiajs/swagger"),
    import("./openapi.ts"),
  ]);
  return new Elysia().use(
    swagger({
      path: PAGE,
      specPath: SPEC,
      exclude: [/.*/],
      // The plugin's types know OpenAPI 3.0; the document is 3.1 and passes through it untouched.
      documentation: openApiDocument() as never,
      scalarCDN: SCRIPT,
      // The plugin's types know an older Scalar; the settings pass through it untouched.
      scalarConfig: SCALAR as never,
    }),
  );
}

/** `/api/openapi.json`, and a reference page at `/api/docs` that loads nothing from elsewhere. */
export function docs() {
  let loading: ReturnType<typeof loadPlugin> | undefined;
  const plugin = () => (loading ??= loadPlugin());
  const fromPlugin =
    (headers: Record<string, string>) =>
    async ({ request }: { request: Request }) => {
      const { pathname } = new URL(request.url);
      const answer = await (await plugin()).handle(new Request(`http://localhost${pathname}`));
      const type = answer.headers.get("content-type") ?? "application/json";
      return new Response(await answer.bytes(), { headers: { "content-type": type, ...headers } });
    };
  let packed: Promise<Uint8Array<ArrayBuffer>> | undefined;
  const pack = async () => Bun.gzipSync(await Bun.file(scalarScript).bytes());

  return new Elysia({ name: "docs" })
    .get(PAGE, fromPlugin({ "content-security-policy": PAGE_POLICY, "cache-control": "no-cache" }))
    .get(SPEC, fromPlugin({ "cache-control": "public, max-age=300", "access-control-allow-origin": "*" }))
    .get(SCRIPT, async () => {
      const headers = {
        "content-type": "text/javascript; charset=utf-8",
        "content-encoding": "gzip",
        "cache-control": "public, max-age=86400",
      };
      return new Response(await (packed ??= pack()), { headers });
    });
}
