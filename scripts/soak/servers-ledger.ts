/**
 * The expected state of a ledger in PostgreSQL after a number of answers: the same charges, once each, and balances
 * that add up.
 */
import { SQL } from "bun";
import { FIRST_CREDITS } from "../../src/accounts/credits.ts";
import { postgresCredits } from "../../src/cluster/charges.ts";
import type { PostgresStore } from "../../src/cluster/store.ts";
import { realRuntime } from "../../src/runtime.ts";
import { PAID_AND_OPENED } from "./round.ts";

/** A user under load, and what is known of it apart from the ledger. */
export interface LoadedUser {
  userId: string;
  /** Cookie value of a signed-in browser. */
  session: string;
  keys: readonly string[];
  grantedCredits: number;
  /** Status by request id, of requests that were answered. */
  answers: Map<string, number>;
  /** Requests whose connection ended without an answer. */
  broken: number;
}

interface Entry {
  userId: string;
  requestId: string;
  amount: number;
}

/** Findings in the users' ledgers: charges without an answer, and all violations. */
export interface LedgerCheck {
  cutOff: number;
  wrong: string[];
}

/** Compares ledger and balances with the callers' answers. */
export async function checkLedger(
  url: string,
  store: PostgresStore,
  users: readonly LoadedUser[],
): Promise<LedgerCheck> {
  // Bypasses the service's own code, which is under test.
  await using sql = new SQL(url, { max: 1 });
  const entries: Entry[] =
    await sql`SELECT user_id AS "userId", request_id AS "requestId", amount_credits::int AS amount FROM ledger WHERE kind = 'charged'`;
  const byUser = Map.groupBy(entries, ({ userId }) => userId);
  const unpaid: { user: string; paid: number; opened: number }[] = await sql.unsafe(PAID_AND_OPENED);
  const found: LedgerCheck = {
    cutOff: 0,
    wrong: unpaid.map(({ user, paid, opened }) => `${user} paid for ${paid} pages, and ${opened} are open`),
  };
  const credits = postgresCredits(store, realRuntime());
  for (const user of users) {
    const own = byUser.get(user.userId) ?? [];
    const { cutOff, wrong } = checkUser(user, own);
    found.cutOff += cutOff;
    found.wrong.push(...wrong);
    const summary = await credits.summary(user.userId);
    const left = own.reduce((sum, { amount }) => sum + amount, FIRST_CREDITS + user.grantedCredits);
    if (summary.balance !== left || left < 0)
      found.wrong.push(`${user.userId} has ${summary.balance} credits, by its ledger ${left}`);
  }
  for (const { userId, problem } of await credits.problems()) found.wrong.push(`${userId}: ${problem}`);
  return found;
}

function checkUser(user: LoadedUser, entries: readonly Entry[]): LedgerCheck {
  const byRequest = Map.groupBy(entries, ({ requestId }) => requestId);
  const wrong: string[] = [];
  let cutOff = 0;
  for (const [id, status] of user.answers) {
    const amounts = (byRequest.get(id) ?? []).map(({ amount }) => amount);
    const charged = amounts.reduce((sum, amount) => sum + amount, 0);
    if (status === 200 && (amounts.length !== 1 || charged !== -1))
      wrong.push(`request ${id} was answered as charged, and its entries are [${amounts}]`);
    if (status !== 200 && charged !== 0)
      wrong.push(`request ${id} was refused with ${status}, and its entries are [${amounts}]`);
  }
  for (const [id, all] of byRequest) {
    if (user.answers.has(id)) continue;
    const charged = all.reduce((sum, { amount }) => sum + amount, 0);
    if (charged === -1) cutOff += 1;
    else if (charged !== 0) wrong.push(`request ${id} was charged ${-charged} times`);
  }
  if (cutOff > user.broken)
    wrong.push(`${user.userId}: ${cutOff} charges without an answer, ${user.broken} requests were cut off`);
  return { cutOff, wrong };
}
