import type { AuditEntry, AuditFilter } from "../accounts/audit.ts";
import type { MaybePromise } from "../domain/maybe-promise.ts";
import { type CsvCell, csvHead, csvRow } from "../domain/text.ts";

/** Entries read at a time, so that a long log is never in memory as a whole. */
const PAGE = 1000;

/** The columns, in order. */
const COLUMNS: Readonly<Record<string, (entry: AuditEntry) => CsvCell>> = {
  id: ({ id }) => id,
  time: ({ atMs }) => new Date(atMs).toISOString(),
  who: ({ actor }) => actor,
  address: ({ address }) => address,
  user_agent: ({ userAgent }) => userAgent,
  act: ({ act }) => act,
  user: ({ user }) => user,
  subject: ({ subject }) => subject,
  before: ({ before }) => before,
  after: ({ after }) => after,
};

/** Entries of the audit log, newest first, in pages. @param max maximum number of entries */
export async function* auditPages(
  list: (filter: AuditFilter) => MaybePromise<readonly AuditEntry[]>,
  filter: Omit<AuditFilter, "limit">,
  max: number,
): AsyncGenerator<readonly AuditEntry[]> {
  let before: AuditFilter["before"];
  for (let left = max; left > 0;) {
    const limit = Math.min(PAGE, left);
    const page = await list({ ...filter, before, limit });
    yield page;
    before = page.at(-1);
    left -= page.length;
    if (page.length < limit) return;
  }
}

/**
 * The audit log as CSV, one chunk per page of entries. Cells that a spreadsheet would read as a formula are prefixed
 * with an apostrophe, because addresses, names and user agents are user input.
 * @see RFC 4180
 */
export async function* auditCsv(pages: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<string> {
  yield `${csvHead(Object.keys(COLUMNS))}\r\n`;
  for await (const page of pages) {
    if (page.length > 0) yield `${page.map(line).join("\r\n")}\r\n`;
    // Lets other requests be answered between two pages.
    await Bun.sleep(0);
  }
}

function line(entry: AuditEntry): string {
  return csvRow(Object.values(COLUMNS).map((cell) => cell(entry)));
}
