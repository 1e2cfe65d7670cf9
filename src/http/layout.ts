/** The layout shared by all pages: of the site, of sign-in and of the authorization server. */
import { type Html, html } from "../lib/html.ts";
import { ROUTES } from "./routes.ts";

const STYLESHEET = ROUTES.stylesheet.path;
/** The logo, as SVG. */
const ICON = ROUTES.icon.path;
/** Adds suggestions to the search box; pages work without it. */
const SITE_SCRIPT = ROUTES.siteScript.path;

/** The parameters of the layout shared by all pages. */
export interface Page {
  /** The document title, also shown in search results; the product name is appended. */
  title: string;
  /** One sentence for link previews, for pages that have one. */
  description?: string;
  /** Who is shown in the header: a signed-in person with a sign-out button, the local operator, or no one. */
  user?: { email: string; csrf: string; isOwner?: boolean; credits?: number | null } | "operator" | null;
  /** Whether the header has the search box. */
  search?: boolean;
  /** Whether the page has a search box of its own, which takes the place of the header's. */
  ownSearch?: boolean;
  /** The canonical address, where the page is reachable under several. */
  canonical?: string;
  /** Path of the main navigation entry the page belongs to. */
  section?: string;
  main: Html;
  /** Paths of our own scripts, loaded deferred. Pages work without them. */
  scripts?: readonly string[];
}

/** The main navigation, in order. */
const NAVIGATION = [
  [ROUTES.rankings.path, "Rankings"],
  [ROUTES.statisticsPage.path, "Statistics"],
  [ROUTES.compare.path, "Compare"],
  [ROUTES.peerGroups.path, "Peer groups"],
  [ROUTES.coverage.path, "Coverage"],
  [ROUTES.docs.path, "API"],
  [ROUTES.developer.path, "Developer"],
] as const;

/** Additional entries for owners. */
const OWNERS = [[ROUTES.admin.path, "Admin"]] as const;

/** Renders a complete document. */
export function page(given: Page): string {
  const { title, search = false, ownSearch = false, user = null, section, main, scripts = [] } = given;
  const isOwner = user !== null && user !== "operator" && user.isOwner === true;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · execcomp</title>
        ${[ROUTES.sansFont, ROUTES.serifFont].map(({ path }) => html`<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin />`)}
        <link rel="stylesheet" href="${STYLESHEET}" />
        <link rel="icon" href="${ICON}" type="image/svg+xml" />
        ${preview(given)} ${search && html`<script src="${SITE_SCRIPT}" defer></script>`}
        ${scripts.map((src) => html`<script src="${src}" defer></script>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <a class="brand" href="${ROUTES.home.path}">exec<i>comp</i></a>
          ${search && !ownSearch && searchBox(null)}
          <input class="menu" type="checkbox" aria-label="Menu" />
          <nav aria-label="Main">
            ${[...NAVIGATION, ...(isOwner ? OWNERS : [])].map(
              ([path, name]) =>
                html`<a href="${path}" ${path === section && html`aria-current="page"`}>${name}</a>`,
            )}
          </nav>
          ${account(user, search)}
        </header>
        <main id="main">${main}</main>
      </body>
    </html> `.text;
}

/** A document with one column and without the search box: of sign-in, or of the authorization server. */
export function narrowPage(title: string, content: Html, heading: Html = html`${title}`): string {
  const main = html`<div class="narrow">
    <h1>${heading}</h1>
    ${content}
  </div>`;
  return page({ title, main });
}

/** Who is signed in, with the credits left and a button to sign out. */
function account(user: NonNullable<Page["user"]> | null, search: boolean): Html | false {
  if (user === "operator") return html`<span class="who">Local operator</span>`;
  if (user === null) return search && html`<a class="who" href="${ROUTES.signIn.path}">Sign in</a>`;
  const { email, csrf, credits = null } = user;
  return html`<form class="who" method="post" action="${ROUTES.signOut.path}">
    <input type="hidden" name="csrf" value="${csrf}" />
    ${credits !== null && html`<span class="credits"><b>${credits.toLocaleString("en-US")}</b><i> credits</i></span>`}
    <span class="email" title="${email}">${email}</span>
    <button class="quiet">Sign out</button>
  </form>`;
}

/** Metadata for search engines and link previews; their picture is the same for all pages. @see https://ogp.me/#structured */
function preview({ title, description, canonical }: Page): Html {
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
    html`<link rel="canonical" href="${canonical}" />
      <meta property="og:url" content="${canonical}" />
      <meta property="og:image" content="${new URL(ROUTES.linkPicture.path, canonical).href}" />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="What public companies paid their named executive officers" />
      <meta name="twitter:card" content="summary_large_image" />`
  }`;
}

/** A search box, with suggestions. @param own attributes of the box of a page; null for that of the header */
export function searchBox(own: Html | null): Html {
  const [kind, about, label] =
    own === null
      ? ["find", "This site", "Search companies and executives"]
      : ["search", "Companies and people", "Company, ticker or person"];
  return html`<form
    class="${kind}"
    method="get"
    action="${ROUTES.search.path}"
    role="search"
    aria-label="${about}"
  >
    <input
      name="q"
      type="search"
      aria-label="${label}"
      placeholder="Company, ticker or person"
      required
      maxlength="100"
      autocomplete="off"
      data-suggest="${ROUTES.suggest.path}"
      ${own}
    />
    ${own !== null && html`<button class="primary">Search</button>`}
  </form>`;
}
