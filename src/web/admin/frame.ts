import type { Dataset } from "../../dataset/dataset.ts";
import { BYTE_ORDER_MARK } from "../../operations/rows.ts";
import type { BackupCopy } from "../../jobs/backups.ts";
import type { DatasetAdmin } from "../../jobs/dataset.ts";
import type { IngestAdmin } from "../../jobs/ingest.ts";
import type { OperationDeps } from "../../operations/operation.ts";
import { forbidden, invalid, ServiceError } from "../../errors.ts";
import { type Html, html } from "../../lib/html.ts";
import { ROUTES } from "../../http/routes.ts";
import type { Person } from "../../http/session-cookies.ts";
import type { AccountDeps } from "../deps.ts";
import {
  type Act,
  type Family,
  type FormPage,
  refusalNote,
  type Sent,
  type FormVisit,
  WrongPassword,
} from "../forms.ts";
import { tabLinks } from "../account-tables.ts";
import { passwordField } from "../fields.ts";
import { fileHeaders, showAccount } from "../page-response.ts";
import { showProblem } from "../refusals.ts";

/** A page for owners, and its actions. */
export type AdminPage = FormPage<Person>;
export type AdminAct = Act<Person>;
/** An owner's request for a page, and a form sent by one. */
export type OwnerVisit = FormVisit<Person>;
export type OwnerSent = Sent<Person>;

const TABS = [
  ["admin", "Set up"],
  ["adminUsers", "Users"],
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
export interface AdminDeps extends AccountDeps {
  /** The dataset in use, and the embedded one. */
  snapshots: OperationDeps["snapshots"] & {
    /** Null if the installed dataset is the one being served, otherwise the reason it is not. */
    failure(): string | null;
    embedded(): Dataset["info"];
  };
  config: AccountDeps["config"] & {
    dataDir: string;
    contact: string;
    edgarWwwUrl: string;
    backupDir: string;
    backupEvery: number;
    backupKeep: number;
    store: string;
  };
  /** Null where no child process can be started, as the two below. */
  datasetAdmin: DatasetAdmin | null;
  copyStore: ((id: string) => Promise<BackupCopy>) | null;
  /** Runs the checks of `doctor` again. */
  examine: (() => Promise<boolean>) | null;
  ingestAdmin: IngestAdmin;
  /** Null if the writable store works, otherwise the reason. */
  storeFailure(): string | null;
  examined: { findings: readonly { check: string; status: string; message: string }[]; atMs: number | null };
  /** Why the last scheduled backup failed; null if it did not. */
  backups: { failure: string | null };
  version: string;
  /** Every setting in force, with secrets masked. */
  settings(): readonly ShownSetting[];
}

/** A setting in force. */
export interface ShownSetting {
  /** Without the dashes. */
  flag: string;
  value: unknown;
  origin: string;
  about: string;
}

/** What needs another process. Refuses with `unavailable` where none can be started. */
export function startable<Part>(part: Part | null): Part {
  if (part !== null) return part;
  throw new ServiceError("unavailable", "This server cannot start another process, which this needs.");
}

/** The id of a user. Refuses with `invalid_parameter` if there is none with that e-mail. */
export async function idOf({ users }: AdminDeps, email: string): Promise<string> {
  const user = await users.findByEmail(email);
  if (user !== undefined) return user.id;
  throw invalid(`No user ${email}.`);
}

/** A form, and below it what it selects; where its fields cannot be read, the reason. */
export async function filtered(form: Html, report: () => Promise<Html>): Promise<Html> {
  try {
    return html`${form} ${await report()}`;
  } catch (refused) {
    if (!(refused instanceof ServiceError) || refused.kind !== "invalid_parameter") throw refused;
    return html`${form} ${refusalNote(refused.message)}`;
  }
}

/** How long after signing in an owner without a password, who comes by way of a provider, is trusted as with one. */
const FRESH_MS = 10 * 60_000;

/** Whether the owner signed in within the last ten minutes. */
export function signedInLately({ who, nowMs }: OwnerVisit): boolean {
  return nowMs - who.signedInAtMs <= FRESH_MS;
}

/** Whether the owner has a password: one who comes by way of a provider may have none. */
export async function hasPassword({ users }: AdminDeps, { who }: OwnerVisit): Promise<boolean> {
  return (await users.findById(who.userId))?.hasPassword === true;
}

/** The field for the owner's own password, before what must not happen on an unattended screen. */
export async function passwordQuestion(deps: AdminDeps, visit: OwnerVisit): Promise<{ fields?: Html }> {
  return (await hasPassword(deps, visit)) ? { fields: passwordField("Your password") } : {};
}

/** Refuses with `forbidden` unless the form has the owner's password; of one without a password, after a recent sign-in. */
export async function requirePassword(deps: AdminDeps, sent: OwnerSent): Promise<void> {
  if (await hasPassword(deps, sent)) {
    const { who, context, given } = sent;
    if (!(await deps.signIns.confirmPassword(who.userId, given("password"), context.address)))
      throw new WrongPassword();
  } else if (!signedInLately(sent)) {
    throw forbidden("You signed in more than ten minutes ago. Sign out and in again, then repeat this.");
  }
}

/**
 * The pages for owners: a session is always required, even on the server's own machine.
 * @param needsSetUp whether something is left to set up, for the tab of that page
 */
export const adminFamily = (needsSetUp: () => Promise<boolean>): Family<Person> => ({
  isOwners: true,
  enter({ request, context, viewer, session: { person } }) {
    if (person?.isOwner === true && request.method === "POST") context.allowMinutes();
    if (person === null || person.isOwner) return person;
    return showProblem(viewer, 403, "For owners only", "Only an owner of this server can open this page.");
  },
  async frame({ viewer, url }, words, content, status) {
    const first = (await needsSetUp()) ? 0 : 1;
    const tabs = TABS.slice(first).map(([name, label]) => [ROUTES[name].path, label] as const);
    const tab = tabs.find(([path]) => path === url.pathname)?.[0] ?? ROUTES.adminUsers.path;
    const title = `${words} · Admin`;
    const main = html`${tabLinks("Admin", tabs, tab)}
      <h1>${words}</h1>
      ${content}`;
    return showAccount(viewer, { title, section: ROUTES.admin.path, main, status });
  },
});

/** Sends a CSV file to save, as fast as it is read. */
export function csvDownload(name: string, lines: AsyncIterable<string>): Response {
  async function* marked() {
    yield BYTE_ORDER_MARK;
    yield* lines;
  }
  return new Response(marked(), { headers: fileHeaders("text/csv; charset=utf-8", name) });
}
