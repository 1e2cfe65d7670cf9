import { counted } from "../../lib/text.ts";
import type { CreditSummary, LedgerEntry } from "../../accounts/credits.ts";
import { timeOf, accountsCommand, requireUser, whose } from "./accounts.ts";
import { numberFlag, OUTPUT_FLAGS, printAnswer, wholeNumber } from "../output.ts";
import type { TextColumn } from "../../lib/text-table.ts";
import { type Io, UsageError } from "../command.ts";

/** `execcomp credits show` */
export const show = accountsCommand({
  name: "credits show",
  summary: "Show a user's balance: free, added and used credits.",
  flags: whose,
  examples: [["credits show --user ann@example.com", "One balance for all keys and apps of a user."]],
  async run(accounts, { flags }, io) {
    const { credits } = accounts;
    const user = await requireUser(accounts, flags.user, io);
    return message(io, user.email, await credits.summary(user.id));
  },
});

/** `execcomp credits grant` */
export const grant = accountsCommand({
  name: "credits grant",
  summary: "Add credits to a user's balance, or remove some.",
  flags: {
    ...whose,
    amount: {
      value: "N",
      about: "Number of credits; a negative number removes them (--amount=-5).",
      required: true,
      reads(flag: string, text: string) {
        const amount = wholeNumber(-100_000_000, 100_000_000)(flag, text);
        if (amount === 0)
          throw new UsageError(`${flag} 0 changes nothing. Give the number of credits to add.`);
        return amount;
      },
    },
  },
  examples: [
    ["credits grant --user ann@example.com --amount 500", "Takes effect at once, on a running server too."],
  ],
  async run(accounts, { flags }, io) {
    const { credits } = accounts;
    const user = await requireUser(accounts, flags.user, io);
    await credits.grant(user.id, flags.amount);
    const summary = await credits.summary(user.id);
    return message(io, user.email, summary, { granted: summary.granted });
  },
});

/** `execcomp credits ledger` */
export const ledger = accountsCommand({
  name: "credits ledger",
  summary: "List a user's ledger entries, newest first.",
  flags: {
    ...whose,
    limit: numberFlag("Maximum number of entries; default 1000.", 1, 10_000_000),
    ...OUTPUT_FLAGS,
  },
  examples: [["credits ledger --user ann@example.com --limit 20", "The last 20 entries."]],
  async run(accounts, { flags }, io) {
    const { user, limit = 1000 } = flags;
    const entries = await accounts.credits.entries((await requireUser(accounts, user, io)).id, { limit });
    const none = "No entries yet: the first key comes with free credits.";
    const rows = entries.map(shownEntry);
    await printAnswer(io, flags, rows, { rows, columns: COLUMNS, none });
  },
});

/** `execcomp credits unmetered` */
export const unmetered = accountsCommand({
  name: "credits unmetered",
  summary: "Stop or resume charging a user.",
  flags: { ...whose, off: { about: "Resume charging." } },
  examples: [
    ["credits unmetered --user ann@example.com", "Free from now on; the balance stays."],
    ["credits unmetered --user ann@example.com --off", "Metered again."],
  ],
  async run(accounts, { flags }, io) {
    const { credits } = accounts;
    const user = await requireUser(accounts, flags.user, io);
    await credits.setUnmetered(user.id, !flags.off);
    return message(io, user.email, await credits.summary(user.id), { unmetered: !flags.off });
  },
});

/** Prints in the format that scripts rely on (`docs/contract.md`, "Command line"), always with the same keys. */
function message(
  io: Io,
  user: string,
  { balance, given, granted, charged, unmetered: free }: CreditSummary,
  also: Readonly<Record<string, unknown>> = {},
): void {
  io.answer(
    { user, balance, given, charged, ...also },
    `${user}: ${counted(balance, "credit")} (${given} free, ${granted} added, ${charged} used)${free ? ", unmetered" : ""}`,
  );
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
  { head: "Entry", align: "right", cell: ({ entry }) => String(entry) },
  { head: "Time", cell: ({ at }) => at?.slice(0, 19).replace("T", " ") ?? "" },
  { head: "What", cell: ({ kind }) => kind },
  { head: "Credits", align: "right", cell: ({ amount }) => String(amount) },
  { head: "Balance", align: "right", cell: (entry) => String(entry.balance_after) },
  {
    head: "Operation",
    rank: 1,
    cell: ({ operation, replaces }) =>
      replaces === undefined ? (operation ?? "–") : `entries ${replaces[0]} to ${replaces[1]}`,
  },
  { head: "Ticker", rank: 2, cell: ({ ticker }) => ticker ?? "–" },
  { head: "Request", rank: 3, cell: (entry) => entry.request_id ?? "–" },
];
