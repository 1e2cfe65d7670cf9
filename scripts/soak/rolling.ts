/**
 * Three replicas behind nginx, with PostgreSQL and Valkey, each restarted in turn under load:
 *
 *     bun run soak rolling [--rounds 10] [--executable dist/execcomp]
 *
 * Runs the services of `docs/scaling/compose.yaml` and `nginx.conf` as plain processes on this machine: the replicas'
 * settings are those of the file, with its host names replaced. No request may fail, and the ledger must have exactly
 * the charges that were answered.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type } from "arktype";
import { freePort } from "../../test/support/background-server.ts";
import { hasNginx, startNginx } from "../../test/support/nginx.ts";
import { hasPostgres, startPostgres } from "../../test/support/postgres.ts";
import { hasRedis, startRedis } from "../../test/support/redis.ts";
import { SOURCES } from "../../test/support/program.ts";
import { type ServerProcess, startServerProcess } from "../../test/support/server-process.ts";
import { outputOf } from "../command-output.ts";
import { startCallers } from "./round.ts";

const ROOT = dirname(dirname(import.meta.dir));
const FILES = join(ROOT, "docs", "scaling");
const REPLICAS = ["execcomp-1", "execcomp-2", "execcomp-3"] as const;
const PASSWORD = "a-password";
const USER = "rolling@example.com";

/** The parts of the compose file that are used. */
const Compose = type({
  services: { "[string]": { "environment?": { "[string]": "string" } } },
});

/** The result of one run. */
export interface RollingRun {
  restarts: number;
  /** Outcomes of requests with their counts: a status, or why there was none. */
  outcomes: Map<string, number>;
  /** Charged answers, and charges in the ledger. */
  charged: number;
  ledger: number;
}

/** Why it cannot be run here; null if it can. */
export function missingForRolling(): string | null {
  const needed = { nginx: hasNginx, PostgreSQL: hasPostgres, "Redis or Valkey": hasRedis };
  const missing = Object.entries(needed).flatMap(([name, isThere]) => (isThere ? [] : [name]));
  return missing.length === 0 ? null : `${missing.join(", ")} not installed`;
}

