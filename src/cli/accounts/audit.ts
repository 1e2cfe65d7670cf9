import { ACT_NAMES, ACTS, type AuditEntry, readAct } from "../../accounts/audit.ts";
import type { Accounts } from "../../server/compose.ts";
import { auditCsv, auditPages } from "../../operations/audit-csv.ts";
import { timeOf, wholeNumber, withAccounts } from "./accounts.ts";
import { command, type Io, UsageError } from "../command.ts";
import { readDay } from "../day.ts";
import { textTable } from "../text-table.ts";

const FORMATS = ["table", "csv", "json", "jsonl"] as const;
const MAX_ENTRIES = 1_000_000;

/** `execcomp audit` */
export const audit = command({
  name: "audit",
  summary: "Show the audit log: who did what, when and from where, newest first.",
  details:
    "Every administrative act and every sign-in, from the pages and from the command line. Of repeated failed sign-ins\n" +
    "some are listed, with their count. Entries cannot be changed; old ones are deleted after --audit-retention days.",
  operands: [],
  flags: {
    user: {
      value: "EMAIL",
      about: "What this user did, and what was done to this user; or operator, server, visitor.",
    },
    act: { value: "ACT", about: "Only this act, such as credits_granted.", choices: ACT_NAMES },
    since: { value: "DATE", about: "Since the start of that day, UTC (YYYY-MM-DD)." },
    until: { value: "DATE", about: "Until the end of that day, UTC." },
    limit: { value: "N", about: "Maximum number of entries; default 100." },
    format: { value: FORMATS.join("|"), choices: FORMATS, about: "Output format; default table." },
  },
  settings: ["store"],
  examples: [
    ["audit --limit 20", "The last 20 entries."],
    ["audit --user ann@example.com --since 2026-06-01", "Everything about Ann since June."],
    ["audit --act sign_in_failed --format csv", "For a spreadsheet."],
  ],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users, audit: log }) => {
      const limit = wholeNumber("--limit", flags.limit ?? "100", 1, MAX_ENTRIES);
      const { since, until } = flags;
      const filter = {
        who: flags.user === undefined ? undefined : await whoIs(flags.user, users),
        act: flags.act === undefined ? undefined : readAct(flags.act, ACT_NAMES),
        sinceMs: since === undefined ? undefined : Date.parse(readDay("--since", since)),
        untilMs: until === undefined ? undefined : Date.parse(readDay("--until", until)) + DAY_MS,
      };
      if (io.json && flags.format !== undefined && flags.format !== "json")
        throw new UsageError("Give --json or --format, not both.");
      const pages = auditPages((page) => log.list(page), filter, limit);
      await write(io, io.json ? "json" : (flags.format ?? "table"), pages);
      return 0;
    }),
});

const DAY_MS = 86_400_000;
const NOT_USERS: readonly string[] = ["operator", "server", "visitor"];

async function whoIs(given: string, users: Pick<Accounts["users"], "requireByEmail">): Promise<string> {
  return NOT_USERS.includes(given) ? given : (await users.requireByEmail(given)).id;
}

async function write(io: Io, format: string, pages: AsyncIterable<readonly AuditEntry[]>): Promise<void> {
  if (format === "csv") {
    for await (const chunk of auditCsv(pages)) await io.write(chunk);
  } else if (format === "jsonl") {
    for await (const page of pages)
      for (const entry of page) await io.write(`${JSON.stringify(shownEntry(entry))}\n`);
  } else {
    const entries = (await Array.fromAsync(pages)).flat();
    if (format === "json") io.printJson(entries.map(shownEntry));
    else if (entries.length === 0) io.note("No entries.");
    else io.print(textTable(COLUMNS, entries, io.columns).trimEnd());
  }
}

const COLUMNS = [
  { head: "TIME", align: "left", rank: 0, cell: ({ atMs }: AuditEntry) => timeText(atMs) },
  { head: "WHO", align: "left", rank: 0, cell: ({ actor }: AuditEntry) => actor },
  { head: "FROM", align: "left", rank: 2, cell: ({ address }: AuditEntry) => address ?? "–" },
  { head: "WHAT", align: "left", rank: 0, cell: ({ act }: AuditEntry) => ACTS[act] },
  { head: "ABOUT", align: "left", rank: 1, cell: ({ user, subject }: AuditEntry) => user ?? subject ?? "–" },
  { head: "BEFORE", align: "left", rank: 4, cell: ({ before }: AuditEntry) => before ?? "–" },
  { head: "AFTER", align: "left", rank: 3, cell: ({ after }: AuditEntry) => after ?? "–" },
] as const;

function timeText(ms: number): string {
  return timeOf(ms)?.slice(0, 19).replace("T", " ") ?? "";
}

function shownEntry({ id, atMs, actor, address, userAgent, act, user, subject, before, after }: AuditEntry) {
  return {
    id,
    at: timeOf(atMs),
    who: actor,
    address,
    user_agent: userAgent,
    act,
    user,
    subject,
    before: parsed(before),
    after: parsed(after),
  };
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
