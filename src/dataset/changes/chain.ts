/**
 * The chain of editions in a snapshot: what it was made from, and what changed with each step (`editions` and `changes` of
 * `schema.ts`). A snapshot made from another (`patch.ts`) continues its chain. One that is installed over another and does
 * not know it gets a chain of its own next to it in the data folder, which continues the chain of the one before.
 */
import { constants, Database, type SQLQueryBindings } from "bun:sqlite";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServiceError } from "../../errors.ts";
import { requireRoom, chainPath, installedPath, readInstalled, snapshotFolder } from "../installed.ts";
import type { Dataset } from "../dataset.ts";
import { embeddedBytes } from "../embedded.ts";
import { immutable, openToReadThrough } from "../open.ts";
import { type Line, lineOf, type Stored } from "../schema.ts";
import * as schema from "../schema.ts";
import { Draft } from "../writer.ts";
import { editionName } from "../../domain/edition.ts";
import { readSealLine, readSealLineOf, type Seal } from "../seal.ts";
import { type Change, compareSnapshots } from "./compare.ts";

/** How much of the chain is kept; the oldest editions are dropped first. */
export interface ChainLimits {
  changes: number;
  editions: number;
}

const LIMITS: ChainLimits = { changes: 50_000, editions: 1000 };
/** Bytes of the longest chain. */
const ROOM = 20 << 20;

/** Writes the next edition of the chain in a database, inside the caller's transaction. */
export class ChainWriter {
  private readonly draft: Draft;
  private readonly seq: number;
  private id: number;
  private place = 0;

  /**
   * @param previous content hash of the edition that is the chain's last
   * @param edition name of the new one
   * @param recordedAt ISO time
   */
  constructor(
    private readonly database: Database,
    previous: string,
    edition: string,
    recordedAt: string,
    private readonly limits: ChainLimits = LIMITS,
  ) {
    this.draft = new Draft(database);
    database.query("update editions set content_hash = ? where content_hash = ''").run(previous);
    this.seq = Number(this.draft.value("select max(seq) + 1 as value from editions") ?? 1);
    this.id = Number(this.draft.value("select max(id) + 1 as value from changes") ?? 1);
    this.draft.insert(schema.editions, { seq: this.seq, contentHash: "", edition, recordedAt });
  }

  add(changes: Iterable<Change>): void {
    for (const change of changes) {
      if (++this.place > this.limits.changes) return;
      this.draft.insert(schema.changes, { ...change, id: this.id++, seq: this.seq, place: this.place });
    }
  }

  /** Drops what is over the limits; with more changes than are kept, the chain begins with this edition. */
  finish(): void {
    const { limits, place, database } = this;
    const newestFirst = database.query<{ seq: number; changes: number }, []>(
      "select seq, (select count(*) from changes c where c.seq = e.seq) as changes from editions e order by seq desc",
    );
    let [editions, changes] = [0, 0];
    for (const one of newestFirst.all()) {
      changes += one.changes;
      if (place <= limits.changes && ++editions <= limits.editions && changes <= limits.changes) continue;
      // The oldest edition has no changes: there is no earlier one to compare with.
      const first = place > limits.changes ? this.seq : one.seq;
      database.query("delete from changes where seq <= ?").run(first);
      database.query("delete from editions where seq < ?").run(first);
      return;
    }
  }
}

/**
 * Prepares a chain for a snapshot that is about to be installed, unless its own chain knows the edition in use.
 *
 * @param path of the snapshot
 * @param recordedAt ISO time
 */
