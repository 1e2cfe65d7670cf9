import type { AuditEntry, AuditFilter } from "../accounts/audit.ts";
import type { MaybePromise } from "../domain/maybe-promise.ts";
import { csvCell } from "../snapshot/export/text.ts";

/** Entries read at a time: a long log is never in memory as a whole. */
const PAGE = 1000;

const HEAD = "id,time,who,address,user_agent,act,user,subject,before,after\r\n";

/** Entries of the audit log, the newest first, page by page. @param most how many at most */
export async function* auditPages(
  list: (filter: AuditFilter) => MaybePromise<readonly AuditEntry[]>,
  filter: Omit<AuditFilter, "limit">,
  most: number,
): AsyncGenerator<readonly AuditEntry[]> {
  let before: AuditFilter["before"];
  for (let left = most; left > 0;) {
    const limit = Math.min(PAGE, left);
    const page = await list({ ...filter, before, limit });
    yield page;
    before = page.at(-1);
    left -= page.length;
    if (page.length < limit) return;
  }
}

/**
 * The audit log as CSV, a piece for each page of entries. Cells that a spreadsheet would take for a formula begin with
 * an apostrophe: addresses, names and user agents are other people's.
 * @see RFC 4180
 */
export async function* auditCsv(pages: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<string> {
  yield HEAD;
  for await (const page of pages) {
    if (page.length > 0) yield `${page.map(line).join("\r\n")}\r\n`;
    // Others are answered between two pages.
    await Bun.sleep(0);
  }
}

function line({
  id,
  atMs,
  actor,
  address,
  userAgent,
  act,
  user,
  subject,
  before,
  after,
}: AuditEntry): string {
  const cells = [
    String(id),
    new Date(atMs).toISOString(),
    actor,
    address,
    userAgent,
    act,
    user,
    subject,
    before,
    after,
  ];
  return cells.map((text) => csvCell(text ?? "")).join(",");
}
