import type { MaybePromise } from "../../domain/maybe-promise.ts";
import { ROUTES } from "../../http/routes.ts";
import { Elysia } from "elysia";
import type { Credits } from "../../accounts/credits.ts";
import type { Keys, NewKey } from "../../accounts/keys.ts";
import type { Sessions } from "../../accounts/sessions.ts";
import type { Runtime } from "../../runtime.ts";
import type { SessionCookies, Person, BrowserSession } from "../../http/session-cookies.ts";
import { BoundedCache } from "../../domain/cache.ts";
import { ServiceError } from "../../errors.ts";
import type { Connections } from "../../accounts/oauth/connections.ts";
import { type Html, html, page } from "../../html.ts";
import { pageResponse, SEARCH_PAGE_POLICY, redirectTo, withCookies } from "../../http/responses.ts";
import type { ContextOf } from "../../http/base-urls.ts";
import type { Actor } from "../../accounts/audit.ts";
import { actorOf } from "../actor.ts";
import { type FormRefusal, refusalOf } from "../entry.ts";
import { connectionsSection } from "./connections.ts";
import { balanceLine, CHART_DAYS, ENTRIES, type Prices, creditsSection, usageSection } from "./credits.ts";
import { LIFETIMES, freshKey, isOverlap, keysSection, revokeMain } from "./keys.ts";
import { quickStart } from "./quick-start.ts";
import { SCRIPT } from "./script.ts";
import { readTab, tabBar, tabPath } from "./tabs.ts";

const SCRIPT_PATH = ROUTES.developerScript.path;
const DAY_MS = 86_400_000;

/** Dependencies of the developer page. */
export interface DeveloperDeps {
  runtime: Pick<Runtime, "now" | "id">;
  contextOf: ContextOf;
  sessionCookies: SessionCookies;
  keys: Keys;
  /** The free credits of a first key (0 if already received), and whether requests are free. */
  creditsOf(userId: string): MaybePromise<{ freeCredits: number; unmetered: boolean }>;
  credits: Credits;
  sessions: Pick<Sessions, "endAll">;
  connections: Pick<Connections, "list" | "disconnect">;
  prices: Prices;
  /** How a person gets more credits, in the operator's words. */
  creditsNote: string;
}