export function linkToInUse(dataDir: string, path: string, seal: Seal, recordedAt: string): void {
  const { current } = readInstalled(dataDir);
  if (current?.contentHash === seal.contentHash) return;
  const out = chainPath(dataDir, seal.contentHash);
  const part = `${out}.part`;
  const embedded = join(snapshotFolder(dataDir), "before.part");
  rmSync(out, { force: true });
  try {
    mkdirSync(snapshotFolder(dataDir), { recursive: true });
    const bytes = current === null ? embeddedBytes() : null;
    requireRoom(snapshotFolder(dataDir), (bytes?.length ?? 0) + ROOM);
    if (bytes !== null) writeFileSync(embedded, bytes, { mode: 0o600 });
    const before = current === null ? embedded : installedPath(dataDir, current);
    const previous = readSealLine(readSealLineOf(before) ?? "")?.contentHash;
    if (previous === undefined) throw new Error(`${before} cannot be read`);
    if (previous === seal.contentHash || knows(path, previous)) return;
    const database = new Database(part, { create: true });
    try {
      database.run("pragma journal_mode = off");
      for (const statement of schema.chainStatements()) database.run(statement);
      copyChain(database, current === null ? before : chainOf(dataDir, previous, before));
      const chain = new ChainWriter(database, previous, editionName(seal), recordedAt);
      database.transaction(() => {
        chain.add(compareSnapshots(before, path));
        chain.finish();
      })();
    } finally {
      database.close();
    }
    renameSync(part, out);
  } finally {
    for (const left of [part, embedded]) rmSync(left, { force: true });
  }
}

/** Replaces the chain of a database by that of another file. */
export function copyChain(database: Database, from: string): void {
  database.query("attach database ? as other").run(from);
  for (const table of ["editions", "changes"]) {
    database.run(`delete from main.${table}`);
    database.run(`insert into main.${table} select * from other.${table}`);
  }
  database.run("detach database other");
}

/** The file with the chain of an installed snapshot: next to it, or the snapshot itself. */
function chainOf(dataDir: string, contentHash: string, snapshot: string): string {
  const own = chainPath(dataDir, contentHash);
  return existsSync(own) ? own : snapshot;
}

function knows(path: string, contentHash: string): boolean {
  const { database } = openToReadThrough(path);
  try {
    return database.query("select 1 from editions where content_hash = ?").get(contentHash) !== null;
  } finally {
    database.close();
  }
}

/** An edition of the chain. */
export type ChainEdition = Line<typeof schema.editions>;

/** A change with its edition. */
export interface RecordedChange extends Change, Omit<ChainEdition, "seq"> {
  /** Its number among the changes of its edition, from 1. */
  place: number;
}

/** The changes of one company in one edition. */
export interface CompanyChanges extends Pick<Change, "cik" | "ticker" | "company">, ChainEdition {
  filings: readonly Pick<Change, "change" | "form" | "filingDate" | "url" | "accession">[];
  /** Number of changed rows by fiscal year and kind of change, newest year first. */
  years: readonly { fiscalYear: number; change: Change["change"]; rows: number }[];
}

const EDITION_COLUMNS = "content_hash as contentHash, edition, recorded_at as recordedAt";

/** Reads the chain of the dataset in use. Every method refuses with `unavailable` if it cannot be read. */
export class ChangeHistory {
  private contentHash = "";
  /** The chain next to an installed snapshot; null if the snapshot has it. */
  private beside: Database | null = null;

  constructor(
    private readonly dataDir: string,
    private readonly current: () => Dataset,
  ) {}

  /** The edition in use. */
  latest(): ChainEdition {
    return this.edition("order by seq desc limit 1") ?? NOTHING;
  }

  /** The oldest edition since which all changes are known. */
  oldest(): ChainEdition {
    return this.edition("order by seq limit 1") ?? NOTHING;
  }

  /** Finds an edition by the first digits of its content hash, by its name, or by its date: the first of that day. */
  find(named: string): ChainEdition | null {
    if (named.includes("-")) {
      const byName = "where edition = ?1 or substr(edition, 1, 10) = ?1 order by seq limit 1";
      return this.edition(byName, named);
    }
    const latest = this.latest();
    if (latest.contentHash.startsWith(named)) return latest;
    return this.edition("where substr(content_hash, 1, length(?1)) = ?1 order by seq desc limit 1", named);
  }

  /** The number of changes of an edition, and the id of the one before its first. */
  step({ seq }: Pick<ChainEdition, "seq">): { before: number; changes: number } {
    const [found] = this.all<{ before: number | null; changes: number }>(
      "select min(id) - 1 as before, count(*) as changes from changes where seq = ?",
      seq,
    );
    return { before: found?.before ?? 0, changes: found?.changes ?? 0 };
  }

