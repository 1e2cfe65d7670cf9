import { ROUTES } from "../../routes.ts";
import { Elysia } from "elysia";
import type { Credits } from "../../accounts/credits.ts";
import type { Keys, NewKey } from "../../accounts/keys.ts";
import type { Sessions } from "../../accounts/sessions.ts";
import type { Runtime } from "../../runtime.ts";
import type { SessionCookies, Person, BrowserSession } from "../../session-cookies.ts";
import { BoundedCache } from "../../domain/cache.ts";
import { ServiceError } from "../../errors.ts";
import type { Connections } from "../../grants/connections.ts";
import { html, page } from "../../html.ts";
import { pageResponse } from "../../http.ts";
import type { ContextOf } from "../../base-urls.ts";
import type { Actor } from "../../accounts/audit.ts";
import { actorOf } from "../actor.ts";
import { redirectTo, withCookies } from "../entry.ts";
import { connectionsSection } from "./connections.ts";
import { CHART_DAYS, ENTRIES, type Prices, creditsSection, useSection } from "./credits.ts";
import { LIFETIMES, freshKey, isOverlap, keysSection } from "./keys.ts";
import { quickStart } from "./quick-start.ts";
import { SCRIPT } from "./script.ts";

const SCRIPT_PATH = ROUTES.developerScript.path;
const DAY_MS = 86_400_000;

/** What the developer page is built from. */
export interface DeveloperDeps {
  runtime: Pick<Runtime, "now" | "id">;
  contextOf: ContextOf;
  sessionCookies: SessionCookies;
  keys: Keys;
  /** What a first key would bring; 0 for who had it. */
  creditsOf(userId: string): { freeCredits: number };
  credits: Credits;
  sessions: Pick<Sessions, "endAll">;
  connections: Pick<Connections, "list" | "disconnect">;
  prices: Prices;
  /** How a person gets more credits, in the operator's words. */
  creditsNote: string;
}

