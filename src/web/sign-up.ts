import { Elysia } from "elysia";
import type { LinkKind } from "../accounts/links.ts";
import { html } from "../html.ts";
import { redirectTo } from "../http/responses.ts";
import { ROUTES } from "../http/routes.ts";
import {
  type Anyone,
  attemptOf,
  carried,
  ENTRY,
  type EntryDeps,
  type EntryPage,
  NO_SIGN_UP,
  readTransaction,
  signInResponse,
} from "./entry.ts";
import { checkbox, emailField, newPasswordField } from "./fields.ts";
import { Forms, mount, narrowPage, type Sent } from "./forms.ts";
import { SIGNED_UP } from "./sign-in.ts";

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
export function signUp(deps: EntryDeps) {
  const forms = new Forms(deps.forms, ENTRY);
  const app = new Elysia({ name: "sign-up" });
  mount(app, "signUp", forms.at(signUpPage(deps)));
  for (const kind of ["setup", "invite", "reset"] as const)
    mount(app, LINK_PAGES[kind].route, forms.at(linkPage(deps, kind)));
  return app;
}

function signUpPage(deps: EntryDeps): EntryPage {
  const { accounts, signUpMode } = deps;
  return {
    title: "Create an account",
    main(visit) {
      if (signUpMode !== "open") return signUpClosed(signUpMode);
      const inside = html`${emailField(visit)} ${newPasswordField()}
        <button class="primary">Create account</button>`;
      const transaction = readTransaction(carried(visit, "transaction"));
      return html`${visit.form("sign_up", inside, { hidden: { transaction }, className: "stacked" })}
        <p>Already have an account? <a href="${ROUTES.signIn.path}">Sign in</a>.</p>`;
    },
    acts: {
      sign_up: async (sent) => {
        if (signUpMode !== "open") return signUpClosed(signUpMode);
        const attempt = attemptOf(deps, sent);
        await accounts.signUps.signUp(attempt.email, attempt.password, attempt);
        const transaction = readTransaction(sent.fields.get("transaction"));
        const waiting = transaction === null ? "" : `&transaction=${transaction}`;
        const location = `${sent.url.origin}${ROUTES.signIn.path}?${SIGNED_UP}${waiting}`;
        return redirectTo(location, sent.session.cookies);
      },
    },
  };
}

function linkPage(deps: EntryDeps, kind: LinkKind): EntryPage {
  const { links } = deps.accounts;
  const { title, button, lead, route } = LINK_PAGES[kind];
  return {
    title,
    async main(visit) {
      const token = carried(visit, "token") ?? "";
      const found = await links.find(token);
      if (found === undefined || found.kind !== kind) return expiredLink();
      const fixed = found.email;
      const inside = html`${fixed === null && emailField(visit)} ${newPasswordField()}
        ${kind === "reset" && REVOKE_KEYS} <button class="primary">${button}</button>`;
      return html`<p>${lead}</p>
        ${
          kind === "setup" &&
          deps.publicRankings === "off" &&
          html`<p class="soft">
            Visitors see a company's latest year; start the server with <code>--public-rankings on</code> to
            let them see rankings of that year too.
          </p>`
        }
        ${fixed !== null && html`<p>Account: <strong>${fixed}</strong></p>`}
        ${visit.form("use", inside, { hidden: { token }, action: ROUTES[route].path, className: "stacked" })}`;
    },
    acts: { use: (sent) => useLink(deps, kind, sent) },
  };
}

/** Checked by default: anyone who knew the old password could have created keys with it. */
const REVOKE_KEYS = checkbox("Also revoke all my API keys", { name: "revoke_keys", checked: true });

async function useLink(deps: EntryDeps, kind: LinkKind, sent: Sent<Anyone>): Promise<Response> {
  const { links, signUps } = deps.accounts;
  const { fields } = sent;
  const token = fields.get("token") ?? "";
  const found = await links.find(token);
  if (found === undefined || found.kind !== kind) return expiredLink();
  const newPassword = attemptOf(deps, sent);
  const uses = {
    setup: () => signUps.setUp(token, newPassword.email, newPassword),
    invite: () => signUps.acceptInvite(token, newPassword),
    reset: () => signUps.reset(token, newPassword, fields.has("revoke_keys") ? "revoke" : "keep"),
  };
  return signInResponse(deps.forms, sent, await uses[kind](), sent.url.origin + ROUTES.home.path);
}

function expiredLink(): Response {
  return narrowPage(
    null,
    "This link has expired",
    html`<p>
        It was already used, is too old or was not copied completely. Nothing was changed. Ask the owner of
        this server for a new one.
      </p>
      <p><a href="${ROUTES.signIn.path}">Sign in</a></p>`,
    410,
  );
}

function signUpClosed(policy: "invite" | "closed"): Response {
  return narrowPage(
    null,
    policy === "invite" ? "Registration is by invitation" : "Registration is closed",
    html`<p>${NO_SIGN_UP[policy]}</p>
      <p><a href="${ROUTES.signIn.path}">Sign in</a></p>`,
    403,
  );
}
