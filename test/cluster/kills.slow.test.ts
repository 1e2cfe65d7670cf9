import { expect, test } from "bun:test";
import { missingForServers, runServers } from "../../scripts/soak/servers.ts";

const missing = missingForServers();
if (missing !== null) console.log(`skipped: ${missing}: kills of servers and their stores are not tried`);

// Five hundred at random moments, with what they saw in docs/scaling.md: bun run soak servers --rounds 20 with seeds 201 to 214 but 203, 301 to 312
test.skipIf(missing !== null)(
  "a server, PostgreSQL, a primary with a standby and Redis are each killed under load, and the ledger equals the answers",
  async () => {
    const run = await runServers({ rounds: 4, seed: 1, control: true });
    expect(run.wrong).toEqual([]);
    expect(run.kills).toEqual({ server: 1, database: 1, primary: 1, redis: 1 });
    expect(run.answered).toBeGreaterThan(0);
    expect(run.noCredits).toBeGreaterThan(0);
    // The check noticed every deleted entry.
    expect([run.forgotten, run.noticed]).toEqual([4, 4]);
  },
  300_000,
);
