import type { CreditSummary, LedgerEntry } from "../accounts/credits.ts";
import { tableLines, timeOf, wholeNumber, withAccounts } from "./accounts.ts";
import { type Io, command } from "./command.ts";

const whose = { user: { value: "EMAIL", about: "The user's e-mail address.", required: true } } as const;

/** `execcomp credits show` */
export const show = command({
  name: "credits show",
  summary: "Show a user's balance and what it is made of.",
  operands: [],
  flags: whose,
  settings: [],
  examples: [["credits show --user ann@example.com", "One balance for all keys and applications of a user."]],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users, credits }) => {
      const user = users.requireByEmail(flags.user);
      return message(io, user.email, credits.summary(user.id));
    }),
});

/** `execcomp credits grant` */
export const grant = command({
  name: "credits grant",
  summary: "Add credits to a user's balance, or take some back.",
  operands: [],
  flags: {
    ...whose,
    amount: { value: "N", about: "How many; a negative number takes back (--amount=-5).", required: true },
  },
  settings: [],
  examples: [["credits grant --user ann@example.com --amount 500", "Holds on a server that runs, at once."]],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users, credits }) => {
      const amount = wholeNumber("--amount", flags.amount, -100_000_000, 100_000_000);
      const user = users.requireByEmail(flags.user);
      await credits.grant(user.id, amount);
      return message(io, user.email, credits.summary(user.id));
    }),
});

/** `execcomp credits ledger` */
export const ledger = command({
  name: "credits ledger",
  summary: "List what happened to a user's balance, the newest first.",
  operands: [],
  flags: { ...whose, limit: { value: "N", about: "At most so many entries; 1000 when not given." } },
  settings: [],
  examples: [["credits ledger --user ann@example.com --limit 20", "The last 20 entries."]],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users, credits }) => {
      const limit = wholeNumber("--limit", flags.limit ?? "1000", 1, 10_000_000);
      const entries = credits.entries(users.requireByEmail(flags.user).id, { limit });
      if (io.json) io.printJson(entries.map(shownEntry));
      else if (entries.length === 0) io.note("No entries: the first key brings the first credits.");
      else {
        const heads = ["ENTRY", "TIME", "WHAT", "CREDITS", "BALANCE", "OPERATION", "TICKER", "REQUEST"];
        const rows = entries.map((entry) => [
          entry.entry,
          timeOf(entry.atMs)?.slice(0, 19).replace("T", " ") ?? "",
          entry.kind,
          entry.amountCredits,
          entry.balanceAfterCredits,
          entry.operation ?? "–",
          entry.ticker ?? "–",
          entry.requestId ?? "–",
        ]);
        for (const line of tableLines(heads, rows)) io.print(line);
      }
      return 0;
    }),
});

/** `execcomp credits unmetered` */
export const unmetered = command({
  name: "credits unmetered",
  summary: "Charge a user nothing, or charge again.",
  operands: [],
  flags: { ...whose, off: { about: "Charge again." } },
  settings: [],
  examples: [
    ["credits unmetered --user ann@example.com", "Nothing is charged from now on; the balance stays."],
    ["credits unmetered --user ann@example.com --off", "Charged again."],
  ],
  run: ({ flags }, io) =>
    withAccounts(io, async ({ users, credits }) => {
      const user = users.requireByEmail(flags.user);
      await credits.setUnmetered(user.id, !flags.off);
      return message(io, user.email, credits.summary(user.id));
    }),
});

/** `execcomp credits check` */
export const check = command({
  name: "credits check",
  summary: "Check that every balance is what its ledger adds up to, entry by entry.",
  operands: [],
  flags: {},
  settings: [],
  examples: [["credits check", "Exit code 1 when one does not."]],
  run: (_given, io) =>
    withAccounts(io, async ({ users, credits }) => {
      const problems = credits
        .problems()
        .map(({ userId, problem }) => ({ user: users.findById(userId)?.email ?? userId, problem }));
      if (io.json) io.printJson({ ok: problems.length === 0, problems });
      else if (problems.length === 0) io.print("Every balance is what its ledger adds up to.");
      for (const { user, problem } of problems)
        io.note(`${user}: ${problem}. Bring back a backup, or correct it with a grant.`);
      return problems.length === 0 ? 0 : 1;
    }),
});

/** In the shape that scripts rely on (`docs/contract.md`, "Command line"); what is out of the ordinary is added. */
function message(
  io: Io,
  user: string,
  { balance, given, granted, charged, unmetered: free }: CreditSummary,
): number {
  if (io.json) {
    io.printJson({
      user,
      balance,
      given,
      charged,
      ...(granted === 0 ? {} : { granted }),
      ...(free ? { unmetered: true } : {}),
    });
  } else {
    io.print(
      `${user}: ${balance} credits (given ${given}, granted ${granted}, charged ${charged})${free ? ", unmetered" : ""}`,
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
  };
}
