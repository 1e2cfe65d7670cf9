/**
 * Handles requests for admin pages: who may see them, what a form does, and its result. Every form has a CSRF token and a
 * number, so that a form sent twice is processed once; every action is in the audit log.
 */
import type { ContextOf } from "../../http/base-urls.ts";
import { OperatorError, ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import { pageResponse, SEARCH_PAGE_POLICY, redirectTo, withCookies } from "../../http/responses.ts";
import { pathTo, ROUTES } from "../../http/routes.ts";
import type { Runtime } from "../../runtime.ts";
import type { SessionCookies } from "../../http/session-cookies.ts";
import { actorOf } from "../actor.ts";
import { refusalOf } from "../entry.ts";
import { showProblem } from "../show.ts";
import { appsPage } from "./apps.ts";
import { auditDownload, auditPage, type AuditPageDeps } from "./audit.ts";
import { backupPage, type BackupPageDeps, downloadBackup } from "./backup.ts";
import { datasetPage, type DatasetPageDeps, installUpload } from "./dataset.ts";
import {
  type AdminAct,
  adminFrame,
  type AdminPage,
  outcomeNote,
  questionNote,
  refusalNote,
  type Sent,
  type Visit,
} from "./frame.ts";
import { healthPage, type HealthPageDeps } from "./health.ts";
import { ingestPage, type IngestPageDeps } from "./ingest.ts";
import { keysPage } from "./keys.ts";
import { userPage, type UserPageDeps } from "./user.ts";
import { usersPage, type UsersPageDeps } from "./users.ts";

type PageDeps = UserPageDeps &
  UsersPageDeps &
  AuditPageDeps &
  BackupPageDeps &
  DatasetPageDeps &
  HealthPageDeps &
  IngestPageDeps;

/** Dependencies of the admin pages. */
export interface AdminDeps extends PageDeps {
  runtime: Pick<Runtime, "now" | "id">;
  contextOf: ContextOf;
  sessionCookies: SessionCookies;
}

/** A request as the router passes it. */
export interface PageRequest {
  request: Request;
  params?: Record<string, string>;
}

/** The pages by route name. */
type Pages = Readonly<Record<PageName, AdminPage>>;
type PageName =
  | "admin"
  | "adminUser"
  | "adminKeys"
  | "adminApps"
  | "adminDataset"
  | "adminIngest"
  | "adminHealth"
  | "adminBackup"
  | "adminAudit";

/** The handlers of the admin routes. */
export interface AdminHandlers {
  show(name: PageName, pageRequest: PageRequest): Promise<Response>;
  act(name: PageName, pageRequest: PageRequest): Promise<Response>;
  auditDownload(pageRequest: PageRequest): Promise<Response>;
  backupDownload(pageRequest: PageRequest): Promise<Response>;
  upload(pageRequest: PageRequest): Promise<Response>;
}

/** Builds the pages and their handlers. */
export function adminHandlers(deps: AdminDeps): AdminHandlers {
  const pages: Pages = {
    admin: usersPage(deps),
    adminUser: userPage(deps),
    adminKeys: keysPage(deps),
    adminApps: appsPage(deps),
    adminDataset: datasetPage(deps),
    adminIngest: ingestPage(deps),
    adminHealth: healthPage(deps),
    adminBackup: backupPage(deps),
    adminAudit: auditPage(deps),
  };
  const visitOf = createVisits(deps);
  /** Handles a request of an owner; refusals are shown on the page itself. */
  const forOwner = async (
    pageRequest: PageRequest,
    name: PageName,
    work: (visit: Visit, shown: AdminPage) => Promise<Response>,
  ): Promise<Response> => {
    const visit = await visitOf(pageRequest, name);
    if (visit instanceof Response) return visit;
    try {
      return await work(visit, pages[name]);
    } catch (refused) {
      const { message, status } = failureOf(refused);
      // The refusal may come from the page itself: then its content is left out.
      return answer(
        visit,
        pages[name],
        refusalNote(message),
        await mainOrNothing(pages[name], visit),
        status,
      );
    }
  };
  return {
    show: (name, pageRequest) =>
      forOwner(pageRequest, name, async (visit, shown) =>
        answer(visit, shown, null, await shown.main(visit), 200),
      ),
    act: (name, pageRequest) =>
      forOwner(pageRequest, name, async (visit, shown) => carryOut(await readForm(deps, visit), shown)),
    auditDownload: (pageRequest) =>
      forOwner(pageRequest, "adminAudit", (visit) => auditDownload(deps, visit)),
    backupDownload: (pageRequest) =>
      forOwner(pageRequest, "adminBackup", async (visit) => {
        const { address } = deps.contextOf(visit.request);
        return downloadBackup(deps, await readForm(deps, visit), deps.runtime.id(), address);
      }),
    upload: (pageRequest) =>
      forOwner(pageRequest, "adminDataset", async (visit, shown) => {
        const outcome = await installUpload(deps, visit, deps.runtime.id(), (fields) => {
          deps.sessionCookies.requireOwnForm(visit.request, visit.browserSession, fields);
        });
        return answer(visit, shown, outcomeNote(outcome), await shown.main(visit), 200);
      }),
  };
}

/** The owner's visit, or the response for anyone else. */
function createVisits({ runtime, contextOf, sessionCookies }: AdminDeps) {
  return async ({ request, params }: PageRequest, name: PageName): Promise<Visit | Response> => {
    const context = contextOf(request);
    const { baseUrls } = context;
    // Uploads and downloads have routes of their own, but their results are shown on the page they belong to.
    const url = new URL(pathTo(name, params) + context.url.search, baseUrls.origin);
    const browserSession = await sessionCookies.browserSession(request);
    const owner = browserSession.person;
    if (owner === null) {
      const next = request.method === "GET" ? `?next=${encodeURIComponent(url.pathname + url.search)}` : "";
      return redirectTo(`${baseUrls.origin}${ROUTES.signIn.path}${next}`, browserSession.cookies);
    }
    if (!owner.isOwner) {
      const viewer = {
        kind: "person",
        person: owner,
        browserSession,
        isUnmetered: false,
        credits: null,
      } as const;
      return showProblem(viewer, 403, "For owners only", "Only an owner of this server can open this page.");
    }
    const here = url.pathname + url.search;
    return {
      request,
      url,
      origin: baseUrls.origin,
      owner,
      browserSession,
      id: params?.["id"] ?? "",
      nowMs: runtime.now(),
      actor: actorOf(request, context, owner),
      form: (act, inside, { hidden = {}, action = here, encoding } = {}) =>
        html`<form method="post" action="${action}" ${encoding !== undefined && html`enctype="${encoding}"`}>
          ${Object.entries({ once: runtime.id(), ...hidden, act, csrf: browserSession.csrf }).map(
            ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
          )}
          ${inside}
        </form>`,
    };
  };
}

/** Format of a form's number. */
const ONCE = /^[0-9a-zA-Z-]{1,64}$/;

/** Reads a form from this browser's own session. Refuses any other with `forbidden`. */
async function readForm(deps: AdminDeps, visit: Visit): Promise<Sent> {
  const fields = await deps.sessionCookies.form(visit.request, visit.browserSession);
  const once = fields.get("once") ?? "";
  if (!ONCE.test(once))
    throw new ServiceError("invalid_parameter", "This form is incomplete. Reload the page and try again.");
  return { ...visit, fields, actor: { ...visit.actor, form: `${visit.owner.userId} ${once}` } };
}

async function carryOut(sent: Sent, shown: AdminPage): Promise<Response> {
  const wanted = findAct(shown, sent.fields.get("act") ?? "");
  if (sent.fields.get("sure") !== "yes") {
    const asked = (await wanted.ask?.(sent)) ?? null;
    if (asked !== null) return answer(sent, shown, questionNote(sent, asked), html``, 200);
  }
  const outcome = await wanted.run(sent);
  return answer(sent, shown, outcomeNote(outcome), await shown.main(sent), 200);
}

function findAct({ acts }: AdminPage, name: string): AdminAct {
  const found = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (found === undefined)
    throw new ServiceError("invalid_parameter", "Unknown action. Reload the page and try again.");
  return found;
}

/** The message and status of a refusal. Messages of `OperatorError` are meant for owners too. */
function failureOf(refused: unknown): { message: string; status: number } {
  return refused instanceof OperatorError ? { message: refused.message, status: 400 } : refusalOf(refused);
}

async function mainOrNothing(shown: AdminPage, visit: Visit): Promise<Html> {
  try {
    return await shown.main(visit);
  } catch {
    return html``;
  }
}

function answer(visit: Visit, shown: AdminPage, note: Html | null, main: Html, status: number): Response {
  const text = adminFrame(visit, shown, note, main);
  const headers = { "content-security-policy": SEARCH_PAGE_POLICY };
  return withCookies(pageResponse(text, status, headers), visit.browserSession.cookies);
}
