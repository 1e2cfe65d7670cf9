/**
 * Makes a new snapshot from an existing one by replacing some companies. Only those are assembled again, so the work grows
 * with what was read, not with the size of the dataset.
 */
import { copyFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Database } from "bun:sqlite";
import type { Edition } from "../domain/edition.ts";
import { assemble } from "./assemble.ts";
import { embeddedBytes } from "./embedded.ts";
import { installedPath, readInstalled, requireRoom } from "./installed.ts";
import { findViolations } from "./invariants.ts";
import { type PeoTag, readTags, windowOf } from "./peo-tags.ts";
import { type CompanyRecord, NO_RECORD } from "./record.ts";
import { openFile, requireWhole } from "./open.ts";
import { MAX_ROWS, rowKeys } from "./dataset.ts";
import { readRecord } from "./read-records.ts";
import {
  checked,
  Draft,
  insertCeoPay,
  insertCompany,
  insertTags,
  InvariantError,
  sealInto,
} from "./writer.ts";
import { blankSeal, readSealLine, readSealLineOf } from "./seal.ts";

/**
 * Up to this many changed companies, the file is not compacted: later patches reuse the space they free. Compacting half a
 * million rows takes 3 of the 7 seconds that a company on demand would take (docs/performance.md).
 */
const MAX_UNCOMPACTED = 20;

/**
 * Copies the snapshot in use, installed or embedded, to a file. Every byte of the copy is verified: a patch of a damaged
 * snapshot would be sealed anew and pass verification.
 * @throws SnapshotError
 */
