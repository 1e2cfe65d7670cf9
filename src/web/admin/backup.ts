import type { BackupCopy } from "../../operate/backups.ts";
import { ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import { ROUTES } from "../../http/routes.ts";
import { passwordField } from "../fields.ts";
import { fileHeaders } from "../show.ts";
import {
  type AdminDeps,
  type AdminPage,
  type OwnerSent,
  type OwnerVisit,
  requirePassword,
  signedInLately,
} from "./frame.ts";

const HOUR_MS = 3_600_000;

/** `/admin/backup`: download the accounts as a file. */
export function backupPage({ copyStore, hasPassword, backups }: AdminDeps): AdminPage {
  return {
    title: "Backup",
    async main(visit) {
      const { backupDir, backupEvery, backupKeep, store } = backups;
      if (store !== "") {
        return html`<p>
          The accounts are stored in PostgreSQL. Use its own tools:
          <code>pg_dump --format=custom</code> makes a consistent copy, <code>pg_restore</code> restores it.
        </p>`;
      }
      return html`<p>
          The file contains users, keys (as hashes), credits with their ledger, connected apps and the audit
          log, as of one moment. Store it as securely as passwords.
          <code>execcomp restore FILE</code> restores it.
        </p>
        ${copyStore === null ? html`<p class="note">This server cannot start another process.</p>` : await form(visit, hasPassword)}
        <h2>Scheduled backups</h2>
        <p>
          ${
            backupDir === ""
              ? html`Scheduled backups are off. To turn them on, start the server with
                  <code>--backup-dir DIR</code>.`
              : `The server saves a backup in ${backupDir} every ${backupEvery / HOUR_MS} hours and keeps the last ${backupKeep}.`
          }
        </p>`;
    },
    acts: {},
  };
}

async function form(visit: OwnerVisit, hasPassword: AdminDeps["hasPassword"]): Promise<Html> {
  const isFresh = signedInLately(visit);
  if (!isFresh && !(await hasPassword(visit.who.userId))) {
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
export async function downloadBackup(deps: AdminDeps, sent: OwnerSent, id: string): Promise<Response> {
  const { copyStore, audit } = deps;
  if (copyStore === null) throw new ServiceError("unavailable", "This server cannot start another process.");
  if (!signedInLately(sent)) await requirePassword(deps, sent);
  const copy = await copyStore(id);
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