  /** The changes of editions after `seq` with ids above `id`, in order. */
  changesAfter(seq: number, id: number, max: number): RecordedChange[] {
    const [first] = this.all<{ id: number | null }>(
      "select min(id) as id from changes where seq > (select max(?, min(seq)) from editions)",
      seq,
    );
    if (first?.id === null || first === undefined) return [];
    const own = this.current().info.contentHash;
    // Change ids increase with editions. Scanning by id lets SQLite read a single page of results in order: `cross join`.
    return this.all<Stored<typeof schema.changes> & Omit<ChainEdition, "seq">>(
      `select ${schema.changes.selected}, ${EDITION_COLUMNS}
        from changes cross join editions on editions.seq = changes.seq
        where changes.id > ? order by changes.id limit ?`,
      Math.max(id, first.id - 1),
      max,
    ).map(({ contentHash, edition, recordedAt, ...line }) => {
      return { ...lineOf(schema.changes, line), contentHash: contentHash || own, edition, recordedAt };
    });
  }

  /** The latest changes by edition and company. */
  byCompany(max: number): CompanyChanges[] {
    const own = this.current().info.contentHash;
    const groups: Omit<CompanyChanges, "filings" | "years">[] = [];
    // Edition by edition, using the index: grouping the whole history took a tenth of a second.
    for (const { seq } of this.all<{ seq: number }>("select seq from editions order by seq desc")) {
      if (groups.length >= max) break;
      groups.push(
        ...this.all<Omit<CompanyChanges, "filings" | "years">>(
          `select c.seq, printf('%010d', c.cik) as cik, max(c.ticker) as ticker, max(c.company) as company, ${EDITION_COLUMNS}
            from changes c join editions e on e.seq = c.seq where c.seq = ?
            group by c.cik order by c.cik limit ?`,
          seq,
          max - groups.length,
        ),
      );
    }
    return groups.map((group) => ({
      ...group,
      contentHash: group.contentHash || own,
      filings: this.all<CompanyChanges["filings"][number]>(
        `select change, form, filing_date as filingDate, url, accession from changes
          where seq = ? and cik = ? and kind = 'filing' order by id`,
        group.seq,
        group.cik,
      ),
      years: this.all<CompanyChanges["years"][number]>(
        `select fiscal_year as fiscalYear, change, count(*) as rows from changes
          where seq = ? and cik = ? and kind = 'executive_year'
          group by fiscal_year, change order by fiscal_year desc, change`,
        group.seq,
        group.cik,
      ),
    }));
  }

  /** Closes the file next to the snapshot. */
  close(): void {
    this.beside?.close();
    this.beside = null;
    this.contentHash = "";
  }

  private edition(which: string, ...values: SQLQueryBindings[]): ChainEdition | null {
    const [found] = this.all<ChainEdition>(
      `select seq, ${EDITION_COLUMNS} from editions ${which}`,
      ...values,
    );
    if (found === undefined) return null;
    return { ...found, contentHash: found.contentHash || this.current().info.contentHash };
  }

  private all<Row>(sql: string, ...values: SQLQueryBindings[]): Row[] {
    const dataset = this.current();
    try {
      this.look(dataset);
      return (
        this.beside?.query<Row, SQLQueryBindings[]>(sql).all(...values) ?? dataset.all<Row>(sql, ...values)
      );
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      this.close();
      throw new ServiceError(
        "unavailable",
        `Changes cannot be read at the moment. If this persists, the operator can delete ${chainPath(this.dataDir, dataset.info.contentHash)} to read those in the dataset.`,
        { retryAfterSeconds: 60 },
      );
    }
  }

  /** Opens the chain next to the dataset in use, after a change of dataset. */
  private look({ info }: Dataset): void {
    if (info.contentHash === this.contentHash) return;
    this.close();
    const path = chainPath(this.dataDir, info.contentHash);
    if (info.origin === "installed" && existsSync(path)) {
      const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
      this.beside = new Database(immutable(path), flags);
    }
    this.contentHash = info.contentHash;
  }
}

/** Never seen: every chain has an edition. */
const NOTHING: ChainEdition = { seq: 0, contentHash: "", edition: "", recordedAt: "" };
