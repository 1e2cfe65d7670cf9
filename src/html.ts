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
function escapeHtml(text: string): string {
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
/** The feed of what changed. */
const FEED = ROUTES.changesFeed.path;
/** The script that makes the search box suggest; pages work without it. */
const SITE_SCRIPT = ROUTES.siteScript.path;

/** What stands in the frame that every page shares. */
export interface Page {
  /** Of the window and the first heading's neighbour in search results; the product's name is added. */
  title: string;
  /** One sentence for link previews, where the page is worth one. */
  description?: string;
  /** Whom the frame names: a signed-in person with a button to sign out, the local operator, or nobody. */
  user?: { email: string; csrf: string; isOwner?: boolean } | "operator" | null;
  /** Whether the frame has the search box; pages with a form of their own to be filled in go without. */
  search?: boolean;
  /** The address that this page has, where others lead to it too. */
  canonical?: string;
  /** The picture of link previews. */
  picture?: Picture;
  /** What the page is about, for machines: a JSON-LD object. */
  linkedData?: object;
  /** Path of the entry of the main navigation that leads here. */
  section?: string;
  main: Html;
  /** Addresses of our own scripts, loaded deferred. Pages work without them. */
  scripts?: readonly string[];
}

/** A picture that stands for a page where somebody shares its link. @see https://ogp.me/#structured */
export interface Picture {
  /** Whole, with its origin. */
  address: string;
  width: number;
  height: number;
  /** What is to be seen, in words. */
  alt: string;
}

/** The main navigation, in order. */
const NAVIGATION = [
  [ROUTES.rankings.path, "Rankings"],
  [ROUTES.compare.path, "Compare"],
  [ROUTES.coverage.path, "Coverage"],
  [ROUTES.docs.path, "API"],
  [ROUTES.developer.path, "Developer"],
] as const;

/** What owners have besides. */
const OWNERS = [[ROUTES.admin.path, "Admin"]] as const;

/** A whole document in the one frame. */
export function page(given: Page): string {
  const { title, search = false, user = null, section, main, scripts = [] } = given;
  const isOwner = user !== null && user !== "operator" && user.isOwner === true;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · execcomp</title>
        <link rel="stylesheet" href="${STYLESHEET}" />
        <link rel="icon" href="${ICON}" type="image/svg+xml" />
        <link rel="alternate" href="${FEED}" type="application/atom+xml" title="What changed" />
        ${preview(given)} ${search && html`<script src="${SITE_SCRIPT}" defer></script>`}
        ${scripts.map((src) => html`<script src="${src}" defer></script>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <a class="brand" href="/">${MARK}<span>execcomp</span></a>
          ${search && headerSearch()}
          <nav aria-label="Main">
            ${[...NAVIGATION, ...(isOwner ? OWNERS : [])].map(
              ([path, name]) =>
                html`<a href="${path}" ${path === section && html`aria-current="page"`}>${name}</a>`,
            )}
          </nav>
          ${user === "operator" && html`<span class="who">Local operator</span>`}
          ${user === null && search && html`<a class="who" href="/sign-in">Sign in</a>`}
          ${
            user !== null &&
            user !== "operator" &&
            html`<form class="who" method="post" action="/sign-out">
              <input type="hidden" name="csrf" value="${user.csrf}" />
              <span class="email" title="${user.email}">${user.email}</span>
              <button class="quiet">Sign out</button>
            </form>`
          }
        </header>
        <main id="main">${main}</main>
      </body>
    </html> `.text;
}

/** The mark, as it stands in the header: three bars, the last one the highest. */
const MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <rect width="32" height="32" rx="6" />
  <path d="M7 24V16h4v8zm7 0V11h4v13zm7 0V6h4v18z" />
</svg>`;

/** What search engines and link previews read of a page that says something of its own. */
function preview({ title, description, canonical, picture, linkedData }: Page): Html {
  return html`${
    description !== undefined &&
    html`<meta name="description" content="${description}" />
      <meta property="og:title" content="${title}" />
      <meta property="og:description" content="${description}" />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="execcomp" />`
  }
  ${
    canonical !== undefined &&
    html`<link rel="canonical" href="${canonical}" /> <meta property="og:url" content="${canonical}" />`
  }
  ${
    picture !== undefined &&
    html`<meta property="og:image" content="${picture.address}" />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content="${picture.width}" />
      <meta property="og:image:height" content="${picture.height}" />
      <meta property="og:image:alt" content="${picture.alt}" />
      <meta name="twitter:card" content="summary_large_image" />`
  }
  ${
    linkedData !== undefined &&
    html`<script type="application/ld+json">
      ${jsonText(linkedData)}
    </script>`
  }`;
}

/** JSON inside a script element: nothing in it can end the element or begin a comment. */
function jsonText(value: object): Html {
  return new Html(JSON.stringify(value).replaceAll("<", "\\u003c"));
}

function headerSearch(): Html {
  return html`<form
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
      placeholder="Company, ticker or executive"
      required
      maxlength="100"
      autocomplete="off"
      data-suggest="${ROUTES.suggest.path}"
    />
  </form>`;
}
