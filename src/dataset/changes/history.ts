/**
 * The edition history of a data folder: the datasets that were in use, in order, and what changed with each. A database next
 * to the snapshots, written by one process at a time (`record.ts`) and read by servers.
 */
import { constants, Database, type SQLQueryBindings } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import { ServiceError } from "../../errors.ts";
import type { Change } from "./compare.ts";

/** A dataset that was put into use. */
export interface RecordedEdition {
  seq: number;
  contentHash: string;
  /** Date of the data. */
  edition: string;
  /** ISO time. */
  recordedAt: string;
}

/** The transition from one dataset to the next: the same on every server that used both. */
export interface Step {
  previous: string;
  contentHash: string;
}

/** A recorded change. */
export interface RecordedChange extends Change, Step {
  /** Its number among the changes of its edition, from 1. */
  place: number;
  edition: string;
  recordedAt: string;
}

/** The changes of one company in one edition. */
export interface CompanyChanges extends Pick<Change, "cik" | "ticker" | "company">, Step {
  /** How often the same transition was recorded before: an operator may switch back and forth. */
  again: number;
  edition: string;
  recordedAt: string;
  seq: number;
  filings: readonly Pick<Change, "change" | "form" | "filingDate" | "url" | "accession">[];
  /** Number of changed rows by fiscal year and kind of change, newest year first. */
  years: readonly { fiscalYear: number; change: Change["change"]; rows: number }[];
}

/** Version of the tables, in SQLite's `user_version`; a database of another version is created anew. */
export const HISTORY_VERSION = 2;

/** The folder of the history, which also contains the snapshot to compare the next one with. */
export function historyFolder(dataDir: string): string {
  return join(dataDir, "changes");
}

/** The path of the database. */
export function historyPath(dataDir: string): string {
  return join(historyFolder(dataDir), "changes.sqlite");
}

const CHANGE_COLUMNS = `c.id - e.first_change + 1 as place, c.cik, c.ticker, c.company, c.kind, c.change, c.fiscal_year as fiscalYear, c.complete,
  c.executive_id as executiveId, c.executive_name as executiveName, c.fields, c.total_before as totalBefore,
  c.total_after as totalAfter, c.currency, c.form, c.accession, c.filing_date as filingDate, c.url,
  e.previous, e.content_hash as contentHash, e.edition, e.recorded_at as recordedAt`;

type ChangeLine = Omit<RecordedChange, "fields" | "complete"> & { fields: string; complete: number | null };

const EDITION_COLUMNS = "seq, content_hash as contentHash, edition, recorded_at as recordedAt";

/** Reads the history of a data folder. Every method refuses with `unavailable` if it cannot be read. */
export class ChangeHistory {
  private database: Database | null = null;
  /** Inode of the open file. */
  private inode = 0;

  constructor(private readonly dataDir: string) {}

  /** The last recorded edition; null before the first. */
  latest(): RecordedEdition | null {
    return this.one<RecordedEdition>(`select ${EDITION_COLUMNS} from editions order by seq desc limit 1`);
  }

  /** The oldest edition since which all changes are known. */
  oldest(): RecordedEdition | null {
    return this.one<RecordedEdition>(`select ${EDITION_COLUMNS} from editions order by seq limit 1`);
  }

  /** Finds an edition by the first digits of its content hash (the last one that matches) or by its date (the first one). */
  find(named: { contentHash: string } | { edition: string }): RecordedEdition | null {
    if ("edition" in named) {
      const byDay = `select ${EDITION_COLUMNS} from editions where edition = ? order by seq limit 1`;
      return this.one<RecordedEdition>(byDay, named.edition);
    }
    const byHash = `select ${EDITION_COLUMNS} from editions where substr(content_hash, 1, ?) = ? order by seq desc limit 1`;
    return this.one<RecordedEdition>(byHash, named.contentHash.length, named.contentHash);
  }

  /** The id of the last change before a transition, and the number of changes in it; null if it is not, or no longer, recorded. */
  step({ previous, contentHash }: Step): { before: number; changes: number } | null {
    return this.one<{ before: number; changes: number }>(
      `select first_change - 1 as before, (select count(*) from changes c where c.seq = e.seq) as changes from editions e
        where substr(previous, 1, ?) = ? and substr(content_hash, 1, ?) = ? order by seq desc limit 1`,
      previous.length,
      previous,
      contentHash.length,
      contentHash,
    );
  }

  /** The changes of editions after `seq` with ids above `id`, in order. */
  changesAfter(seq: number, id: number, max: number): RecordedChange[] {
    const [next] = this.all<{ first: number }>(
      "select first_change as first from editions where seq > ? order by seq limit 1",
      seq,
    );
    if (next === undefined) return [];
    // Change ids increase with editions. Scanning by id lets SQLite read a single page of results in order: `cross join`.
    return this.all<ChangeLine>(
      `select ${CHANGE_COLUMNS} from changes c cross join editions e on e.seq = c.seq
        where c.id > ? order by c.id limit ?`,
      Math.max(id, next.first - 1),
      max,
    ).map((line) => ({
      ...line,
      fields: line.fields === "" ? [] : line.fields.split(" "),
      complete: line.complete === null ? null : line.complete === 1,
    }));
  }

  /** The latest changes by edition and company. */
  byCompany(max: number): CompanyChanges[] {
    const groups: Omit<CompanyChanges, "filings" | "years">[] = [];
    // Edition by edition, using the index: grouping the whole history took a tenth of a second.
    for (const { seq } of this.all<{ seq: number }>("select seq from editions order by seq desc")) {
      if (groups.length >= max) break;
      groups.push(
        ...this.all<Omit<CompanyChanges, "filings" | "years">>(
          `select c.seq, c.cik, max(c.ticker) as ticker, max(c.company) as company, e.previous,
              e.content_hash as contentHash, e.again, e.edition, e.recorded_at as recordedAt
            from changes c join editions e on e.seq = c.seq where c.seq = ?
            group by c.cik order by c.cik limit ?`,
          seq,
          max - groups.length,
        ),
      );
    }
    return groups.map((group) => ({
      ...group,
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

  /** Closes the file. */
  close(): void {
    this.database?.close();
    this.database = null;
  }

  private one<Row>(sql: string, ...values: SQLQueryBindings[]): Row | null {
    return this.all<Row>(sql, ...values)[0] ?? null;
  }

  private all<Row>(sql: string, ...values: SQLQueryBindings[]): Row[] {
    try {
      return (
        this.open()
          ?.query<Row, SQLQueryBindings[]>(sql)
          .all(...values) ?? []
      );
    } catch {
      this.close();
      throw new ServiceError(
        "unavailable",
        `Changes cannot be read at the moment. If this persists, the operator can delete ${historyFolder(this.dataDir)} to start a new history.`,
        { retryAfterSeconds: 60 },
      );
    }
  }

  /** The current database: it may be created, or created anew, while the server runs. Null if there is none yet. */
  private open(): Database | null {
    const path = historyPath(this.dataDir);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) {
      this.close();
      return null;
    }
    if (this.database !== null && found.ino === this.inode) return this.database;
    this.close();
    const database = new Database(path, constants.SQLITE_OPEN_READWRITE);
    database.run("pragma query_only = on");
    const version = database.query<{ user_version: number }, []>("pragma user_version").get()?.user_version;
    if (version !== HISTORY_VERSION) {
      database.close();
      return null;
    }
    this.inode = found.ino;
    this.database = database;
    return database;
  }
}
