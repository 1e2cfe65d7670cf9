/**
 * Kills the server with SIGKILL at random moments under load and checks the state it left behind:
 *
 *     bun run soak kill [--rounds 100] [--executable dist/execcomp]
 *
 * After every kill: each answered charge is in the ledger, none twice; balances and ledgers add up and are never
 * negative; and the windows at the next start include every charge, and miss at most the last second of other requests.
 */
import { until } from "../../test/support/until.ts";
import {
  type Answered,
  chargesOf,
  checkStore,
  FREE,
  newUser,
  putLoad,
  type RoundPlace,
  runRounds,
  startServer,
} from "./round.ts";

const QUOTA = 600;
const FORGIVEN_MS = 1000;

/** The result of one round. */
interface KillRound {
  /** Charges that were answered before the kill. */
  answered: number;
  /** Charges in the ledger without an answer: the kill came between disk and answer. */
  unanswered: number;
  refusedForCredits: number;
  /** All violations; empty if the round went well. */
  wrong: string[];
}

interface KillOptions extends RoundPlace {
  /** When the kill comes, after the first charge is answered, and how much credit the user has: both from 0 to 1. */
  moment: number;
  wealth: number;
}

/** One round on a data folder that is kept between rounds. */
export async function killRound({ moment, wealth, ...place }: KillOptions): Promise<KillRound> {
  const { dataDir } = place;
  const user = await newUser(dataDir, Math.floor(wealth * 300));
  const { secret, userId } = user;
  const first = await startServer(place);
  const answers: Answered[] = [];
  const load = putLoad(first.origin, user, answers);
  await until("a charge is answered", () => answers.some((answer) => answer.charged));
  await Bun.sleep(moment * 1700);
  const ended = first.stop("SIGKILL");
  const killedMs = performance.now();
  await Promise.all([ended, load]);

  const wrong = await checkStore(dataDir);
  const charges = chargesOf(dataDir, userId);
  for (const [id, { entries }] of charges)
    if (entries > 1) wrong.push(`request ${id} is charged ${entries} times`);
  const charged = answers.filter((answer) => answer.charged);
  for (const { id } of charged)
    if (!charges.has(id)) wrong.push(`request ${id} was answered, but is not in the ledger`);
  for (const { status, id } of answers) {
    if (![200, 402, 429].includes(status)) wrong.push(`request ${id} was answered ${status}`);
  }

  const second = await startServer(place);
  const fits = await countFitting(second.origin, secret);
  await second.stop("SIGKILL");
  const used = answers.filter(
    ({ status, charged: paid, atMs, isPage }) =>
      !isPage && status !== 429 && (paid || atMs < killedMs - FORGIVEN_MS),
  ).length;
  // Time has passed since the first answers, but less than a window: nothing has left it.
  if (fits > QUOTA - used) {
    wrong.push(`${fits} requests fit after ${used} that must be remembered: more than ${QUOTA} in a minute`);
  }
  return {
    answered: charged.length,
    unanswered: charges.size - charged.length,
    refusedForCredits: answers.filter(({ status }) => status === 402).length,
    wrong,
  };
}

async function countFitting(origin: string, key: string): Promise<number> {
  let fits = 0;
  for (let n = 0; n <= QUOTA; n += 1) {
    const answer = await fetch(origin + FREE, { headers: { "x-api-key": key } });
    await answer.arrayBuffer();
    if (answer.status === 429) return fits;
    fits += 1;
  }
  return fits;
}

if (import.meta.main)
  process.exit(
    await runRounds(
      100,
      (_, place) => killRound({ ...place, moment: Math.random(), wealth: Math.random() }),
      (sum) =>
        `kills: ${sum((one) => one.answered)} charges answered and in the ledger, ${sum((one) => one.unanswered)} in the ledger whose answer the kill cut off, ${sum((one) => one.refusedForCredits)} refused for want of credits`,
    ),
  );
