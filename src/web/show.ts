/** How a page about compensation is answered: in the frame, for its viewer, and from the browser's copy where nothing has changed. */
import { BoundedCache } from "../domain/cache.ts";
import { type Html, html, page, type Picture } from "../html.ts";
import {
  type AnswerBody,
  heldBody,
  pageResponse,
  SEARCH_PAGE_POLICY,
  wantsPage,
  withCookies,
} from "../http.ts";
import { tabPath } from "./developer/tabs.ts";
import { searchForm } from "./pages/home.ts";
import { refusalOf } from "./entry.ts";
import type { Viewer } from "./viewer.ts";

/** A page before it stands in the frame. */
export interface Shown {
  title: string;
  description?: string;
  canonical?: string;
  /** Of link previews. */
  picture?: Picture;
  /** For machines, as JSON-LD. */
  linkedData?: object;
  /** Path of the entry of the main navigation that leads here. */
  section?: string;
  main: Html;
  status?: number;
}

const MAX_PLAIN_LENGTH = 64 * 1024;
const encoder = new TextEncoder();

/** Of a page that is the same for every visitor. Whoever signs in or out gets another one at the same address. */
export const PUBLIC_HEADERS = { "cache-control": "public, max-age=300", vary: "Cookie" } as const;

/** The page for its viewer. What somebody signed in sees is theirs alone. */
export function show(viewer: Viewer, shown: Shown, more: Readonly<Record<string, string>> = {}): Response {
  const text = textFor(viewer, shown);
  // A long page is shared with the kernel: a reader who does not read costs no copy.
  return answerWith(viewer, text.length > MAX_PLAIN_LENGTH ? new Blob([text]) : text, shown.status, more);
}

/** Pages whose content is the same for everybody who may see it, by what they are made of. */
export interface KeptPages {
  /** Before they stand in the frame of a person. */
  contents: BoundedCache<string, Shown>;
  /** Whole, for those whose frame has nothing of their own. */
  pages: BoundedCache<string, Uint8Array<ArrayBuffer>>;
}

/** @param maxBytes of what is kept of either kind */
export function keptPages(maxBytes: number): KeptPages {
  return {
    contents: new BoundedCache(maxBytes, ({ main }) => main.text.length * 2),
    pages: new BoundedCache(maxBytes, ({ length }) => length),
  };
}

/**
 * As `show` for a page that takes long to make and has nothing of its viewer's in it: it is made once, whole for the
 * operator and visitors, and for people to stand in the frame of each. Whether the viewer may see it is decided before.
 *
 * @param key names everything that the page is made of
 */
export function showKept(
  { contents, pages }: KeptPages,
  key: string,
  viewer: Viewer,
  make: () => Shown | Promise<Shown>,
): Response | Promise<Response> {
  const answer = (shown: Shown) =>
    viewer.kind === "person"
      ? show(
          viewer,
          contents.getOrMake(key, () => shown),
        )
      : answerWith(viewer, heldBody(pages.getOrMake(whole, () => encoder.encode(textFor(viewer, shown)))));
  const whole = `${viewer.kind} ${key}`;
  const page = viewer.kind === "person" ? undefined : pages.get(whole);
  if (page !== undefined) return answerWith(viewer, heldBody(page));
  const shown = contents.get(key) ?? make();
  return shown instanceof Promise ? shown.then(answer) : answer(shown);
}

function textFor(viewer: Viewer, { main, status: _status, ...rest }: Shown): string {
  const user =
    viewer.kind === "person"
      ? { ...viewer.person, csrf: viewer.browserSession.csrf }
      : viewer.kind === "operator"
        ? ("operator" as const)
        : null;
  return page({ ...rest, user, search: true, main });
}

function answerWith(
  viewer: Viewer,
  body: AnswerBody,
  status = 200,
  more: Readonly<Record<string, string>> = {},
): Response {
  const headers: Record<string, string> = {
    "content-security-policy": SEARCH_PAGE_POLICY,
    ...(viewer.kind === "visitor" ? PUBLIC_HEADERS : { "cache-control": "private, no-cache" }),
    ...more,
  };
  if (status !== 200) headers["cache-control"] = "no-store";
  const answer = pageResponse(body, status, headers);
  return viewer.kind === "person" ? withCookies(answer, viewer.browserSession.cookies) : answer;
}

/** A file to keep. */
export function showFile(bytes: Uint8Array<ArrayBuffer>, type: string, name: string): Response {
  return new Response(heldBody(bytes), {
    headers: {
      "content-type": type,
      // A symbol may have a quote or a semicolon in it.
      "content-disposition": `attachment; filename="${name.replaceAll(/[^\w.-]/g, "_")}"`,
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
    },
  });
}

/** A page that only says why there is none, with the search box. */
export function showProblem(
  viewer: Viewer,
  status: number,
  title: string,
  text: string | Html,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const main = html`<h1>${title}</h1>
    <p role="alert">${text}</p>
    ${searchForm("", false)}`;
  const answer = show(viewer, { title, main, status });
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}

const TITLES: Readonly<Record<number, string>> = {
  402: "Not enough credits",
  403: "Not allowed",
  404: "Not found",
  410: "The dataset has changed",
  413: "Too long",
  429: "Too many requests",
  500: "Something went wrong",
  503: "Unavailable for the moment",
};

/** What a person's browser is shown for a refusal before or beside every page; undefined where no person asks. */
export function problemPage(
  request: Request,
  viewer: Viewer,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response | undefined {
  if (!wantsPage(request)) return undefined;
  return showProblem(viewer, status, TITLES[status] ?? "Not possible", message, headers);
}

/** The page for a refusal; a bug is thrown on. */
export function showRefusal(viewer: Viewer, refused: unknown): Response {
  const { message, status, headers } = refusalOf(refused);
  const text =
    status === 402 ? html`${message} <a href="${tabPath("usage")}">Usage and credits</a>` : message;
  return showProblem(viewer, status, TITLES[status] ?? "Check what was asked", text, headers);
}
