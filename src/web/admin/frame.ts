/** Shared by all admin pages: the frame with its tabs, the forms, and their results. */
import type { MaybePromise } from "../../domain/maybe-promise.ts";
import type { Actor } from "../../accounts/audit.ts";
import { type Html, html, page } from "../../html.ts";
import { ROUTES } from "../../http/routes.ts";
import type { BrowserSession, Person } from "../../http/session-cookies.ts";

/** A request of an owner for a page. */
export interface Visit {
  request: Request;
  /** The requested URL, with its query. */
  url: URL;
  /** The origin of the server, for links to share. */
  origin: string;
  owner: Person;
  browserSession: BrowserSession;
  /** The id in the path; empty if the route has none. */
  id: string;
  nowMs: number;
  /** The actor for the audit log; for a submitted form, with its number. */
  actor: Actor;
  /** Makes a form of this page. @param act name of the page's action */
  form(act: string, inside: Html, options?: FormOptions): Html;
}

/** Options of a form. */
export interface FormOptions {
  hidden?: Readonly<Record<string, string>>;
  /** Where it is sent, if not to its own page. */
  action?: string;
  encoding?: "multipart/form-data";
}

/** A form submitted by an owner. */
export interface Sent extends Visit {
  fields: ReadonlyMap<string, string>;
}

/** The result of a form. */
export interface Outcome {
  /** One sentence. */
  said: string;
  /** A one-time link, shown only once. */
  link?: string;
}

/** An action that a form can trigger. */
export interface AdminAct {
  /** The confirmation question; absent, or null, for what is easily undone. */
  ask?(sent: Sent): MaybePromise<{ question: string; button: string } | null>;
  /** Performs the action. Refuses with a `ServiceError` or an `OperatorError`, whose message is shown. */
  run(sent: Sent): Promise<Outcome> | Outcome;
}

/** An admin page and its actions. */
export interface AdminPage {
  title: string;
  tab: AdminTab;
  main(visit: Visit): MaybePromise<Html>;
  acts: Readonly<Record<string, AdminAct>>;
}

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

/** The route of a tab. */
export type AdminTab = (typeof TABS)[number][0];

/** The page as HTML. @param note shown above the content: a result, a refusal or a question */
export function adminFrame(
  { owner, browserSession }: Pick<Visit, "owner" | "browserSession">,
  { title, tab }: Pick<AdminPage, "title" | "tab">,
  note: Html | null,
  main: Html,
): string {
  return page({
    title: `${title} · Admin`,
    user: { ...owner, csrf: browserSession.csrf },
    search: true,
    section: ROUTES.admin.path,
    scripts: [ROUTES.adminScript.path],
    main: html`<nav class="tabs" aria-label="Admin">
        ${TABS.map(
          ([name, words]) =>
            html`<a href="${ROUTES[name].path}" ${name === tab && html` aria-current="page"`}>${words}</a>`,
        )}
      </nav>
      <h1>${title}</h1>
      ${note} ${main}`,
  });
}

/** The result of an action. */
export function outcomeNote({ said, link }: Outcome): Html {
  return html`<div class="note" role="status">
    <p>${said}</p>
    ${
      link !== undefined &&
      html`<p>Share this one-time link. It is shown only once:</p>
        <pre class="secret" id="link" tabindex="0">${link}</pre>`
    }
  </div>`;
}

/** The reason why an action was refused. */
export function refusalNote(message: string): Html {
  return html`<p class="error" role="alert">${message}</p>`;
}

/** The confirmation before an action that is not easily undone. */
export function questionNote(visit: Sent, { question, button }: { question: string; button: string }): Html {
  const carried = [...visit.fields].filter(([name]) => name !== "csrf" && name !== "act");
  return html`<div class="warning" role="alert" id="question">
    <p>${question}</p>
    ${visit.form(visit.fields.get("act") ?? "", html`<button class="danger">${button}</button>`, {
      hidden: { ...Object.fromEntries(carried), sure: "yes" },
    })}
    <p><a href="${visit.url.pathname}${visit.url.search}">Cancel</a></p>
  </div>`;
}

/** A page's rows as a table that scrolls on its own; the text `empty` if there are none. */
export function tableOf(
  caption: string,
  heads: readonly (string | { number: string })[],
  rows: readonly Html[],
  empty: string,
): Html {
  if (rows.length === 0) return html`<p>${empty}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head) =>
            typeof head === "string"
              ? html`<th scope="col">${head}</th>`
              : html`<th scope="col" class="number">${head.number}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** The address of this page with some parameters changed. */
export function withParameters(
  { url }: Pick<Visit, "url">,
  changed: Readonly<Record<string, string>>,
): string {
  const search = new URLSearchParams(url.search);
  for (const [name, value] of Object.entries(changed)) search.set(name, value);
  return `${url.pathname}?${search}`;
}
