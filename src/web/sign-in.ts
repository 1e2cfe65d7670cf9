import { Elysia } from "elysia";
import type { Visitor } from "../browser.ts";
import { html } from "../html.ts";
import {
  emailField,
  enter,
  type EntryParts,
  formAnswer,
  goTo,
  passwordField,
  readTransaction,
  type Refused,
  refusalOf,
  SINGLE_SIGN_ON,
} from "./entry.ts";

/** `/sign-in` and `/sign-out`. @see contract.md, "Sign-in, where scripts rely on it" */
export function signIn(parts: EntryParts) {
  const { callOf, browsers, accounts, signUpMode, providerName } = parts;
  const form = (visitor: Visitor, transaction: string | null, last: Refused | null = null) =>
    formAnswer(
      visitor,
      {
        title: "Sign in",
        lead: html`${
          transaction !== null &&
          html`<p class="note">An application waits to be connected. You decide on the next page.</p>`
        }`,
        fields: html`${emailField(last?.email ?? "")} ${passwordField()}`,
        button: "Sign in",
        action: "/sign-in",
        hidden: { transaction },
        problem: last?.problem ?? null,
        tail: html`${
          providerName !== null &&
          html`<p>
            <a class="button" href="${SINGLE_SIGN_ON}${transaction !== null && `?transaction=${transaction}`}"
              >Sign in with ${providerName}</a
            >
          </p>`
        }
        ${
          signUpMode === "open" &&
          html`<p>
            No account yet?
            <a href="/sign-up${transaction !== null && `?transaction=${transaction}`}">Make one</a>.
          </p>`
        }`,
      },
      last?.status ?? 200,
      last?.headers ?? {},
    );

  return new Elysia({ name: "sign-in" })
    .get("/sign-in", ({ request }) => {
      const transaction = readTransaction(callOf(request).url.searchParams.get("transaction"));
      return form(browsers.visitor(request), transaction);
    })
    .post("/sign-in", ({ request }) => enter(parts, request, form, (attempt) => accounts.signIn(attempt)), {
      parse: "none",
    })
    .post(
      "/sign-out",
      async ({ request }) => {
        const { site } = callOf(request);
        const visitor = browsers.visitor(request);
        try {
          const fields = await browsers.form(request, visitor);
          if (visitor.session !== null) await accounts.sessions.end(visitor.session);
          const transaction = readTransaction(fields.get("transaction"));
          const query = transaction === null ? "" : `?transaction=${transaction}`;
          return goTo(`${site.origin}/sign-in${query}`, [browsers.endCookie(request)]);
        } catch (refused) {
          const { message, status, headers } = refusalOf(refused);
          return form(visitor, null, { email: "", problem: message, status, headers });
        }
      },
      { parse: "none" },
    );
}