/** Starts everything, restarts each replica the given number of times under load, and stops everything. */
export async function runRolling(rounds: number, program: readonly string[] = SOURCES): Promise<RollingRun> {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-rolling-"));
  await using postgres = await startPostgres();
  await using redis = await startRedis();
  const ports = Object.fromEntries(REPLICAS.map((name) => [name, freePort()]));
  const hosts: Record<string, string> = {
    "postgres:5432": `127.0.0.1:${postgres.port}`,
    "valkey:6379": `127.0.0.1:${redis.port}`,
    ...Object.fromEntries(REPLICAS.map((name) => [`${name}:8402`, `127.0.0.1:${ports[name]}`])),
  };
  await makeRole(postgres.url);
  await using nginx = await startNginx(folder, hosts);
  const start = (name: (typeof REPLICAS)[number]) =>
    startServerProcess(["--port", String(ports[name])], {
      dataDir: join(folder, name),
      environment: {
        ...settingsOf(name, hosts, nginx.port),
        EXECCOMP_RATE_ANONYMOUS: "1000000",
        EXECCOMP_RATE_KEY: "1000000",
      },
      program,
    });
  const replicas = new Map<(typeof REPLICAS)[number], ServerProcess>();
  try {
    for (const name of REPLICAS) replicas.set(name, await start(name));
    const [first] = replicas.values();
    if (first === undefined) throw new Error("no replica");
    const environment = settingsOf(REPLICAS[0], hosts, nginx.port);
    const env = { ...process.env, ...environment, EXECCOMP_DATA_DIR: first.dataDir };
    const command = (...words: string[]) => outputOf([...program, ...words], { env });
    const json = await command("keys", "create", "--user", USER, "--json");
    await command("credits", "grant", "--user", USER, "--amount", "1000000");
    const { key } = JSON.parse(json) as { key: string };
    const load = putLoad(`http://localhost:${nginx.port}`, key);
    let restarts = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const name of REPLICAS) {
        await Bun.sleep(300);
        const code = await replicas.get(name)?.stop();
        if (code !== 0) load.outcomes.set(`${name} ended with ${code}`, 1);
        replicas.set(name, await start(name));
        restarts += 1;
      }
    }
    await load.end();
    const shown = await command("credits", "show", "--user", USER, "--json");
    const { charged } = JSON.parse(shown) as { charged: number };
    return { restarts, outcomes: load.outcomes, charged: load.charged(), ledger: charged };
  } finally {
    for (const replica of replicas.values()) await replica.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The environment of a replica in the compose file, adapted to processes on this machine. */
function settingsOf(name: string, hosts: Record<string, string>, port: number): Record<string, string> {
  const text = readFileSync(join(FILES, "compose.yaml"), "utf8").replaceAll(
    /\$\{POSTGRES_PASSWORD:\?\}/g,
    PASSWORD,
  );
  const { services } = Compose.assert(Bun.YAML.parse(text));
  const environment = services[name]?.environment ?? {};
  return Object.fromEntries(
    Object.entries(environment).map(([variable, value]) => [
      variable,
      Object.entries(hosts)
        .reduce((replaced, [host, address]) => replaced.replaceAll(host, address), value)
        .replace("10.89.7.2", "127.0.0.1")
        .replace("localhost:8402", `localhost:${port}`),
    ]),
  );
}

/** The user and the database that the PostgreSQL image creates. */
async function makeRole(url: string): Promise<void> {
  await using sql = new Bun.SQL(url, { max: 1 });
  await sql.unsafe(`CREATE ROLE execcomp LOGIN PASSWORD '${PASSWORD}'`);
  await sql.unsafe("ALTER DATABASE execcomp OWNER TO execcomp");
}

const CALLERS = 8;
const CALL = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "get_executive_compensation", arguments: { ticker: "AAPL", limit: 4 } },
});

/** Callers with one request at a time: facts, history with a key, and the same over MCP, which is a POST. */
function putLoad(origin: string, key: string) {
  const outcomes = new Map<string, number>();
  let charged = 0;
  const kinds: (() => Promise<Response>)[] = [
    () => fetch(`${origin}/t/AAPL/facts`),
    () => fetch(`${origin}/api/executive-compensation?ticker=AAPL`, { headers: { "x-api-key": key } }),
    () =>
      fetch(`${origin}/mcp`, {
        method: "POST",
        headers: {
          "x-api-key": key,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-11-25",
        },
        body: CALL,
      }),
  ];
  const { end } = startCallers(CALLERS, async (n) => {
    const kind = n % kinds.length;
    const outcome = await (kinds[kind] ?? fetch)(origin).then(
      async (answer) => {
        charged += Number(answer.headers.get("credits-charged") ?? 0);
        const text = await answer.text();
        const isRight = answer.ok && text.includes("74294811");
        return isRight ? "answered" : `${kind}: ${answer.status} ${text.slice(0, 200)}`;
      },
      (error: unknown) => `${kind}: ${String(error)}`,
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  });
  return { outcomes, charged: () => charged, end };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { rounds: { type: "string", default: "10" }, executable: { type: "string" } },
  });
  const missing = missingForRolling();
  if (missing !== null) {
    console.log(`skipped: ${missing}`);
    return 0;
  }
  const { executable } = values;
  const run = await runRolling(Number(values.rounds), executable === undefined ? undefined : [executable]);
  for (const [outcome, times] of run.outcomes) console.log(`${times} ${outcome}`);
  console.log(`${run.restarts} restarts; charged ${run.charged} answered, ${run.ledger} in the ledger`);
  const failed = [...run.outcomes.keys()].some((outcome) => outcome !== "answered");
  return failed || run.charged !== run.ledger ? 1 : 0;
}

if (import.meta.main) process.exit(await main());
