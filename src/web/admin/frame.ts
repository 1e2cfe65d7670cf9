import type { AuditLog } from "../../accounts/audit.ts";
import type { Credits } from "../../accounts/credits.ts";
import type { Keys } from "../../accounts/keys.ts";
import type { Links } from "../../accounts/links.ts";
import type { Connections } from "../../accounts/oauth/grants.ts";
import type { SignUpMode } from "../../accounts/sign-in.ts";
import type { SignUp } from "../../accounts/sign-up.ts";
import type { Users } from "../../accounts/users.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import type { BackupCopy } from "../../operate/backups.ts";
import type { DatasetAdmin } from "../../operate/dataset.ts";
import type { IngestAdmin } from "../../operate/ingest.ts";
import type { Outbox } from "../../operate/mail.ts";
import type { OperationDeps } from "../../operations/operation.ts";
import { ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import { ROUTES } from "../../http/routes.ts";
import type { Person } from "../../http/session-cookies.ts";
import {
  type Act,
  type FormDeps,
  type Family,
  type FormPage,
  type Sent,
  type Visit,
  WrongPassword,
} from "../forms.ts";
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

/** What the owners' pages need. */
export interface AdminDeps {
  forms: FormDeps;
  users: Users;
  keys: Keys;
  credits: Credits;
  links: Links;
  signUps: SignUp;
  connections: Connections;
  audit: AuditLog;
  /** Whether it is this person's password. Refuses with `rate_limited` after too many failures. */
  confirmPassword(userId: string, password: string, address: string): Promise<boolean>;
  hasPassword(userId: string): Promise<boolean>;
  signUpMode: SignUpMode;
  /** Null where no mail server is configured. */
  outbox: Outbox | null;
  /** The dataset in use, and the embedded one. */
  snapshots: OperationDeps["snapshots"] & {
    /** Null if the installed dataset is the one being served, otherwise the reason it is not. */
    failure(): string | null;
    embedded(): Dataset["info"];
  };
  dataDir: string;
  /** Null where no child process can be started, as the two below. */
  datasetAdmin: DatasetAdmin | null;
  copyStore: ((id: string) => Promise<BackupCopy>) | null;
  /** Runs the checks of `doctor` again. */
  examine: (() => Promise<boolean>) | null;
  ingestAdmin: IngestAdmin;
  backups: { backupDir: string; backupEvery: number; backupKeep: number; store: string };
  /** Null if the writable store works, otherwise the reason. */
  storeFailure(): string | null;
  examined: { findings: readonly { check: string; status: string; message: string }[]; atMs: number | null };
  version: string;
  /** Every setting in force, with secrets masked. */
  settings(): readonly ShownSetting[];
  /** Reads the sign-in provider's metadata and keys; null without a provider. Returns a sentence about it. */
  testProvider: (() => Promise<string>) | null;
}

/** A setting in force. */
export interface ShownSetting {
  /** Without the dashes. */
  flag: string;
  value: unknown;
  origin: string;
  about: string;
}

/** How long after signing in an owner without a password, who comes by way of a provider, is trusted as with one. */
const FRESH_MS = 10 * 60_000;

/** Whether the owner signed in within the last ten minutes. */
export function signedInLately({ who, nowMs }: OwnerVisit): boolean {
  return nowMs - who.signedInAtMs <= FRESH_MS;
}

/** The field for the owner's own password, before what must not happen on an unattended screen. */
export async function passwordQuestion(deps: AdminDeps, { who }: OwnerVisit): Promise<{ fields?: Html }> {
  return (await deps.hasPassword(who.userId)) ? { fields: passwordField("Your password") } : {};
}

/** Refuses with `forbidden` unless the form has the owner's password; of one without a password, after a recent sign-in. */
export async function requirePassword(deps: AdminDeps, sent: OwnerSent): Promise<void> {
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
