import type { Mail } from "./mailer.ts";

/** @param site where the account will be, as an origin */
export function invitation(to: string, site: string, link: string): Mail {
  return {
    to,
    subject: `Your invitation to ${new URL(site).host}`,
    text: `You are invited to ${site}.

Choose a password with this link. It works once, within a week:
${link}

If you did not expect this message, ignore it: nothing happens.
`,
  };
}

/** @param site where the account is, as an origin */
export function passwordReset(to: string, site: string, link: string): Mail {
  return {
    to,
    subject: `A new password for ${new URL(site).host}`,
    text: `Somebody asked for a new password for your account at ${site}.

Choose one with this link. It works once, within a day:
${link}

If it was not you, ignore this message: your password stays as it is.
`,
  };
}
