import { html } from "../../html.ts";
import { ROUTES } from "../../http/routes.ts";
import type { Person } from "../../http/session-cookies.ts";
import type { Act, Family, FormPage, Sent, Visit } from "../forms.ts";
import { show, showProblem } from "../show.ts";

/** A page for owners, and its actions. */
export type AdminPage = FormPage<Person>;
export type AdminAct = Act<Person>;
/** An owner's request for a page, and a form sent by one. */
export type OwnerVisit = Visit<Person>;
export type OwnerSent = Sent<Person>;

const TABS = [
  ["admin", "Users"],
  ["adminKeys", "Keys"],
  ["adminApps", "Connected apps"],
  ["adminDataset", "Dataset"],
  ["adminIngest", "Ingest"],
  ["adminHealth", "Health"],
  ["adminBackup", "Backup"],
  ["adminAudit", "Audit log"],
] as const;

/** The pages for owners: a session is always required, even on the server's own machine. */
export const ADMIN: Family<Person> = {
  enter({ request, context, viewer, session: { person } }) {
    if (person?.isOwner === true && request.method === "POST") context.allowMinutes();
    if (person === null || person.isOwner) return person;
    return showProblem(viewer, 403, "For owners only", "Only an owner of this server can open this page.");
  },
  frame(visit, { title }, main, status) {
    const { pathname } = visit.url;
    const tab = TABS.find(([name]) => ROUTES[name].path === pathname)?.[0] ?? "admin";
    const words = typeof title === "string" ? title : title(visit);
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
