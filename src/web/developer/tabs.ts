/** The tabs of the developer page: links with their own addresses, so they work without a script. */
import { type Html, html } from "../../html.ts";
import { ROUTES } from "../../http/routes.ts";

/** The tabs by their name in the address; the first is the default. */
export const TABS = {
  keys: "API keys",
  "quick-start": "Quick start",
  usage: "Usage and credits",
  apps: "Connected apps",
} as const;

/** The name of a tab. */
export type Tab = keyof typeof TABS;

/** The tab that an address asks for. */
export function readTab(given: URLSearchParams): Tab {
  const requested = given.get("tab");
  return Object.keys(TABS).find((name): name is Tab => name === requested) ?? "keys";
}

/** The address of a tab. */
export function tabPath(tab: Tab): string {
  return tab === "keys" ? ROUTES.developer.path : `${ROUTES.developer.path}?tab=${tab}`;
}

/** The tab bar, with the current tab marked. */
export function tabBar(current: Tab): Html {
  return html`<nav class="tabs" aria-label="Developer">
    ${Object.entries(TABS).map(([name, label]) => {
      const tab = readTab(new URLSearchParams({ tab: name }));
      return html`<a href="${tabPath(tab)}" ${tab === current && html`aria-current="page"`}>${label}</a>`;
    })}
  </nav>`;
}
