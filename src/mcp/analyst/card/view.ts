/**
 * The card's script: exchanges messages with the host and renders results. Bundled for browsers (`script.ts`).
 * @see MCP Apps, revision 2026-01-26
 */
import { drawCard, isObject, type Members } from "./draw.ts";

const INITIALIZE = 1;

const main = document.querySelector<HTMLElement>("main");

function show(html: string): void {
  if (main !== null) main.innerHTML = html;
}

function send(message: object): void {
  // The host's origin is unknown; messages contain no secrets.
  parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

/** Applies the host's theme, if it provides one. */
function applyContext(context: unknown): void {
  if (!isObject(context)) return;
  const { style } = document.documentElement;
  if (context["theme"] === "light" || context["theme"] === "dark") style.colorScheme = context["theme"];
  const styles = isObject(context["styles"]) ? context["styles"] : {};
  const variables = isObject(styles["variables"]) ? styles["variables"] : {};
  for (const [name, value] of Object.entries(variables)) {
    if (/^--(color|font)-[a-z-]+$/.test(name) && typeof value === "string") style.setProperty(name, value);
  }
}

function hear(message: Members): void {
  const { id, method, params } = message;
  if (method === undefined) {
    const { result } = message;
    if (id !== INITIALIZE || !isObject(result)) return;
    applyContext(result["hostContext"]);
    send({ method: "ui/notifications/initialized", params: {} });
  } else if (method === "ui/notifications/tool-result") {
    show(drawCard(params));
  } else if (method === "ui/notifications/tool-cancelled") {
    show("<p>Cancelled.</p>");
  } else if (method === "ui/notifications/host-context-changed") {
    applyContext(params);
  } else if (id !== undefined) {
    const isSupported = method === "ping" || method === "ui/resource-teardown";
    send(isSupported ? { id, result: {} } : { id, error: { code: -32601, message: "Method not found" } });
  }
}

addEventListener("message", ({ source, data }) => {
  if (source === parent && isObject(data) && data["jsonrpc"] === "2.0") hear(data);
});
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  send({ id: `open ${link.href}`, method: "ui/open-link", params: { url: link.href } });
});
new ResizeObserver(() => {
  // The document's own height is at least that of its frame, which could then never shrink.
  const height = document.body.offsetHeight;
  send({ method: "ui/notifications/size-changed", params: { height } });
}).observe(main ?? document.body);
send({
  id: INITIALIZE,
  method: "ui/initialize",
  params: {
    protocolVersion: "2026-01-26",
    appInfo: { name: "execcomp", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline"] },
  },
});
