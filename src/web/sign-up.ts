import { ROUTES } from "../http/routes.ts";
import { Elysia } from "elysia";
import type { NewPassword, SignUp } from "../accounts/sign-up.ts";
import type { LinkKind } from "../accounts/links.ts";
import type { BrowserSession } from "../http/session-cookies.ts";
import { html } from "../html.ts";
import { redirectTo } from "../http/responses.ts";
import {
  emailField,
  type EntryDeps,
  formResponse,
  submitForm,
  signInResponse,
  type FailedForm,
  messageResponse,
  newPasswordField,
  NO_SIGN_UP,
  readTransaction,
  refusalOf,
  SIGNED_UP,
} from "./entry.ts";

const LINK_PAGES = {
  setup: {
    path: ROUTES.setUp.path,
    title: "Set up this server",
    button: "Create the owner account",
    lead: "This account will own the server. The link works once.",
  },
  invite: {
    path: ROUTES.invite.path,
    title: "Accept the invitation",
    button: "Create account",
    lead: "Choose a password for your account. The link works once.",
  },
  reset: {
    path: ROUTES.reset.path,
    title: "Choose a new password",
    button: "Set password",
    lead: "This signs out all other browsers. The link works once.",
  },
} as const;

/** `/sign-up`, and the pages of one-time links: `/set-up`, `/invite`, `/reset`. */
export function signUp(deps: EntryDeps) {
  const { contextOf, sessionCookies, accounts, signUpMode } = deps;
  const form = (browserSession: BrowserSession, transaction: string | null, last: FailedForm | null = null) =>
    formResponse(
      browserSession,
      {
        title: "Create an account",
        fields: html`${emailField(last?.email ?? "")} ${newPasswordField()}`,
        button: "Create account",
        action: ROUTES.signUp.path,
        hidden: { transaction },
        problem: last?.problem ?? null,
        tail: html`<p>Already have an account? <a href="/sign-in">Sign in</a>.</p>`,
      },
      last?.status ?? 200,
      last?.headers ?? {},
    );

  return new Elysia({ name: "sign-up" })
    .use(linkPage(deps, "setup"))
    .use(linkPage(deps, "invite"))
    .use(linkPage(deps, "reset"))
    .get(ROUTES.signUp.path, async ({ request }) => {
      if (signUpMode !== "open") return signUpClosed(signUpMode);
      const transaction = readTransaction(contextOf(request).url.searchParams.get("transaction"));
      return form(await sessionCookies.browserSession(request), transaction);
    })
    .post(
      ROUTES.signUp.path,
      ({ request }) => {
        if (signUpMode !== "open") return signUpClosed(signUpMode);
        return submitForm(deps, request, form, async ({ attempt, browserSession, transaction }) => {
          await accounts.signUps.signUp(attempt.email, attempt.password, attempt);
          const waiting = transaction === null ? "" : `&transaction=${transaction}`;
          const { origin } = contextOf(request).baseUrls;
          return redirectTo(`${origin}/sign-in?${SIGNED_UP}${waiting}`, browserSession.cookies);
        });
      },
      { parse: "none" },
    );
}

function linkPage(deps: EntryDeps, kind: LinkKind) {
  const { contextOf, sessionCookies, accounts } = deps;
  const { path, title, button, lead } = LINK_PAGES[kind];
  const show = async (browserSession: BrowserSession, link: string, last: FailedForm | null = null) => {
    const found = await accounts.links.find(link);
    if (found === undefined || found.kind !== kind) return expiredLink();
    const fixed = found.email;
    return formResponse(
      browserSession,
      {
        title,
        lead: html`<p>${lead}</p>
          ${fixed !== null && html`<p>Account: <strong>${fixed}</strong></p>`}`,
        fields: html`${fixed === null && emailField(last?.email ?? "")} ${newPasswordField()}
        ${kind === "reset" && revokeKeysField()}`,
        button,
        action: path,
        hidden: { token: link },
        problem: last?.problem ?? null,
      },
      last?.status ?? 200,
      last?.headers ?? {},
    );
  };

  return new Elysia({ name: kind })
    .get(path, async ({ request }) =>
      show(
        await sessionCookies.browserSession(request),
        contextOf(request).url.searchParams.get("token") ?? "",
      ),
    )
    .post(
      path,
      async ({ request }) => {
        const { baseUrls, address } = contextOf(request);
        const browserSession = await sessionCookies.browserSession(request);
        let email = "";
        let link = "";
        try {
          const fields = await sessionCookies.form(request, browserSession);
          link = fields.get("token") ?? "";
          const found = await accounts.links.find(link);
          if (found === undefined || found.kind !== kind) return expiredLink();
          email = found.email ?? fields.get("email") ?? "";
          const password = fields.get("password") ?? "";
          const userAgent = request.headers.get("user-agent");
          const newPassword = { password, address, userAgent, previous: browserSession.session };
          const keys = fields.has("revoke_keys") ? "revoke" : "keep";
          const opened = await useLink(accounts.signUps, kind, link, email, newPassword, keys);
          return signInResponse(deps, request, browserSession, opened, baseUrls.developer);
        } catch (refused) {
          const { message, status, headers } = refusalOf(refused);
          return show(browserSession, link, { email, problem: message, status, headers, next: null });
        }
      },
      { parse: "none" },
    );
}

/** Checked by default: anyone who knew the old password could have created keys with it. */
function revokeKeysField() {
  return html`<label class="choice"
    ><input type="checkbox" name="revoke_keys" checked /> Also revoke all my API keys</label
  >`;
}

function useLink(
  signUps: SignUp,
  kind: LinkKind,
  link: string,
  email: string,
  newPassword: NewPassword,
  keys: "revoke" | "keep",
) {
  switch (kind) {
    case "setup":
      return signUps.setUp(link, email, newPassword);
    case "invite":
      return signUps.acceptInvite(link, newPassword);
    case "reset":
      return signUps.reset(link, newPassword, keys);
  }
}

function expiredLink(): Response {
  return messageResponse(
    "This link has expired",
    html`<p>
        It was already used, is too old or was not copied completely. Nothing was changed. Ask the owner of
        this server for a new one.
      </p>
      <p><a href="/sign-in">Sign in</a></p>`,
    410,
  );
}

function signUpClosed(policy: "invite" | "closed"): Response {
  return messageResponse(
    policy === "invite" ? "Registration is by invitation" : "Registration is closed",
    html`<p>${NO_SIGN_UP[policy]}</p>
      <p><a href="/sign-in">Sign in</a></p>`,
    403,
  );
}
