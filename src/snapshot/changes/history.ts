/**
 * The record of editions in a data folder: which datasets came into use, one after the other, and what changed with each.
 * A database of its own beside the snapshots, written by one process at a time (`record.ts`) and read by servers.
 */
import { constants, Database, type SQLQueryBindings } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import { ServiceError } from "../../errors.ts";
import type { Change } from "./compare.ts";

/** A dataset that came into use. */
export interface RecordedEdition {
  seq: number;
  contentHash: string;
  /** Day of the data. */
  edition: string;
  /** ISO time. */
  recordedAt: string;
}

/** From which dataset to which: the same on every server that had both in use. */
export interface Step {
  previous: string;
  contentHash: string;
}

/** A change as it was recorded. */
export interface RecordedChange extends Change, Step {
  /** Which of its edition's changes it is, from 1. */
  place: number;
  edition: string;
  recordedAt: string;
}

/** Changes of one company that came with one edition. */
export interface CompanyChanges extends Pick<Change, "cik" | "ticker" | "company">, Step {
  /** How often that step was taken before: an operator may go back and forth. */
  again: number;
  edition: string;
  recordedAt: string;
  seq: number;
  filings: readonly Pick<Change, "change" | "form" | "filingDate" | "url" | "accession">[];
  /** How many rows of a fiscal year changed how, newest year first. */
  years: readonly { fiscalYear: number; change: Change["change"]; rows: number }[];
}

/** Version of the tables, in SQLite's `user_version`; a record of another version is begun anew. */
export const HISTORY_VERSION = 2;

/** Folder of the record, and of the snapshot that the next one is compared with. */
export function historyFolder(dataDir: string): string {
  return join(dataDir, "changes");
}

/** The database. */
export function historyPath(dataDir: string): string {
  return join(historyFolder(dataDir), "changes.sqlite");
}

const CHANGE_COLUMNS = `c.id - e.first_change + 1 as place, c.cik, c.ticker, c.company, c.kind, c.change, c.fiscal_year as fiscalYear, c.complete,
  c.executive_id as executiveId, c.executive_name as executiveName, c.fields, c.total_before as totalBefore,
  c.total_after as totalAfter, c.currency, c.form, c.accession, c.filing_date as filingDate, c.url,
  e.previous, e.content_hash as contentHash, e.edition, e.recorded_at as recordedAt`;

type ChangeLine = Omit<RecordedChange, "fields" | "complete"> & { fields: string; complete: number | null };

const EDITION_COLUMNS = "seq, content_hash as contentHash, edition, recorded_at as recordedAt";

/** Reads the record of a data folder. Every method refuses with `unavailable` where it cannot be read. */
export class ChangeHistory {
  private database: Database | null = null;
  /** Of the open file. */
  private inode = 0;

  constructor(private readonly dataDir: string) {}

  /** The edition that was recorded last; null before the first. */
  latest(): RecordedEdition | null {
    return this.one<RecordedEdition>(`select ${EDITION_COLUMNS} from editions order by seq desc limit 1`);
  }

  /** The oldest edition of which everything that changed since is known. */
  oldest(): RecordedEdition | null {
    return this.one<RecordedEdition>(`select ${EDITION_COLUMNS} from editions order by seq limit 1`);
  }

  /** The edition by the first digits of its content hash, where it was in use last; by its day, where that came in first. */
  find(named: { contentHash: string } | { edition: string }): RecordedEdition | null {
    if ("edition" in named) {
      const byDay = `select ${EDITION_COLUMNS} from editions where edition = ? order by seq limit 1`;
      return this.one<RecordedEdition>(byDay, named.edition);
    }
    const byHash = `select ${EDITION_COLUMNS} from editions where substr(content_hash, 1, ?) = ? order by seq desc limit 1`;
    return this.one<RecordedEdition>(byHash, named.contentHash.length, named.contentHash);
  }

  /** The number of the last change before a step, and how many came with it; null where the step is not recorded (any more). */
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

  /** Changes of editions after `seq` and with higher numbers than `id`, in the order in which they came. */
  changesAfter(seq: number, id: number, max: number): RecordedChange[] {
    const [next] = this.all<{ first: number }>(
      "select first_change as first from editions where seq > ? order by seq limit 1",
      seq,
    );
    if (next === undefined) return [];
    // The numbers of changes go up with the editions. By them SQLite reads one page, and in their order: `cross join`.
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

  /** The newest changes by edition and company. */
  byCompany(max: number): CompanyChanges[] {
    const groups: Omit<CompanyChanges, "filings" | "years">[] = [];
    // Edition by edition, each by its index: grouping the whole record took a tenth of a second.
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

  /** Lets go of the file. */
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
        `What changed cannot be read now. Where this lasts, the operator can delete ${historyFolder(this.dataDir)}: the record begins anew.`,
        { retryAfterSeconds: 60 },
      );
    }
  }

  /** The database as it is now: it may be made, or made anew, while the server runs. Null where there is none yet. */
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
