/**
 * `/admin`: where owners run the service. Always with a session, even for the local operator; every form has its CSRF
 * field and a number of its own, so that one sent twice is carried out once; every act is in the audit log.
 * @see docs/contract.md, "Pages"
 */
import { Elysia } from "elysia";
import type { ContextOf } from "../../base-urls.ts";
import { OperatorError, ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import { pageResponse, SEARCH_PAGE_POLICY } from "../../http.ts";
import { ROUTES } from "../../routes.ts";
import type { Runtime } from "../../runtime.ts";
import type { SessionCookies } from "../../session-cookies.ts";
import { actorOf } from "../actor.ts";
import { redirectTo, refusalOf, withCookies } from "../entry.ts";
import { showProblem } from "../show.ts";
import { appsPage } from "./apps.ts";
import { auditDownload, auditPage, type AuditPageDeps } from "./audit.ts";
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
import { keysPage } from "./keys.ts";
import { userPage, type UserPageDeps } from "./user.ts";
import { usersPage, type UsersPageDeps } from "./users.ts";

/** What the pages for owners are built from. */
export interface AdminDeps extends UserPageDeps, UsersPageDeps, AuditPageDeps {
  users: UserPageDeps["users"] & UsersPageDeps["users"] & AuditPageDeps["users"];
  signUps: UserPageDeps["signUps"] & UsersPageDeps["signUps"];
  audit: AuditPageDeps["audit"];
  runtime: Pick<Runtime, "now" | "id">;
  contextOf: ContextOf;
  sessionCookies: SessionCookies;
}

type Asked = { request: Request; params?: Record<string, string> };

/** The routes of `/admin`. */
export function admin(deps: AdminDeps) {
  const visitOf = createVisits(deps);
  const show = (shown: AdminPage) => async (asked: Asked) => {
    const visit = visitOf(asked);
    if (visit instanceof Response) return visit;
    try {
      return answer(visit, shown, null, await shown.main(visit), 200);
    } catch (refused) {
      const { message, status } = failureOf(refused);
      return answer(visit, shown, refusalNote(message), html``, status);
    }
  };
  const act = (shown: AdminPage) => async (asked: Asked) => {
    const visit = visitOf(asked);
    return visit instanceof Response ? visit : carryOut(deps, visit, shown);
  };
  const asForm = { parse: "none" } as const;
  const users = usersPage(deps);
  const user = userPage(deps);
  const keys = keysPage(deps);
  const apps = appsPage(deps);
  const log = auditPage(deps);
  return new Elysia({ name: "admin" })
    .get(ROUTES.admin.path, show(users))
    .post(ROUTES.admin.path, act(users), asForm)
    .get(ROUTES.adminUser.path, show(user))
    .post(ROUTES.adminUser.path, act(user), asForm)
    .get(ROUTES.adminKeys.path, show(keys))
    .post(ROUTES.adminKeys.path, act(keys), asForm)
    .get(ROUTES.adminApps.path, show(apps))
    .post(ROUTES.adminApps.path, act(apps), asForm)
    .get(ROUTES.adminAudit.path, show(log))
    .get(ROUTES.adminAuditDownload.path, async (asked: Asked) => {
      const visit = visitOf(asked);
      if (visit instanceof Response) return visit;
      const file = await auditDownload(deps, visit);
      return file instanceof Response ? file : answer(visit, log, refusalNote(file.message), html``, 400);
    });
}

/** Who comes: an owner, or the answer to everybody else. */
function createVisits({ runtime, contextOf, sessionCookies }: AdminDeps) {
  return ({ request, params }: Asked): Visit | Response => {
    const context = contextOf(request);
    const { url, baseUrls } = context;
    const browserSession = sessionCookies.browserSession(request);
    const owner = browserSession.person;
    if (owner === null) {
      const next = request.method === "GET" ? `?next=${encodeURIComponent(url.pathname + url.search)}` : "";
      return redirectTo(`${baseUrls.origin}${ROUTES.signIn.path}${next}`, browserSession.cookies);
    }
    if (!owner.isOwner) {
      const viewer = { kind: "person", person: owner, browserSession, isUnmetered: false } as const;
      return showProblem(viewer, 403, "For owners only", "Only an owner of this server can open this page.");
    }
    return {
      request,
      url,
      origin: baseUrls.origin,
      owner,
      browserSession,
      id: params?.["id"] ?? "",
      nowMs: runtime.now(),
      actor: actorOf(request, context, owner),
      form: (act, inside, { hidden = {} } = {}) =>
        html`<form method="post" action="${url.pathname}${url.search}">
          ${Object.entries({ once: runtime.id(), ...hidden, act, csrf: browserSession.csrf }).map(
            ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
          )}
          ${inside}
        </form>`,
    };
  };
}

/** The shape of a form's own number. */
const ONCE = /^[0-9a-zA-Z-]{1,64}$/;

async function carryOut(deps: AdminDeps, visit: Visit, shown: AdminPage): Promise<Response> {
  const { request, owner, browserSession } = visit;
  try {
    const fields = await deps.sessionCookies.form(request, browserSession);
    const once = fields.get("once") ?? "";
    const wanted = findAct(shown, fields.get("act") ?? "");
    if (!ONCE.test(once))
      throw new ServiceError("invalid_parameter", "This form is incomplete. Open the page again.");
    const sent: Sent = { ...visit, fields, actor: { ...visit.actor, form: `${owner.userId} ${once}` } };
    if (wanted.ask !== undefined && fields.get("sure") !== "yes") {
      return answer(visit, shown, questionNote(sent, wanted.ask(sent)), html``, 200);
    }
    const outcome = await wanted.run(sent);
    return answer(visit, shown, outcomeNote(outcome), await mainOf(shown, visit), 200);
  } catch (refused) {
    const { message, status } = failureOf(refused);
    return answer(visit, shown, refusalNote(message), await mainOf(shown, visit), status);
  }
}

function findAct({ acts }: AdminPage, name: string): AdminAct {
  const found = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (found === undefined)
    throw new ServiceError("invalid_parameter", "This form asks for nothing that there is.");
  return found;
}

/** A refusal of the service or of a command: its sentence is for owners too. */
function failureOf(refused: unknown): { message: string; status: number } {
  return refused instanceof OperatorError ? { message: refused.message, status: 400 } : refusalOf(refused);
}

/** The page below its note; a refusal (an unknown user, a date that is none) stands in its place. */
async function mainOf(shown: AdminPage, visit: Visit): Promise<Html> {
  try {
    return await shown.main(visit);
  } catch (refused) {
    return refusalNote(failureOf(refused).message);
  }
}

function answer(visit: Visit, shown: AdminPage, note: Html | null, main: Html, status: number): Response {
  const text = adminFrame(visit, shown, note, main);
  const headers = { "content-security-policy": SEARCH_PAGE_POLICY };
  return withCookies(pageResponse(text, status, headers), visit.browserSession.cookies);
}
