import { counted } from "../../domain/text.ts";
import type { CreditSummary, LedgerEntry } from "../../accounts/credits.ts";
import { timeOf, wholeNumber, withAccounts } from "./accounts.ts";
import { OUTPUT_FLAGS, printAnswer } from "../output.ts";
import type { TextColumn } from "../text-table.ts";
import { type Io, command } from "../command.ts";

const whose = { user: { value: "EMAIL", about: "The user's e-mail address.", required: true } } as const;

/** `execcomp credits show` */
export const show = command({
  name: "credits show",
  summary: "Show a user's balance: free, added and used credits.",
  operands: [],
  flags: whose,
  settings: ["store"],
  examples: [["credits show --user ann@example.com", "One balance for all keys and apps of a user."]],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users, credits }) => {
      const user = await users.requireByEmail(flags.user);
      return message(io, user.email, await credits.summary(user.id));
    }),
});

/** `execcomp credits grant` */
export const grant = command({
  name: "credits grant",
  summary: "Add credits to a user's balance, or remove some.",
  operands: [],
  flags: {
    ...whose,
    amount: {
      value: "N",
      about: "Number of credits; a negative number removes them (--amount=-5).",
      required: true,
    },
  },
  settings: ["store"],
  examples: [
    ["credits grant --user ann@example.com --amount 500", "Takes effect at once, on a running server too."],
  ],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users, credits }) => {
      const amount = wholeNumber("--amount", flags.amount, -100_000_000, 100_000_000);
      const user = await users.requireByEmail(flags.user);
      await credits.grant(user.id, amount);
      const summary = await credits.summary(user.id);
      return message(io, user.email, summary, { granted: summary.granted });
    }),
});

/** `execcomp credits ledger` */
export const ledger = command({
  name: "credits ledger",
  summary: "List a user's ledger entries, newest first.",
  operands: [],
  flags: {
    ...whose,
    limit: { value: "N", about: "Maximum number of entries; default 1000." },
    ...OUTPUT_FLAGS,
  },
  settings: ["store"],
  examples: [["credits ledger --user ann@example.com --limit 20", "The last 20 entries."]],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users, credits }) => {
      const limit = wholeNumber("--limit", flags.limit ?? "1000", 1, 10_000_000);
      const entries = await credits.entries((await users.requireByEmail(flags.user)).id, { limit });
      const none = "No entries yet: the first key comes with free credits.";
      const rows = entries.map(shownEntry);
      await printAnswer(io, flags, rows, { rows, columns: COLUMNS, none });
      return 0;
    }),
});

/** `execcomp credits unmetered` */
export const unmetered = command({
  name: "credits unmetered",
  summary: "Stop or resume charging a user.",
  operands: [],
  flags: { ...whose, off: { about: "Resume charging." } },
  settings: ["store"],
  examples: [
    ["credits unmetered --user ann@example.com", "Free from now on; the balance stays."],
    ["credits unmetered --user ann@example.com --off", "Metered again."],
  ],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users, credits }) => {
      const user = await users.requireByEmail(flags.user);
      await credits.setUnmetered(user.id, !flags.off);
      return message(io, user.email, await credits.summary(user.id), { unmetered: !flags.off });
    }),
});

/** `execcomp credits check` */
export const check = command({
  name: "credits check",
  summary: "Check every balance against its ledger.",
  operands: [],
  flags: {},
  settings: ["store"],
  examples: [["credits check", "Exits with 1 if one does not match."]],
  run: (_given, io) =>
    withAccounts(io, async ({ users, credits }) => {
      const problems = [];
      for (const { userId, problem } of await credits.problems()) {
        problems.push({ user: (await users.findById(userId))?.email ?? userId, problem });
      }
      if (io.json) io.printJson({ ok: problems.length === 0, problems });
      else if (problems.length === 0) io.print("Every balance matches its ledger.");
      for (const { user, problem } of problems)
        io.note(`${user}: ${problem}. Restore a backup, or correct it with: execcomp credits grant`);
      return problems.length === 0 ? 0 : 1;
    }),
});

/** Prints in the format that scripts rely on (`docs/contract.md`, "Command line"), always with the same keys. */
function message(
  io: Io,
  user: string,
  { balance, given, granted, charged, unmetered: free }: CreditSummary,
  also: Readonly<Record<string, unknown>> = {},
): number {
  if (io.json) io.printJson({ user, balance, given, charged, ...also });
  else {
    io.print(
      `${user}: ${counted(balance, "credit")} (${given} free, ${granted} added, ${charged} used)${free ? ", unmetered" : ""}`,
    );
  }
  return 0;
}

function shownEntry(entry: LedgerEntry) {
  return {
    entry: entry.entry,
    at: timeOf(entry.atMs),
    kind: entry.kind,
    operation: entry.operation,
    ticker: entry.ticker,
    cost: entry.kind === "charged" ? -entry.amountCredits : 0,
    amount: entry.amountCredits,
    balance_after: entry.balanceAfterCredits,
    request_id: entry.requestId,
    ...(entry.kind === "rolled" ? { replaces: [entry.firstEntry, entry.entry] as const } : {}),
  };
}

const COLUMNS: readonly TextColumn<ReturnType<typeof shownEntry>>[] = [
  { head: "Entry", align: "right", rank: 0, cell: ({ entry }) => String(entry) },
  { head: "Time", align: "left", rank: 0, cell: ({ at }) => at?.slice(0, 19).replace("T", " ") ?? "" },
  { head: "What", align: "left", rank: 0, cell: ({ kind }) => kind },
  { head: "Credits", align: "right", rank: 0, cell: ({ amount }) => String(amount) },
  { head: "Balance", align: "right", rank: 0, cell: (entry) => String(entry.balance_after) },
  {
    head: "Operation",
    align: "left",
    rank: 1,
    cell: ({ operation, replaces }) =>
      replaces === undefined ? (operation ?? "–") : `entries ${replaces[0]} to ${replaces[1]}`,
  },
  { head: "Ticker", align: "left", rank: 2, cell: ({ ticker }) => ticker ?? "–" },
  { head: "Request", align: "left", rank: 3, cell: (entry) => entry.request_id ?? "–" },
];