export function copyCurrent(dataDir: string, to: string): void {
  const { current } = readInstalled(dataDir);
  if (current === null) {
    const bytes = embeddedBytes();
    requireRoom(dirname(to), bytes.length);
    writeFileSync(to, bytes);
  } else {
    const path = installedPath(dataDir, current);
    requireRoom(dirname(to), statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    copyFileSync(path, to);
  }
  requireWhole(to);
  openFile(to).database.close();
}

/**
 * A snapshot being built. Discarded unless `finish` is called. The same puts on the same base in the same order
 * produce the same bytes.
 */
export class Patch implements Disposable {
  private readonly packed: string;
  private readonly base: Edition & { contentHash: string };
  private readonly database: Database;
  private readonly draft: Draft;
  private puts = 0;
  /** Companies whose rows or tags have changed. */
  private readonly changed = new Set<string>();
  private isOpen = true;

  /**
   * @param building a copy of the base; it is modified and deleted afterwards
   * @param out path of the finished snapshot
   */
  constructor(
    private readonly building: string,
    private readonly out: string,
  ) {
    this.packed = `${out}.packed`;
    const base = readSealLine(readSealLineOf(building) ?? "");
    if (base === undefined) throw new Error(`${building} has no seal`);
    this.base = base;
    this.database = new Database(building);
    // If the process is killed, the file is never used: neither a journal nor flushing is needed.
    for (const pragma of ["journal_mode = memory", "synchronous = off"])
      this.database.run(`pragma ${pragma}`);
    this.database.run("begin");
    this.draft = new Draft(this.database);
  }

  /** The current record of a company. @param cik ten digits */
  record(cik: string): CompanyRecord | undefined {
    return readRecord(this.draft, cik);
  }

  /**
   * Replaces the record of a company.
   *
   * @throws InvariantError if the record violates an invariant; nothing has changed then
   */
  put(record: CompanyRecord): void {
    const { draft } = this;
    this.puts++;
    this.changed.add(record.cik);
    const cik = Number(record.cik);
    const assembled = checked(record, assemble(record), readTags(draft, record.cik));
    const violations = findViolations(record, assembled);
    if (violations.length > 0) throw new InvariantError(violations);
    const listedName = draft.value("select listed_name as value from companies where cik = ?", cik);
    draft.addFiledSymbols(record);
    const mine = "in (select id from filings where cik = ?)";
    for (const statement of [
      `delete from observations where id in (select o.id from filings f
        join observations o on o.id >= f.id * ${MAX_ROWS} and o.id < (f.id + 1) * ${MAX_ROWS} where cik = ?)`,
      ...["offices", "grids", "problems"].map((table) => `delete from ${table} where filing ${mine}`),
      ...["filings", "years", "executives", "former_ids", "company_rows", "coverage", "companies"].map(
        (table) => `delete from ${table} where cik = ?`,
      ),
    ]) {
      draft.run(statement, cik);
    }
    draft.run("delete from rows where id >= ? and id < ?", ...rowKeys(cik));
    insertCompany(draft, record, assembled, listedName === null ? null : String(listedName));
  }

  /**
   * Replaces the tags of these filings of a company, and those of frames with the same end of the year. A company that is
   * not known is left out: frames have registrants without a symbol.
   * @returns whether anything changed
   */
  putTags(cik: string, tags: readonly PeoTag[]): boolean {
    const { draft } = this;
    const number = Number(cik);
    if (draft.value("select cik as value from companies where cik = ?", number) === null) return false;
    const before = readTags(draft, cik);
    const isReplaced = (old: PeoTag) =>
      tags.some(
        ({ provider, accession, periodEnd }) =>
          provider === old.provider &&
          (provider === "frames" ? periodEnd === old.periodEnd : accession === old.accession),
      );
    const after = [...before.filter((old) => !isReplaced(old)), ...tags];
    if (Bun.deepEquals(before, after)) return false;
    draft.run("delete from peo_tags where cik = ?", number);
    insertTags(draft, after);
    this.changed.add(cik);
    this.puts++;
    return true;
  }

  /** Compacts and seals the snapshot and moves it into place. @returns its content hash */
  finish(): string {
    const { draft, base, database, packed } = this;
    // The date of the data: a snapshot with a newer filing than its base is newer than its base.
    const newest = draft.newestFilingDate();
    const edition = base.edition > newest ? base.edition : newest;
    const sequence = base.sequence + 1;
    draft.writeMeta({ edition, sequence });
    draft.run("update seal set line = ?", blankSeal({ edition, sequence }));
    // No year is known before it ends: with a later edition, more of a year that only a window is known of.
    const isOpen = (tag: PeoTag) => tag.periodEnd === null && windowOf(tag)[1] > base.edition;
    if (edition !== base.edition)
      for (const tag of readTags(draft)) if (isOpen(tag)) this.changed.add(tag.cik);
    for (const cik of this.changed) this.renewCeoPay(cik, edition);
    draft.layOut(edition);
    database.run("commit");
    rmSync(packed, { force: true });
    const isCompacted = this.puts > MAX_UNCOMPACTED;
    if (isCompacted) database.run("vacuum into ?", [packed]);
    database.close();
    this.isOpen = false;
    if (!isCompacted) renameSync(this.building, packed);
    const contentHash = sealInto(packed, this.out);
    this[Symbol.dispose]();
    return contentHash;
  }

  [Symbol.dispose](): void {
    if (this.isOpen) this.database.close();
    this.isOpen = false;
    for (const left of [this.building, this.packed]) rmSync(left, { force: true });
  }

  /** What follows from the rows and tags of a company. @param edition of the new snapshot */
  private renewCeoPay(cik: string, edition: string): void {
    const { draft } = this;
    const record = readRecord(draft, cik) ?? { ...NO_RECORD, cik, name: "" };
    const yearEnd = draft.value(
      "select fiscal_year_end as value from registrants where cik = ?",
      Number(cik),
    );
    draft.run("delete from ceo_pay where id >= ? and id < ?", ...rowKeys(cik));
    insertCeoPay(draft, record, assemble(record), {
      fiscalYearEnd: yearEnd === null ? null : String(yearEnd),
      edition,
      tags: readTags(draft, cik),
    });
  }
}
