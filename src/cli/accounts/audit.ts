import { ACT_NAMES, ACTS, type AuditEntry, readAct, auditCsv, auditPages } from "../../accounts/audit.ts";
import { timeOf, accountsCommand, requireUser } from "./accounts.ts";
import { formatOf, OUTPUT_FLAGS, printAnswer, readDay, writeStream, numberFlag } from "../output.ts";
import type { TextColumn } from "../../lib/text-table.ts";
import { DAY_MS } from "../../domain/fiscal-year.ts";

const MAX_ENTRIES = 1_000_000;

/** `execcomp audit` */
export const audit = accountsCommand({
  name: "audit",
  summary: "Show the audit log: who did what, when and from where, newest first.",
  details:
    "Every administrative act and every sign-in, from the pages and the command line. Only some of repeated failed\n" +
    "sign-ins are listed, with their count. Entries cannot be changed; they are deleted after --audit-retention days.",
  flags: {
    user: {
      value: "EMAIL",
      about: "Acts by or on this user; or by operator, server or visitor.",
    },
    act: { value: "ACT", about: "Only this act, such as credits_granted.", choices: ACT_NAMES },
    since: { value: "DATE", about: "From the start of that day, UTC (YYYY-MM-DD).", reads: readDay },
    until: { value: "DATE", about: "Until the end of that day, UTC.", reads: readDay },
    limit: numberFlag("Maximum number of entries; default 100.", 1, MAX_ENTRIES),
    ...OUTPUT_FLAGS,
  },
  examples: [
    ["audit --limit 20", "The last 20 entries."],
    ["audit --user ann@example.com --since 2026-06-01", "Everything about Ann since June."],
    ["audit --act sign_in_failed --format csv", "For a spreadsheet."],
  ],
  async run(accounts, { flags }, io) {
    const { audit: log } = accounts;
    const { user, since, until, limit = 100 } = flags;
    const filter = {
      who: user === undefined || NOT_USERS.includes(user) ? user : (await requireUser(accounts, user, io)).id,
      act: flags.act === undefined ? undefined : readAct(flags.act, ACT_NAMES),
      sinceMs: since === undefined ? undefined : Date.parse(since),
      untilMs: until === undefined ? undefined : Date.parse(until) + DAY_MS,
    };
    const pages = auditPages((page) => log.list(page), filter, limit);
    // The whole log may be larger than memory.
    if (formatOf(io, flags.format) === "csv") return writeStream(io, flags.out, auditCsv(pages));
    const entries = (await Array.fromAsync(pages)).flat();
    const rows = entries.map(shownEntry);
    await printAnswer(io, flags, rows, { rows, columns: COLUMNS, none: "No entries." });
  },
});

const NOT_USERS: readonly string[] = ["operator", "server", "visitor"];

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

const COLUMNS: readonly TextColumn<ReturnType<typeof shownEntry>>[] = [
  { head: "Time", cell: ({ at }) => at?.slice(0, 19).replace("T", " ") ?? "" },
  { head: "Who", cell: ({ who }) => who },
  { head: "From", rank: 2, cell: ({ address }) => address ?? "–" },
  { head: "What", cell: ({ act }) => ACTS[act] },
  { head: "About", cell: ({ user, subject }) => user ?? subject ?? "–" },
  { head: "Before", rank: 4, cell: ({ before }) => valueText(before) },
  { head: "After", rank: 3, cell: ({ after }) => valueText(after) },
];

function valueText(value: unknown): string {
  return value === null ? "–" : JSON.stringify(value);
}
