import type { Mail } from "./mailer.ts";

/** The invitation to create an account. @param site origin of the server */
export function invitation(to: string, site: string, link: string): Mail {
  return {
    to,
    subject: `Your invitation to ${new URL(site).host}`,
    text: `You are invited to ${site}.

Choose a password with this link. It works once, within a week:
${link}

If you did not expect this message, you can ignore it.
`,
  };
}

/** The link to set a new password. @param site origin of the server */
export function passwordReset(to: string, site: string, link: string): Mail {
  return {
    to,
    subject: `A new password for ${new URL(site).host}`,
    text: `Someone requested a new password for your account at ${site}.

Choose one with this link. It works once, within a day:
${link}

If this was not you, ignore this message: your password stays the same.
`,
  };
}
