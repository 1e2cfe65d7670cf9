import { expect, test } from "bun:test";
import { missingForRolling, runRolling } from "../../scripts/soak/rolling.ts";

const missing = missingForRolling();
if (missing !== null) console.log(`skipped: ${missing}: replicas behind nginx are not tried`);

test.skipIf(missing !== null)(
  "three replicas as in the compose file, each restarted in turn: no request fails, each charge is in the ledger once",
  async () => {
    const { restarts, outcomes, charged, ledger } = await runRolling(1);
    expect(restarts).toBe(3);
    expect([...outcomes.keys()]).toEqual(["answered"]);
    expect(charged).toBeGreaterThan(0);
    expect(ledger).toBe(charged);
  },
  300_000,
);
