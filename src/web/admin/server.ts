import { messageOf, OperatorError, ServiceError } from "../../errors.ts";
import { type Html, html } from "../../lib/html.ts";
import { factsOf, section, tableOf, time } from "../account-tables.ts";
import {
  hasPassword,
  type AdminDeps,
  type AdminPage,
  type ShownSetting,
  type OwnerSent,
  type OwnerVisit,
  requirePassword,
  signedInLately,
  startable,
} from "./frame.ts";
import { testMail } from "../../jobs/mail.ts";
import type { BackupCopy } from "../../jobs/backups.ts";
import { ROUTES } from "../../http/routes.ts";
import { passwordField } from "../fields.ts";
import { fileHeaders } from "../page-response.ts";
import { callbackOf, checkProvider } from "../pages/single-sign-on.ts";

/** Results older than this are replaced when the page is opened. */
const FRESH_MS = 10_000;
/** How long the page waits for the checks, which read the whole store; the script shows later results. */
const PATIENCE_MS = 3000;

const NO_CHECKS = "The checks have not finished since the server started.";

/** `/admin/health`: the results of `/readyz` and `doctor`. The checks run when the page is opened. */
export function healthPage(deps: AdminDeps): AdminPage {
  let running: Promise<boolean> | null = null;
  const check = (): Promise<boolean> => {
    running ??= (deps.examine?.() ?? Promise.resolve(false)).finally(() => void (running = null));
    return running;
  };
  return {
    title: "Health",
    async main(visit) {
      const last = deps.examined.atMs;
      if (deps.examine !== null && (last === null || visit.nowMs - last > FRESH_MS || visit.nowMs < last))
        await Promise.race([check(), Bun.sleep(PATIENCE_MS)]);
      const failures = [deps.storeFailure(), deps.snapshots.failure()].filter((failure) => failure !== null);
      const { findings, atMs } = deps.examined;
      const { user, system } = process.cpuUsage();
      return html`${
          failures.length === 0
            ? html`<p class="figure"><strong>Ready</strong></p>`
            : failures.map((failure) => html`<p class="error" role="alert">${failure}</p>`)
        }
        ${factsOf([
          ["Version", deps.version],
          ["Uptime", duration(process.uptime())],
          ["Memory", `${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`],
          ["CPU time", `${((user + system) / 1e6).toFixed(1)} s`],
        ])}
        <section id="doctor" aria-labelledby="checks" ${running !== null && html`data-live`}>
          <h2 id="checks">Checks</h2>
          ${running !== null && html`<p role="status">The checks are running. Their results appear here.</p>`}
          ${atMs !== null && html`<p>Last run ${time(atMs)}; also every hour.</p>`}
          ${tableOf("Checks of execcomp doctor", findings, running === null ? NO_CHECKS : "", [
            ["Check", ({ check }) => check],
            [
              "Status",
              ({ status }) => (status === "broken" ? html`<strong class="error">broken</strong>` : status),
            ],
            ["Result", ({ message }) => message],
          ])}
          ${deps.examine !== null && visit.form("examine", html`<button>Run checks now</button>`)}
        </section>`;
    },
    acts: {
      examine: async () => {
        if (await check()) return { note: "The checks were run just now." };
        throw new ServiceError(
          "unavailable",
          "The checks could not be run. See the log, or run execcomp doctor.",
        );
      },
    },
  };
}

/** `30 minutes`, `24 hours` */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.floor(seconds)} seconds`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} minutes`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} hours`;
  return `${Math.floor(seconds / 86_400)} days`;
}

/** `/admin/settings`: the settings as they are in force, and trying what they lead to. They are changed where they are set. */
export function settingsPage(deps: AdminDeps): AdminPage {
  const { settings, outbox, provider } = deps;
  return {
    title: "Settings",
    main(visit) {
      const { own, usual } = Object.groupBy(settings(), ({ origin }) =>
        origin === "default" ? "usual" : "own",
      );
      return html`<p>
          These settings are in force. To change one, start the server with another flag, environment variable
          or line in its configuration file.
        </p>
        ${section(
          "tests",
          "Try them",
          html`<div class="row actions">
              ${outbox === null ? notSet(deps, "E-mail", NO_MAIL) : visit.form("mail", html`<button>Send a test mail to ${visit.who.email}</button>`)}
              ${provider === null ? notSet(deps, "Sign-in through a provider", NO_PROVIDER) : visit.form("provider", html`<button>Test the sign-in provider</button>`)}
            </div>
            <p>
              Redirect address of this server, to register with a provider (OpenID Connect):
              <code class="whole" id="redirect-address">${callbackOf(visit.context.baseUrls)}</code>
            </p>`,
        )}
        ${settingsTable("Set by you", own ?? [], "Every setting has its default.")}
        ${settingsTable("Defaults", usual ?? [], "")}`;
    },
    acts: settingTests(deps),
  };
}

/** What tries the settings that lead to other machines. */
export function settingTests({ outbox, provider, runtime, audit }: AdminDeps): AdminPage["acts"] {
  return {
    mail: async ({ who, actor, url }) => {
      if (outbox === null) throw new ServiceError("unavailable", "No mail server is configured.");
      await audit.record(actor, { act: "mail_tested", subject: who.email });
      try {
        await outbox.send(testMail(who.email, url.origin));
      } catch (error) {
        throw new OperatorError(`The mail server did not accept the message: ${messageOf(error)}`);
      }
      return { note: `The mail server accepted a message to ${who.email}. Check that mailbox.` };
    },
    provider: async ({ context }) => {
      if (provider === null) throw new ServiceError("unavailable", "No provider is configured.");
      return { note: await checkProvider(runtime, provider, context.baseUrls) };
    },
  };
}

/** What has to be set, or is of no use. */
function notSet({ ingestAdmin }: AdminDeps, what: string, settings: Html): Html {
  return html`<p class="soft">
    ${what} is off: ${ingestAdmin.offline ? html`<code>--offline</code> is set.` : settings}
  </p>`;
}

const NO_MAIL = html`set <code>--smtp-url</code> and <code>--mail-from</code> to send invitations and password
  resets.`;
const NO_PROVIDER = html`set <code>--sso-issuer</code> and <code>--sso-client-id</code>.`;

function settingsTable(caption: string, settings: readonly ShownSetting[], empty: string): Html {
  return tableOf(caption, settings, empty, [
    ["Setting", ({ flag }) => html`<code class="whole">--${flag}</code>`],
    ["Value", ({ value }) => valueText(value)],
    ["From", ({ origin }) => origin],
    ["What it does", ({ about }) => about],
  ]);
}

function valueText(value: unknown): string {
  if (value === null || value === "") return "–";
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.join(", ");
  return typeof value === "boolean" ? (value ? "on" : "off") : String(value);
}

/** `/admin/backup`: download the accounts as a file. */
export function backupPage(deps: AdminDeps): AdminPage {
  return {
    title: "Backup",
    async main(visit) {
      const { backupDir, backupEvery, backupKeep, store } = deps.config;
      if (store !== "") {
        return html`<p>
          The accounts are stored in PostgreSQL. Use its own tools:
          <code>pg_dump --format=custom</code> makes a consistent copy, <code>pg_restore</code> restores it.
        </p>`;
      }
      const scheduled = `The server saves a backup in ${backupDir} every ${duration(backupEvery / 1000)} and keeps the last ${backupKeep}.`;
      return html`<p>
          The file contains users, keys (as hashes), credits with their ledger, connected apps and the audit
          log, as of one moment. Store it as securely as passwords.
          <code>execcomp restore FILE</code> restores it.
        </p>
        ${deps.copyStore === null ? html`<p class="note">This server cannot start another process.</p>` : await form(deps, visit)}
        <h2>Scheduled backups</h2>
        ${deps.backups.failure !== null && html`<p class="note">The last one failed. ${deps.backups.failure}</p>`}
        <p>${backupDir === "" ? NO_BACKUPS : scheduled}</p>`;
    },
    acts: {},
  };
}

const NO_BACKUPS = html`Scheduled backups are off. To turn them on, start the server with
  <code>--backup-dir DIR</code>.`;

async function form(deps: AdminDeps, visit: OwnerVisit): Promise<Html> {
  const isFresh = signedInLately(visit);
  if (!isFresh && !(await hasPassword(deps, visit))) {
    return html`<p class="note">
      You signed in more than ten minutes ago. Sign out and in again, then download within ten minutes.
    </p>`;
  }
  return visit.form(
    "download",
    html`<div class="row panel">
      ${!isFresh && passwordField()} <button class="primary">Download backup</button>
    </div>`,
    { action: ROUTES.adminBackupDownload.path },
  );
}

/** Makes a copy and sends it. Refuses with `forbidden` if the password is wrong. */
export async function downloadBackup(deps: AdminDeps, sent: OwnerSent): Promise<Response> {
  const { audit, runtime } = deps;
  const copyStore = startable(deps.copyStore);
  if (!signedInLately(sent)) await requirePassword(deps, sent);
  const copy = await copyStore(runtime.id());
  try {
    await audit.record(sent.actor, { act: "backup_downloaded", after: { bytes: copy.bytes } });
  } catch (error) {
    copy.discard();
    throw error;
  }
  const name = `execcomp-${new Date(sent.nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z.sqlite`;
  const headers = fileHeaders("application/vnd.sqlite3", name);
  return new Response(sendOnce(copy), { headers: { ...headers, "content-length": String(copy.bytes) } });
}

/** The copy as a response body; the file is deleted once it has been read or the download is cancelled. */
function sendOnce(copy: BackupCopy): ReadableStream<Uint8Array> {
  const reader = copy.stream().getReader();
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      const { done, value } = await reader.read();
      if (!done) return stream.enqueue(value);
      copy.discard();
      stream.close();
    },
    async cancel() {
      copy.discard();
      await reader.cancel();
    },
  });
}
