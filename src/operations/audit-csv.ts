import type { AuditEntry } from "../accounts/audit.ts";
import { csvCell } from "../snapshot/export/text.ts";

const HEAD = "id,time,who,address,user_agent,act,user,subject,before,after\r\n";

/**
 * The audit log as CSV, a piece for each page of entries. Cells that a spreadsheet would take for a formula begin with
 * an apostrophe: addresses, names and user agents are other people's.
 * @see RFC 4180
 */
export async function* auditCsv(pages: Iterable<readonly AuditEntry[]>): AsyncGenerator<string> {
  yield HEAD;
  for (const page of pages) {
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
