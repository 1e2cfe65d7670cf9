/**
 * The one script of the API reference: a bar with links back to the site, the newly created key, then the reference itself.
 * The developer page passes the key in this tab's session storage, never in a URL.
 */
declare const PATHS: Readonly<Record<"developer" | "openapi" | "library", string>>;

document.documentElement.lang = "en";
document.title = `API reference · ${document.title}`;

const bar = document.createElement("header");
bar.className = "execcomp-bar";
for (const [text, href] of [
  ["execcomp", "/"],
  ["API keys and quick start", PATHS.developer],
  ["OpenAPI document", PATHS.openapi],
] as const)
  bar.append(Object.assign(document.createElement("a"), { textContent: text, href }));
document.body.prepend(bar);

const key = sessionStorage.getItem("execcomp_key");
const reference = document.getElementById("api-reference");
if (key !== null && reference) {
  const settings = JSON.parse(reference.dataset["configuration"] ?? "{}");
  settings.authentication = {
    preferredSecurityScheme: "ApiKeyAuth",
    securitySchemes: { ApiKeyAuth: { name: "X-API-KEY", in: "header", value: key } },
  };
  reference.dataset["configuration"] = JSON.stringify(settings);
}
document.body.append(Object.assign(document.createElement("script"), { src: PATHS.library }));
