import type { AuditLog } from "../../accounts/audit.ts";
import type { BackupCopy } from "../../admin/backup.ts";
import { ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import { ROUTES } from "../../routes.ts";
import { passwordField } from "../entry.ts";
import type { AdminPage, Sent, Visit } from "./frame.ts";

/** What the page of backups needs. */
export interface BackupPageDeps {
  /** Null where no further process can be started. */
  copyStore: ((id: string) => Promise<BackupCopy>) | null;
  /** Whether it is this person's password. Refuses with `rate_limited` after many that were not. */
  confirmPassword(userId: string, password: string, address: string): Promise<boolean>;
  hasPassword(userId: string): Promise<boolean>;
  audit: Pick<AuditLog, "list" | "record">;
  backups: { backupDir: string; backupEvery: number; backupKeep: number; store: string };
}

/** Whoever signed in this long ago, at most, is not asked for the password again. */
const FRESH_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

/** `/admin/backup`: the accounts as a file. */
export function backupPage({ copyStore, hasPassword, backups }: BackupPageDeps): AdminPage {
  return {
    title: "Backup",
    tab: "adminBackup",
    async main(visit) {
      const { backupDir, backupEvery, backupKeep, store } = backups;
      if (store !== "") {
        return html`<p>
          The accounts are in PostgreSQL, which has tools of its own:
          <code>pg_dump --format=custom</code> copies them as they are at one moment,
          <code>pg_restore</code> puts them back.
        </p>`;
      }
      return html`<p>
          The file has users, keys (as hashes), credits with their ledger, connected apps and the audit log,
          as they are at one moment. Keep it as you keep passwords. <code>execcomp restore FILE</code> puts it
          back.
        </p>
        ${copyStore === null ? html`<p class="note">This server cannot start a further process.</p>` : await form(visit, hasPassword)}
        <h2>By itself</h2>
        <p>
          ${
            backupDir === ""
              ? html`The server makes none by itself. Start it with <code>--backup-dir DIR</code> to change
                  that.`
              : `The server backs itself up to ${backupDir} every ${backupEvery / HOUR_MS} hours and keeps the last ${backupKeep}.`
          }
        </p>`;
    },
    acts: {},
  };
}

async function form(visit: Visit, hasPassword: BackupPageDeps["hasPassword"]): Promise<Html> {
  const isFresh = signedInLately(visit);
  if (!isFresh && !(await hasPassword(visit.owner.userId))) {
    return html`<p class="note">
      You signed in a while ago: sign out and in again first, then download within ten minutes.
    </p>`;
  }
  return visit.form(
    "download",
    html`<div class="row panel">
      ${!isFresh && passwordField()} <button class="primary">Download a backup</button>
    </div>`,
    { action: ROUTES.adminBackupDownload.path },
  );
}

function signedInLately({ owner, nowMs }: Visit): boolean {
  return nowMs - owner.signedInAtMs <= FRESH_MS;
}

/** Makes a copy and sends it. Refuses with `forbidden` unless it is the owner who sits there. */
export async function downloadBackup(
  deps: BackupPageDeps,
  sent: Sent,
  id: string,
  address: string,
): Promise<Response> {
  const { copyStore, audit, confirmPassword } = deps;
  if (copyStore === null)
    throw new ServiceError("unavailable", "This server cannot start a further process.");
  const password = sent.fields.get("password") ?? "";
  if (!signedInLately(sent) && !(await confirmPassword(sent.owner.userId, password, address))) {
    throw new ServiceError("forbidden", "That is not your password.");
  }
  const copy = await copyStore(id);
  try {
    await audit.record(sent.actor, { act: "backup_downloaded", after: { bytes: copy.bytes } });
  } catch (error) {
    copy.discard();
    throw error;
  }
  const name = `execcomp-${new Date(sent.nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z.sqlite`;
  return new Response(sendOnce(copy), {
    headers: {
      "content-type": "application/vnd.sqlite3",
      "content-length": String(copy.bytes),
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

/** The copy as a body; it is deleted when it was read, or nobody reads it any more. */
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
