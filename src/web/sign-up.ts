import { Elysia } from "elysia";
import type { Joiner, Joining } from "../accounts/joining.ts";
import type { LinkKind } from "../accounts/links.ts";
import type { Visitor } from "../browser.ts";
import { html } from "../html.ts";
import {
  emailField,
  type EntryParts,
  formAnswer,
  enter,
  letIn,
  type Refused,
  noteAnswer,
  newPasswordField,
  readTransaction,
  refusalOf,
} from "./entry.ts";

const LINK_PAGES = {
  setup: {
    path: "/set-up",
    title: "Set up this server",
    button: "Make the owner's account",
    lead: "The account that you make here owns this server. The link works once.",
  },
  invite: {
    path: "/invite",
    title: "Accept the invitation",
    button: "Make the account",
    lead: "Choose a password for your account. The link works once.",
  },
  reset: {
    path: "/reset",
    title: "Choose a new password",
    button: "Set the password",
    lead: "Setting it signs every other browser out. The link works once.",
  },
} as const;

/** `/sign-up`, and the pages of one-time links: `/set-up`, `/invite`, `/reset`. */
export function signUp(parts: EntryParts) {
  const { callOf, browsers, accounts, signUpMode } = parts;
  const form = (visitor: Visitor, transaction: string | null, last: Refused | null = null) =>
    formAnswer(
      visitor,
      {
        title: "Make an account",
        fields: html`${emailField(last?.email ?? "")} ${newPasswordField()}`,
        button: "Make the account",
        action: "/sign-up",
        hidden: { transaction },
        problem: last?.problem ?? null,
        tail: html`<p>Have one? <a href="/sign-in">Sign in</a>.</p>`,
      },
      last?.status ?? 200,
      last?.headers ?? {},
    );

  return new Elysia({ name: "sign-up" })
    .use(linkPage(parts, "setup"))
    .use(linkPage(parts, "invite"))
    .use(linkPage(parts, "reset"))
    .get("/sign-up", ({ request }) => {
      if (signUpMode !== "open") return notOpen(signUpMode);
      const transaction = readTransaction(callOf(request).url.searchParams.get("transaction"));
      return form(browsers.visitor(request), transaction);
    })
    .post(
      "/sign-up",
      ({ request }) => {
        if (signUpMode !== "open") return notOpen(signUpMode);
        return enter(parts, request, form, ({ email, ...joiner }) => accounts.joining.signUp(email, joiner));
      },
      { parse: "none" },
    );
}

function linkPage(parts: EntryParts, kind: LinkKind) {
  const { callOf, browsers, accounts } = parts;
  const { path, title, button, lead } = LINK_PAGES[kind];
  const show = (visitor: Visitor, link: string, last: Refused | null = null) => {
    const found = accounts.links.find(link);
    if (found === undefined || found.kind !== kind) return linkOver();
    const fixed = found.email;
    return formAnswer(
      visitor,
      {
        title,
        lead: html`<p>${lead}</p>
          ${fixed !== null && html`<p>Account: <strong>${fixed}</strong></p>`}`,
        fields: html`${fixed === null && emailField(last?.email ?? "")} ${newPasswordField()}`,
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
    .get(path, ({ request }) =>
      show(browsers.visitor(request), callOf(request).url.searchParams.get("token") ?? ""),
    )
    .post(
      path,
      async ({ request }) => {
        const { site, address } = callOf(request);
        const visitor = browsers.visitor(request);
        let email = "";
        let link = "";
        try {
          const fields = await browsers.form(request, visitor);
          link = fields.get("token") ?? "";
          const found = accounts.links.find(link);
          if (found === undefined || found.kind !== kind) return linkOver();
          email = found.email ?? fields.get("email") ?? "";
          const password = fields.get("password") ?? "";
          const joiner = { password, address, previous: visitor.session };
          const opened = await useLink(accounts.joining, kind, link, email, joiner);
          return letIn(parts, request, visitor, opened, site.developer);
        } catch (refused) {
          const { message, status, headers } = refusalOf(refused);
          return show(visitor, link, { email, problem: message, status, headers });
        }
      },
      { parse: "none" },
    );
}

function useLink(joining: Joining, kind: LinkKind, link: string, email: string, joiner: Joiner) {
  switch (kind) {
    case "setup":
      return joining.setUp(link, email, joiner);
    case "invite":
      return joining.acceptInvite(link, joiner);
    case "reset":
      return joining.reset(link, joiner);
  }
}

function linkOver(): Response {
  return noteAnswer(
    "This link is over",
    html`<p>
        It was used before, has expired, or was not copied whole. Nothing was changed. Ask whoever runs this
        server for a new one.
      </p>
      <p><a href="/sign-in">Sign in</a></p>`,
    410,
  );
}

function notOpen(policy: "invite" | "closed"): Response {
  return noteAnswer(
    "No accounts are made here",
    html`<p>
        ${
          policy === "invite"
            ? "Accounts are made by invitation: ask whoever runs this server for a link."
            : "This server takes no new accounts: ask whoever runs it."
        }
      </p>
      <p><a href="/sign-in">Sign in</a></p>`,
    403,
  );
}
