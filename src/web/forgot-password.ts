import { Elysia } from "elysia";
import { normalizeEmail } from "../accounts/users.ts";
import type { SignInAttempt } from "../accounts/sign-in.ts";
import type { Throttle } from "../accounts/throttle.ts";
import { ServiceError } from "../errors.ts";
import { html } from "../html.ts";
import { ROUTES } from "../http/routes.ts";
import { type Outbox, passwordReset } from "../operate/mail.ts";
import { attemptOf, ENTRY, type EntryAccounts, type EntryDeps, type EntryPage } from "./entry.ts";
import { emailField, Forms, mount, narrowPage } from "./forms.ts";

export interface ForgotPasswordDeps extends EntryDeps {
  accounts: EntryAccounts & { throttle: Throttle };
  outbox: Outbox;
}

/**
 * `/forgot-password`: mails a link for a new password. The answer and its timing are the same whether or not the account
 * exists. Requests are limited per account and per address, as for sign-in.
 */
export function forgotPassword(deps: ForgotPasswordDeps) {
  const forms = new Forms(deps.forms, ENTRY);
  const page: EntryPage = {
    title: "Choose a new password",
    main: (visit) =>
      html`<p>We will e-mail you a link. It works once and expires after a day.</p>
        ${visit.form(
          "send",
          html`${emailField(visit.typed?.get("email") ?? "")} <button class="primary">Send link</button>`,
          { className: "stacked" },
        )}
        <p><a href="${ROUTES.signIn.path}">Sign in</a></p>`,
    acts: {
      send: {
        async run(sent) {
          const attempt = attemptOf(deps, sent);
          await ask(deps, normalizeEmail(attempt.email), attempt, sent.url.origin);
          return narrowPage(
            null,
            "Check your e-mail",
            html`<p>
                If <strong>${attempt.email}</strong> has an account with a password here, a link is on its
                way. It may take a few minutes to arrive.
              </p>
              <p>
                No e-mail? Check your spam folder, or ask the owner of this server for a link.
                <a href="${ROUTES.signIn.path}">Sign in</a>
              </p>`,
          );
        },
      },
    },
  };
  const app = new Elysia({ name: "forgot-password" });
  mount(app, "forgotPassword", forms.at(page));
  return app;
}

/** Refuses with `rate_limited`, also for unknown accounts; the mail is sent after the answer. */
async function ask(
  deps: ForgotPasswordDeps,
  to: string,
  { address, userAgent, device }: SignInAttempt,
  site: string,
): Promise<void> {
  const counted = await deps.accounts.throttle.begin(`reset ${to}`, address, device);
  if (!counted.allowed) {
    throw new ServiceError("rate_limited", "Too many password reset requests. Try again later.", {
      retryAfterSeconds: counted.retryAfterSeconds,
    });
  }
  void mailLink(deps, to, { address, userAgent }, site);
}

async function mailLink(
  { accounts, outbox }: ForgotPasswordDeps,
  to: string,
  browser: Pick<SignInAttempt, "address" | "userAgent">,
  site: string,
): Promise<void> {
  try {
    const secret = await accounts.signUps.requestReset(to, browser);
    if (secret === null) return;
    outbox.post("reset", passwordReset(to, site, `${site}${ROUTES.reset.path}?token=${secret}`));
  } catch {
    // Failures of the store are reported in the log and by /readyz.
  }
}
