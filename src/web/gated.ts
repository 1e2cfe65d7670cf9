/** Pages that may cost credits: shown where they are open, else offered; files, charts and frames follow the same rule. */
import { Elysia } from "elysia";
import { redirectTo } from "../http/responses.ts";
import { type DownloadFormat, DOWNLOADS, readFormat } from "../operations/rows.ts";
import type { WebDeps } from "./deps.ts";
import { show, showFile, type Shown, showProblem, showRefusal } from "./show.ts";
import { chartFile, framePage, type TakeAway } from "./take-away.ts";
import type { Gate, Viewer } from "./viewer.ts";

/** A page with a price. @typeParam View what its viewer may see */
export interface GatedPage<View> {
  /** What the button of the offer opens, and where it leads back to; or the page that says why there is nothing. */
  gate(request: Request, viewer: Viewer): Promise<Response | { gate: Gate; back: string }>;
  /** What the viewer may see, or the page shown instead. @param isFile whether it is for a file, which has more rows */
  find(request: Request, viewer: Viewer, isFile: boolean): Promise<Response | View>;
  show(view: View, request: Request): Shown | Response | Promise<Shown | Response>;
  /** The content of a download, and its name without the ending. */
  file(view: View, format: DownloadFormat): Promise<readonly [Uint8Array<ArrayBuffer>, string]>;
  /** The chart that the address names, or a page that says why its viewer may not see it. */
  takeAway?(view: View, chart: string | null): TakeAway | Response;
}

/** Mounts a page at a path, with its download, its charts and their frames below it. */
export function gatedPage<View>(deps: WebDeps, path: string, page: GatedPage<View>) {
  const seen =
    (
      isFile: boolean,
      answer: (view: View, viewer: Viewer, request: Request) => Promise<Response> | Response,
    ) =>
    async (request: Request): Promise<Response> => {
      const viewer = await deps.viewers.find(request);
      const found = await page.find(request, viewer, isFile);
      return found instanceof Response ? found : answer(found, viewer, request);
    };
  const asked = (request: Request, name: string) => deps.contextOf(request).url.searchParams.get(name);
  const shown = seen(false, async (view, viewer, request) => {
    const made = await page.show(view, request);
    return made instanceof Response ? made : show(viewer, made);
  });
  const file = seen(true, async (view, viewer, request) => {
    const format = readFormat(asked(request, "format"));
    if (format === undefined) return showProblem(viewer, 400, "Unknown format", "Expected csv or xlsx.");
    const [bytes, name] = await page.file(view, format);
    return showFile(bytes, DOWNLOADS[format], `execcomp-${name}.${format}`);
  });
  const app = new Elysia()
    .get(path, deps.conditional(shown))
    .post(path, ({ request }) => open(deps, request, page.gate), { parse: "none" })
    .get(`${path}/download`, ({ request }) => file(request));
  const { takeAway } = page;
  if (takeAway === undefined) return app;
  const chart = seen(false, (view, viewer, request) => {
    const taken = takeAway(view, asked(request, "chart"));
    return taken instanceof Response ? taken : chartFile(deps, viewer, asked(request, "format"), taken);
  });
  return app
    .get(`${path}/chart`, ({ request }) => chart(request))
    .get(`${path}/embed`, async ({ request }) => {
      const { origin } = deps.contextOf(request).baseUrls;
      const found = await page.find(request, deps.viewers.anonymous(request), false);
      const taken = found instanceof Response ? found : takeAway(found, asked(request, "chart"));
      if (!(taken instanceof Response)) return framePage(origin, 200, taken);
      return framePage(origin, taken.status === 200 ? 403 : taken.status, null);
    });
}

/** The button of an offer: charges once and leads back to the page. Who is not signed in signs in first. */
async function open(deps: WebDeps, request: Request, gateOf: GatedPage<never>["gate"]): Promise<Response> {
  const viewer = await deps.viewers.find(request);
  const asked = await gateOf(request, viewer);
  if (asked instanceof Response) return asked;
  const { gate, back } = asked;
  const { baseUrls, id } = deps.contextOf(request);
  if (viewer.kind !== "person" || deps.sessionCookies === null) {
    return redirectTo(`${baseUrls.origin}/sign-in?next=${encodeURIComponent(back)}`, []);
  }
  try {
    await deps.sessionCookies.form(request, viewer.browserSession);
    await deps.viewers.open(viewer, deps.snapshots.current().info.contentHash, gate, id);
    return redirectTo(baseUrls.origin + back, viewer.browserSession.cookies);
  } catch (refused) {
    return showRefusal(viewer, refused);
  }
}
