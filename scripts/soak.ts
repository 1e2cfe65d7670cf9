/**
 * Kills servers and fails disks, round after round: `bun run soak SUBCOMMAND [FLAGS]`. Each subcommand is a file of
 * `scripts/soak/` whose header comment lists its flags. Exits 1 if a ledger differed from the answers.
 */
import { runSubcommand } from "./subcommand.ts";

const SUBCOMMANDS = {
  kill: "SIGKILL at random moments under load (--rounds N)",
  power: "simulated power cuts: only flushed data is certain to be on disk (--cuts N; Linux, needs strace)",
  rolling:
    "three replicas behind nginx with PostgreSQL and Valkey, each restarted in turn under load (--rounds N)",
  servers:
    "three servers on PostgreSQL; SIGKILL to one of them, to PostgreSQL, to a primary with a standby, to Redis (--rounds N --seed S --control)",
  fsync: "flushes to disk that fail under load, for a while or permanently (--rounds N; Linux, needs strace)",
};

process.exit(await runSubcommand("soak", SUBCOMMANDS, process.argv.slice(2)));
