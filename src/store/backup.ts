import { Database } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isSystemError, OperatorError, messageOf } from "../errors.ts";
import { flush, requireFile, requireFolder } from "../files.ts";
import { STORE_FILE, takeServerLock } from "./folder.ts";
import { appliedUpTo, migrations } from "./migrate.ts";

/**
 * Writes a consistent copy of the store while the server keeps writing. The file is complete or absent.
 * @throws OperatorError when there is no store, or the file exists
 */
export function backUp(dataDir: string, file: string): void {
  const source = join(dataDir, STORE_FILE);
  if (!existsSync(source))
    throw new OperatorError(`There is no store in ${dataDir} to back up (--data-dir).`);
  if (existsSync(file))
    throw new OperatorError(`${file} already exists. Choose another name: a backup is never overwritten.`);
  requireFolder(dirname(resolve(file)));
  requireFile(source);
  const unfinished = `${file}.part`;
  rmSync(unfinished, { force: true });
  const client = new Database(source, { readwrite: true });
  try {
    client.run("PRAGMA busy_timeout = 5000");
    // Created first with private permissions, so that no other user can read it while it is being written.
    closeSync(openSync(unfinished, "wx", 0o600));
    client.query("VACUUM INTO ?").run(unfinished);
    requireSound(unfinished);
    flush(unfinished);
    renameSync(unfinished, file);
    flush(dirname(resolve(file)));
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (error instanceof OperatorError || isSystemError(error)) throw error;
    throw new OperatorError(`Cannot back up ${source} to ${file}: ${messageOf(error)}. Run execcomp doctor.`);
  } finally {
    client.close();
  }
}

/**
 * Replaces the store by a backup and keeps the previous store next to it. Changes nothing unless the backup is intact
 * and no server uses the data folder.
 *
 * @param atMs used in the name of the previous store
 * @returns path of the previous store; null if there was none
 * @throws OperatorError saying what prevents it
 */
export async function restore(dataDir: string, file: string, atMs: number): Promise<string | null> {
  requireFile(file);
  requireSound(file);
  const lock = takeServerLock(dataDir);
  if (lock === null)
    throw new OperatorError(`A server is running on ${dataDir}. Stop it, restore, and start it again.`);
  const target = join(dataDir, STORE_FILE);
  const incoming = `${target}.incoming`;
  try {
    await copyFile(file, incoming);
    chmodSync(incoming, 0o600);
    flush(incoming);
    const aside = existsSync(target)
      ? `${target}.before-${new Date(atMs).toISOString().replaceAll(/[:.]/g, "-")}`
      : null;
    if (aside !== null) await setAside(target, aside);
    // Without its log, the old file can be replaced in one step, so that a complete store exists at all times.
    for (const tail of ["-wal", "-shm"]) rmSync(target + tail, { force: true });
    renameSync(incoming, target);
    flush(dataDir);
    return aside;
  } catch (error) {
    rmSync(incoming, { force: true });
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`Cannot restore ${file} to ${target}: ${messageOf(error)}. Nothing was changed.`);
  } finally {
    lock.release();
  }
}

/** Copies a store including its log, or the separate files if it is damaged. */
async function setAside(target: string, aside: string): Promise<void> {
  try {
    const client = new Database(target, { readwrite: true });
    try {
      client.run("PRAGMA busy_timeout = 5000");
      client.run("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      client.close();
    }
  } catch {
    // Too damaged to open; its files are copied unchanged.
  }
  for (const tail of ["", "-wal"]) {
    if (!existsSync(target + tail)) continue;
    await copyFile(target + tail, aside + tail);
    chmodSync(aside + tail, 0o600);
    flush(aside + tail);
  }
}

/** @throws OperatorError unless the file is an intact store that this version can read */
function requireSound(file: string): void {
  let client: Database | undefined;
  try {
    client = new Database(file, { readonly: true });
    const newest = appliedUpTo(client);
    if (newest === 0) throw new OperatorError(`${file} is not an execcomp backup.`);
    if (newest > (migrations().at(-1)?.atMs ?? 0)) {
      throw new OperatorError(
        `${file} was made by a newer version of execcomp: use that version to restore it.`,
      );
    }
    const rows = client.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").all();
    if (rows[0]?.integrity_check !== "ok") {
      throw new OperatorError(`${file} is damaged (${rows[0]?.integrity_check ?? "unreadable"}).`);
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} is not an execcomp backup, or is damaged: ${messageOf(error)}.`);
  } finally {
    client?.close();
  }
}
