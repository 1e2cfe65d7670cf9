/** `/sign-up`, and the pages of one-time links: `/set-up`, `/invite`, `/reset`. */
import type { LinkKind } from "../../accounts/links.ts";
import { html } from "../../lib/html.ts";
import { redirectTo } from "../../http/html-responses.ts";
import { ROUTES } from "../../http/routes.ts";
import { checkbox, emailField, newPasswordField } from "../fields.ts";
import type { Sent } from "../forms.ts";
import type { AccountDeps } from "../deps.ts";
import { NO_SIGN_UP } from "../paywall.ts";
import {
  type Anyone,
  type EntryPage,
  carried,
  readTransaction,
  attemptOf,
  signInResponse,
  SIGNED_UP,
  noEntry,
} from "../entry-pages.ts";

const LINK_PAGES = {
  setup: {
    route: "setUp",
    title: "Set up this server",
    button: "Create the owner account",
    lead: "This account will own the server. The link works once.",
  },
  invite: {
    route: "invite",
    title: "Accept the invitation",
    button: "Create account",
    lead: "Choose a password for your account. The link works once.",
  },
  reset: {
    route: "reset",
    title: "Choose a new password",
    button: "Set password",
    lead: "This signs out all other browsers. The link works once.",
  },
} as const;

/** `/sign-up`, and the pages of one-time links: `/set-up`, `/invite`, `/reset`. */
export function signUpPages(deps: AccountDeps) {
  return {
    signUp: signUpPage(deps),
    setUp: linkPage(deps, "setup"),
    invite: linkPage(deps, "invite"),
    reset: linkPage(deps, "reset"),
  };
}

function signUpPage(deps: AccountDeps): EntryPage {
  const { signUp } = deps.config;
  return {
    title: "Create an account",
    main(visit) {
      if (signUp !== "open") return signUpClosed(signUp);
      const inside = html`${emailField(visit)} ${newPasswordField()}
        <button class="primary">Create account</button>`;
      const transaction = readTransaction(carried(visit, "transaction"));
      return html`${visit.form("sign_up", inside, { hidden: { transaction }, className: "stacked" })}
        <p>Already have an account? <a href="${ROUTES.signIn.path}">Sign in</a>.</p>`;
    },
    acts: {
      sign_up: async (sent) => {
        if (signUp !== "open") return signUpClosed(signUp);
        const attempt = attemptOf(deps, sent);
        await deps.signUps.signUp(attempt.email, attempt.password, attempt);
        const transaction = readTransaction(sent.given("transaction"));
        const waiting = transaction === null ? "" : `&transaction=${transaction}`;
        const location = `${sent.url.origin}${ROUTES.signIn.path}?${SIGNED_UP}${waiting}`;
        return redirectTo(location, sent.session.cookies);
      },
    },
  };
}

const VISITORS = html`<p class="soft">
  Visitors see a company's latest year; start the server with <code>--public-rankings on</code> to let them
  see rankings of that year too.
</p>`;

function linkPage(deps: AccountDeps, kind: LinkKind): EntryPage {
  const { links, config } = deps;
  const { title, button, lead, route } = LINK_PAGES[kind];
  return {
    title,
    async main(visit) {
      const token = carried(visit, "token") ?? "";
      const found = await links.find(token);
      if (found === undefined || found.kind !== kind) return expiredLink(kind);
      const fixed = found.email;
      const inside = html`${fixed === null && emailField(visit)} ${newPasswordField()}
        ${kind === "reset" && REVOKE_KEYS} <button class="primary">${button}</button>`;
      return html`<p>${lead}</p>
        ${kind === "setup" && config.publicRankings === "off" && VISITORS}
        ${fixed !== null && html`<p>Account: <strong>${fixed}</strong></p>`}
        ${visit.form("use", inside, { hidden: { token }, action: ROUTES[route].path, className: "stacked" })}`;
    },
    acts: { use: (sent) => useLink(deps, kind, sent) },
  };
}

/** Checked by default: anyone who knew the old password could have created keys with it. */
const REVOKE_KEYS = checkbox("Also revoke all my API keys", { name: "revoke_keys", checked: true });

async function useLink(deps: AccountDeps, kind: LinkKind, sent: Sent<Anyone>): Promise<Response> {
  const { links, signUps } = deps;
  const { fields, given } = sent;
  const token = given("token");
  const found = await links.find(token);
  if (found === undefined || found.kind !== kind) return expiredLink(kind);
  const newPassword = attemptOf(deps, sent);
  const uses = {
    setup: () => signUps.setUp(token, newPassword.email, newPassword),
    invite: () => signUps.acceptInvite(token, newPassword),
    reset: () => signUps.reset(token, newPassword, fields.has("revoke_keys") ? "revoke" : "keep"),
  };
  // Who has just set up a server has things to set and to load.
  const next = kind === "setup" ? ROUTES.admin.path : ROUTES.home.path;
  return signInResponse(deps.forms, sent, await uses[kind](), sent.url.origin + next);
}

function expiredLink(kind: LinkKind): Response {
  const next =
    kind === "setup"
      ? "While this server has no owner, it prints a new one when it starts."
      : "Ask the owner of this server for a new one.";
  const text = html`It was already used, is too old or was not copied completely. Nothing was changed. ${next}`;
  return noEntry("This link has expired", text, 410);
}

function signUpClosed(policy: "invite" | "closed"): Response {
  const title = policy === "invite" ? "Registration is by invitation" : "Registration is closed";
  return noEntry(title, html`${NO_SIGN_UP[policy]}`, 403);
}