/** `{site_url}/developer`: where people create and revoke keys, see their credits and connect clients. */
// oxlint-disable-next-line max-lines-per-function -- its routes share the page and the forms that were sent
export function developer(deps: DeveloperDeps) {
  const { runtime, contextOf, sessionCookies, keys } = deps;
  // A form sent twice (reload, double click) creates one key: its number is remembered for a while.
  const sent = new BoundedCache<string, { at: number }>(10_000);

  /** The content of the requested tab; right after a key is created, the key and every example filled in with it. */
  const tabOf = async (
    request: Request,
    { person, browserSession }: SignedIn,
    fresh: string | null,
  ): Promise<Html> => {
    const { baseUrls, url } = contextOf(request);
    const { userId } = person;
    const { csrf } = browserSession;
    if (fresh !== null) return html`${freshKey(fresh)} ${quickStart(baseUrls, fresh)}`;
    const tab = readTab(url.searchParams);
    const nowMs = runtime.now();
    const summary = await deps.credits.summary(userId);
    const { freeCredits, unmetered } = await deps.creditsOf(userId);
    const around = (section: Html) =>
      html`${balanceLine({ ...summary, unmetered: summary.unmetered || unmetered })} ${tabBar(tab)} ${section}`;
    switch (tab) {
      case "keys": {
        const form = { csrf, once: runtime.id(), nowMs, freeCredits };
        return around(html`${keysSection(await keys.list(userId), form)} ${signOutEverywhere(csrf)}`);
      }
      case "quick-start":
        return around(quickStart(baseUrls, null));
      case "usage": {
        const from = Number(url.searchParams.get("from") ?? Number.NaN);
        const range = { limit: ENTRIES, ...(Number.isInteger(from) ? { from } : {}) };
        const byDay = await deps.credits.chargedByDay(userId, nowMs - CHART_DAYS * DAY_MS);
        return around(
          html`${creditsSection(summary, deps.prices, { note: deps.creditsNote, freeCredits })}
          ${usageSection(byDay, await deps.credits.entries(userId, range), nowMs)}`,
        );
      }
      case "apps":
        return around(connectionsSection(await deps.connections.list(userId), csrf));
    }
  };

  const show = async (
    request: Request,
    signedIn: SignedIn,
    fresh: string | null,
    refused: FormRefusal | null,
  ) => {
    const main = html`<h1>Developer</h1>
      ${refused !== null && html`<p class="error" role="alert">${refused.message}</p>`}
      ${await tabOf(request, signedIn, fresh)}`;
    const answer = frame(signedIn, main, refused?.status ?? 200);
    for (const [name, value] of Object.entries(refused?.headers ?? {})) answer.headers.set(name, value);
    return answer;
  };

  /** Runs a form's action: shows the fresh secret it returns, or redirects to the page when it returns null. */
  const acting =
    (
      act: (person: Self, fields: ReadonlyMap<string, string>, id: string) => Promise<string | null>,
      back: string = ROUTES.developer.path,
    ) =>
    async ({ request, params }: { request: Request; params?: { id?: string } }) => {
      const signedIn = signedInOf(await sessionCookies.browserSession(request));
      if (signedIn === null) return toSignIn(request);
      try {
        const fields = await sessionCookies.form(request, signedIn.browserSession);
        const actor = actorOf(request, contextOf(request), signedIn.person);
        const fresh = await act({ ...signedIn.person, actor }, fields, params?.id ?? "");
        return fresh === null
          ? redirectTo(contextOf(request).baseUrls.origin + back, [])
          : await show(request, signedIn, fresh, null);
      } catch (refused) {
        return show(request, signedIn, null, refusalOf(refused));
      }
    };

  const toSignIn = (request: Request) => redirectTo(`${contextOf(request).baseUrls.origin}/sign-in`, []);
  const secretOf = ({ secret }: NewKey) => secret;
  const asForm = { parse: "none" } as const;

  return new Elysia({ name: "developer" })
    .get(SCRIPT_PATH, () => new Response(SCRIPT, { headers: SCRIPT_HEADERS }))
    .get(ROUTES.developer.path, async ({ request }) => {
      const signedIn = signedInOf(await sessionCookies.browserSession(request));
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
    .get(ROUTES.revokeKey.path, async ({ request, params: { id } }) => {
      const signedIn = signedInOf(await sessionCookies.browserSession(request));
      if (signedIn === null) return toSignIn(request);
      const key = (await keys.list(signedIn.person.userId)).find((one) => one.id === id);
      if (key === undefined) return redirectTo(contextOf(request).baseUrls.developer, []);
      return frame(signedIn, revokeMain(key, signedIn.browserSession.csrf), 200);
    })
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
      }, tabPath("apps")),
      asForm,
    );
}

const SCRIPT_HEADERS = {
  "content-type": "text/javascript; charset=utf-8",
  "cache-control": "public, max-age=3600",
};

/** A developer page in the site's frame. */
function frame({ person, browserSession }: SignedIn, main: Html, status: number): Response {
  const { csrf, cookies } = browserSession;
  const text = page({
    title: "Developer",
    user: { ...person, csrf },
    search: true,
    section: ROUTES.developer.path,
    scripts: [SCRIPT_PATH],
    main,
  });
  const headers = { "content-security-policy": SEARCH_PAGE_POLICY };
  return withCookies(pageResponse(text, status, headers), cookies);
}

function signOutEverywhere(csrf: string): Html {
  return html`<form class="after" method="post" action="/developer/sign-out-everywhere">
    <input type="hidden" name="csrf" value="${csrf}" />
    <button class="quiet">Sign out everywhere</button>
  </form>`;
}

/** A person acting on their own account. */
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
