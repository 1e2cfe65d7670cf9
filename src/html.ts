import { ROUTES } from "./routes.ts";

/** Text that is HTML already; everything else is escaped when a page is put together. */
export class Html {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

/** What may stand in an `html` template. */
export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The one escape: safe in text and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);
}

/** Template tag: every value is escaped unless it is `Html`; lists are joined; null, undefined and false print nothing. */
export function html(strings: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  let out = strings[0] ?? "";
  parts.forEach((part, index) => {
    out += render(part) + (strings[index + 1] ?? "");
  });
  return new Html(out);
}

function render(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(render).join("");
  return escapeHtml(String(part));
}

/** Where the one stylesheet is served. */
const STYLESHEET = ROUTES.stylesheet.path;
/** The mark, as SVG. */
const ICON = ROUTES.icon.path;
/** The script that makes the search box suggest; pages work without it. */
const SITE_SCRIPT = ROUTES.siteScript.path;

/** What stands in the frame that every page shares. */
export interface Page {
  /** Of the window and the first heading's neighbour in search results; the product's name is added. */
  title: string;
  /** One sentence for link previews, where the page is worth one. */
  description?: string;
  /** Whom the frame names: a signed-in person with a button to sign out, the local operator, or nobody. */
  user?: { email: string; csrf: string } | "operator" | null;
  /** Whether the frame has the search box; pages with a form of their own to be filled in go without. */
  search?: boolean;
  /** The address that this page has, where others lead to it too. */
  canonical?: string;
  main: Html;
  /** Addresses of our own scripts, loaded deferred. Pages work without them. */
  scripts?: readonly string[];
}

/** A whole document in the one frame. */
export function page({
  title,
  description,
  user = null,
  search = false,
  canonical,
  main,
  scripts = [],
}: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · execcomp</title>
        ${description !== undefined && html`<meta name="description" content="${description}" />`}
        <link rel="stylesheet" href="${STYLESHEET}" />
        <link rel="icon" href="${ICON}" type="image/svg+xml" />
        ${canonical !== undefined && html`<link rel="canonical" href="${canonical}" />`}
        ${search && html`<script src="${SITE_SCRIPT}" defer></script>`}
        ${scripts.map((src) => html`<script src="${src}" defer></script>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <a class="brand" href="/">execcomp</a>
          ${
            search &&
            html`<form
              class="find"
              method="get"
              action="${ROUTES.search.path}"
              role="search"
              aria-label="This site"
            >
              <input
                name="q"
                type="search"
                aria-label="Search companies and executives"
                placeholder="Search"
                required
                maxlength="100"
                autocomplete="off"
                data-suggest="${ROUTES.suggest.path}"
              />
            </form>`
          }
          <nav aria-label="Main">
            <a href="${ROUTES.rankings.path}">Rankings</a>
            <a href="${ROUTES.compare.path}">Compare</a>
            <a href="/coverage">Coverage</a>
            <a href="/api/docs">API</a>
            <a href="/developer">Developer</a>
          </nav>
          ${user === "operator" && html`<span class="who">Local operator</span>`}
          ${user === null && search && html`<a class="who" href="/sign-in">Sign in</a>`}
          ${
            user !== null &&
            user !== "operator" &&
            html`<form class="who" method="post" action="/sign-out">
              <input type="hidden" name="csrf" value="${user.csrf}" />
              <span>${user.email}</span> <button class="quiet">Sign out</button>
            </form>`
          }
        </header>
        <main id="main">${main}</main>
      </body>
    </html> `.text;
}