/** `{site_url}/developer`: where people create and revoke keys, see their credits and connect clients. */
export function developer(deps: DeveloperDeps) {
  const { runtime, contextOf, sessionCookies, keys } = deps;
  // A form sent twice (reload, double click) makes one key: its number is remembered for a while.
  const sent = new BoundedCache<string, { at: number }>(10_000);

  const show = (
    request: Request,
    { person, browserSession }: SignedIn,
    fresh: string | null,
    problem: string | null,
  ) => {
    const { baseUrls, url } = contextOf(request);
    const nowMs = runtime.now();
    const from = Number(url.searchParams.get("from") ?? Number.NaN);
    const entries = deps.credits.entries(person.userId, {
      limit: ENTRIES,
      ...(Number.isInteger(from) ? { from } : {}),
    });
    const text = page({
      title: "Developer",
      user: { ...person, csrf: browserSession.csrf },
      scripts: [SCRIPT_PATH],
      main: html`<h1>Developer</h1>
        ${problem !== null && html`<p class="error" role="alert">${problem}</p>`}
        ${fresh !== null && freshKey(fresh)}
        ${creditsSection(deps.credits.summary(person.userId), deps.prices, deps.creditsNote)}
        ${keysSection(keys.list(person.userId), {
          csrf: browserSession.csrf,
          once: runtime.id(),
          nowMs,
          freeCredits: deps.creditsOf(person.userId).freeCredits,
        })}
        ${quickStart(baseUrls, fresh)}
        ${useSection(deps.credits.chargedByDay(person.userId, nowMs - CHART_DAYS * DAY_MS), entries, nowMs)}
        ${connectionsSection(deps.connections.list(person.userId), browserSession.csrf)}
        <form method="post" action="/developer/sign-out-everywhere">
          <input type="hidden" name="csrf" value="${browserSession.csrf}" />
          <button class="quiet">Sign out everywhere</button>
        </form>`,
    });
    return withCookies(pageResponse(text, problem === null ? 200 : 400), browserSession.cookies);
  };

  /** What a form does: the fresh secret to show, or null to go back to the page. */
  const acting =
    (act: (person: Self, fields: ReadonlyMap<string, string>, id: string) => Promise<string | null>) =>
    async ({ request, params }: { request: Request; params?: { id?: string } }) => {
      const signedIn = signedInOf(sessionCookies.browserSession(request));
      if (signedIn === null) return toSignIn(request);
      try {
        const fields = await sessionCookies.form(request, signedIn.browserSession);
        const actor = actorOf(request, contextOf(request), signedIn.person);
        const fresh = await act({ ...signedIn.person, actor }, fields, params?.id ?? "");
        return fresh === null
          ? redirectTo(`${contextOf(request).baseUrls.developer}`, [])
          : show(request, signedIn, fresh, null);
      } catch (refused) {
        if (!(refused instanceof ServiceError)) throw refused;
        return show(request, signedIn, null, refused.message);
      }
    };

  const toSignIn = (request: Request) => redirectTo(`${contextOf(request).baseUrls.origin}/sign-in`, []);
  const secretOf = ({ secret }: NewKey) => secret;
  const asForm = { parse: "none" } as const;

  return new Elysia({ name: "developer" })
    .get(SCRIPT_PATH, () => new Response(SCRIPT, { headers: SCRIPT_HEADERS }))
    .get(ROUTES.developer.path, ({ request }) => {
      const signedIn = signedInOf(sessionCookies.browserSession(request));
      return signedIn === null ? toSignIn(request) : show(request, signedIn, null, null);
    })
    .post(
      ROUTES.createKey.path,
      acting(async ({ userId, actor }, fields) => {
        const once = `${userId} ${fields.get("once") ?? ""}`;
        const at = runtime.now();
        const first = { at };
        if (sent.getOrMake(once, () => first) !== first) return null;
        const days = fields.get("days") ?? "";
        if (!LIFETIMES.some(([offered]) => offered === days))
          throw new ServiceError("invalid_parameter", "Choose when the key expires.");
        const expiresAtMs = days === "" ? null : at + Number(days) * DAY_MS;
        return secretOf(await keys.create(userId, { name: fields.get("name") ?? "", expiresAtMs }, actor));
      }),
      asForm,
    )
    .post(
      ROUTES.renameKey.path,
      acting(async ({ userId, actor }, fields, id) => {
        await keys.rename(userId, id, fields.get("name") ?? "", actor);
        return null;
      }),
      asForm,
    )
    .post(
      ROUTES.rotateKey.path,
      acting(async ({ userId, actor }, fields, id) => {
        const overlap = fields.get("overlap") ?? "";
        if (!isOverlap(overlap))
          throw new ServiceError("invalid_parameter", "Choose how long the old key stays active.");
        return secretOf(await keys.rotate(userId, id, overlap, actor));
      }),
      asForm,
    )
    .post(
      ROUTES.revokeKey.path,
      acting(async ({ userId, actor }, _fields, id) => {
        await keys.revoke(userId, id, actor);
        return null;
      }),
      asForm,
    )
    .post(
      ROUTES.signOutEverywhere.path,
      acting(async ({ userId, actor }) => {
        await deps.sessions.endAll(userId, null, actor);
        return null;
      }),
      asForm,
    )
    .post(
      ROUTES.disconnect.path,
      acting(async ({ userId, actor }, _fields, id) => {
        await deps.connections.disconnect(userId, id, actor);
        return null;
      }),
      asForm,
    );
}

const SCRIPT_HEADERS = {
  "content-type": "text/javascript; charset=utf-8",
  "cache-control": "public, max-age=3600",
};

/** Somebody who does something to their own account. */
interface Self extends Person {
  actor: Actor;
}

interface SignedIn {
  person: Person;
  browserSession: BrowserSession;
}

function signedInOf(browserSession: BrowserSession): SignedIn | null {
  return browserSession.person === null ? null : { person: browserSession.person, browserSession };
}
