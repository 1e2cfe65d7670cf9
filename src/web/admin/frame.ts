import { ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import { ROUTES } from "../../http/routes.ts";
import type { Person } from "../../http/session-cookies.ts";
import { type Act, type Family, type FormPage, type Sent, type Visit, WrongPassword } from "../forms.ts";
import { passwordField } from "../fields.ts";
import { fileHeaders, show, showProblem } from "../show.ts";

/** A page for owners, and its actions. */
export type AdminPage = FormPage<Person>;
export type AdminAct = Act<Person>;
/** An owner's request for a page, and a form sent by one. */
export type OwnerVisit = Visit<Person>;
export type OwnerSent = Sent<Person>;

const TABS = [
  ["admin", "Users"],
  ["adminUsage", "Usage"],
  ["adminKeys", "Keys"],
  ["adminApps", "Connected apps"],
  ["adminDataset", "Dataset"],
  ["adminIngest", "Ingest"],
  ["adminHealth", "Health"],
  ["adminSettings", "Settings"],
  ["adminBackup", "Backup"],
  ["adminAudit", "Audit log"],
] as const;

export interface PasswordDeps {
  /** Whether it is this person's password. Refuses with `rate_limited` after too many failures. */
  confirmPassword(userId: string, password: string, address: string): Promise<boolean>;
  hasPassword(userId: string): Promise<boolean>;
}

/** How long after signing in an owner without a password, who comes by way of a provider, is trusted as with one. */
const FRESH_MS = 10 * 60_000;

/** Whether the owner signed in within the last ten minutes. */
export function signedInLately({ who, nowMs }: OwnerVisit): boolean {
  return nowMs - who.signedInAtMs <= FRESH_MS;
}

/** The field for the owner's own password, before what must not happen on an unattended screen. */
export async function passwordQuestion(deps: PasswordDeps, { who }: OwnerVisit): Promise<{ fields?: Html }> {
  return (await deps.hasPassword(who.userId)) ? { fields: passwordField("Your password") } : {};
}

/** Refuses with `forbidden` unless the form has the owner's password; of one without a password, after a recent sign-in. */
export async function requirePassword(deps: PasswordDeps, sent: OwnerSent): Promise<void> {
  const { userId } = sent.who;
  if (await deps.hasPassword(userId)) {
    const password = sent.fields.get("password") ?? "";
    if (!(await deps.confirmPassword(userId, password, sent.context.address))) throw new WrongPassword();
  } else if (!signedInLately(sent)) {
    const message = "You signed in more than ten minutes ago. Sign out and in again, then repeat this.";
    throw new ServiceError("forbidden", message);
  }
}

/** The pages for owners: a session is always required, even on the server's own machine. */
export const ADMIN: Family<Person> = {
  enter({ request, context, viewer, session: { person } }) {
    if (person?.isOwner === true && request.method === "POST") context.allowMinutes();
    if (person === null || person.isOwner) return person;
    return showProblem(viewer, 403, "For owners only", "Only an owner of this server can open this page.");
  },
  async frame(visit, { title }, main, status) {
    const { pathname } = visit.url;
    const tab = TABS.find(([name]) => ROUTES[name].path === pathname)?.[0] ?? "admin";
    const words = typeof title === "string" ? title : await title(visit);
    return show(
      visit.viewer,
      {
        title: `${words} · Admin`,
        section: ROUTES.admin.path,
        scripts: [ROUTES.accountScript.path],
        status,
        main: html`<nav class="tabs" aria-label="Admin">
            ${TABS.map(
              ([name, label]) =>
                html`<a href="${ROUTES[name].path}" ${name === tab && html` aria-current="page"`}
                  >${label}</a
                >`,
            )}
          </nav>
          <h1>${words}</h1>
          ${main}`,
      },
      { "cache-control": "no-store" },
    );
  },
};

/** Sends a CSV file to save, as fast as it is read. */
export function csvDownload(name: string, lines: AsyncIterable<string>): Response {
  return new Response(lines, { headers: fileHeaders("text/csv; charset=utf-8", name) });
}
