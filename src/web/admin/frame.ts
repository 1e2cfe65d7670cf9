/** What every page for owners is made of: the frame with its tabs, the forms and what became of them. */
import type { MaybePromise } from "../../domain/maybe-promise.ts";
import type { Actor } from "../../accounts/audit.ts";
import { type Html, html, page } from "../../html.ts";
import { ROUTES } from "../../routes.ts";
import type { BrowserSession, Person } from "../../session-cookies.ts";

/** An owner who looks at a page. */
export interface Visit {
  request: Request;
  /** What was asked, query included. */
  url: URL;
  /** Of the server, for links that are passed on. */
  origin: string;
  owner: Person;
  browserSession: BrowserSession;
  /** What the path names; empty where it names nothing. */
  id: string;
  nowMs: number;
  /** As the audit log names them; of a form that was sent, with its number. */
  actor: Actor;
  /** A form of this page. @param act which of the page's acts it asks for */
  form(act: string, inside: Html, options?: FormOptions): Html;
}

/** What a form may have besides its button. */
export interface FormOptions {
  hidden?: Readonly<Record<string, string>>;
  /** Where it goes, when not to its own page. */
  action?: string;
  encoding?: "multipart/form-data";
}

/** An owner who sent a form of a page. */
export interface Sent extends Visit {
  fields: ReadonlyMap<string, string>;
}

/** What became of a form. */
export interface Outcome {
  /** In a sentence. */
  said: string;
  /** A one-time link, shown this once. */
  link?: string;
}

/** Something that a form of a page can ask for. */
export interface AdminAct {
  /** Asked once before it is done; absent where it is undone as easily. */
  ask?(sent: Sent): MaybePromise<{ question: string; button: string }>;
  /** Refuses with a `ServiceError` or an `OperatorError`, whose sentence is shown. */
  run(sent: Sent): Promise<Outcome> | Outcome;
}

/** A page for owners, and what its forms do. */
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

/** The page as text. @param note what stands above everything: an outcome, a refusal, a question */
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

/** What was done. */
export function outcomeNote({ said, link }: Outcome): Html {
  return html`<div class="note" role="status">
    <p>${said}</p>
    ${
      link !== undefined &&
      html`<p>Pass this one-time link on. It is shown only now:</p>
        <pre class="secret" id="link" tabindex="0">${link}</pre>`
    }
  </div>`;
}

/** Why nothing was done. */
export function refusalNote(message: string): Html {
  return html`<p class="error" role="alert">${message}</p>`;
}

/** The question before something that is not easily undone. */
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

/** A page's rows as a table that scrolls by itself; `empty` where there are none. */
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

/** The address of this page with other parameters. */
export function withParameters(
  { url }: Pick<Visit, "url">,
  changed: Readonly<Record<string, string>>,
): string {
  const search = new URLSearchParams(url.search);
  for (const [name, value] of Object.entries(changed)) search.set(name, value);
  return `${url.pathname}?${search}`;
}
