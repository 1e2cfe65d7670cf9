import { expect, test } from "bun:test";
import { missingForPostgres, runPostgres, type Victim } from "../support/soak/postgres.ts";
import { canInject } from "../support/soak/sqlite.ts";
import { PROGRAM } from "../support/program.ts";

const missing = missingForPostgres();
if (missing !== null) console.log(`skipped: ${missing}: failures of servers and their stores are not tried`);
const victims: Victim[] = ["server", "database", "primary", "redis", "power"];
if (canInject()) victims.push("flush");

// Forty at random moments: bun run soak --store postgres
test.skipIf(missing !== null)(
  "a server, PostgreSQL, a primary with a standby, Redis, a flush and the power of all fail under load, and the ledger equals the answers",
  async () => {
    const run = await runPostgres({ victims, seed: 1, control: true, program: PROGRAM });
    expect(run.wrong).toEqual([]);
    expect(run.pages).toBeGreaterThan(0);
    expect(run.charged).toBeGreaterThan(run.pages);
    expect(run.noCredits).toBeGreaterThan(0);
    // The check noticed every deleted entry.
    expect([run.forgotten, run.noticed]).toEqual([victims.length, victims.length]);
  },
  300_000,
);
