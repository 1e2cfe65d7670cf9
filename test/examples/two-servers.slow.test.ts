/** docs/examples/two-servers as plain processes: the settings of the compose file, with its host names replaced, behind its nginx. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type } from "arktype";
import { outputOf } from "../../scripts/command-output.ts";
import { freePort } from "../support/background-server.ts";
import { tempFolder } from "../support/folder.ts";
import { hasNginx, startNginx } from "../support/nginx.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { PROGRAM } from "../support/program.ts";
import { hasRedis, startRedis } from "../support/redis.ts";
import { startServerProcess } from "../support/server-process.ts";

const COMPOSE = readFileSync(join(import.meta.dir, "../../docs/examples/two-servers/compose.yaml"), "utf8");
const SERVERS = ["execcomp-1", "execcomp-2"] as const;
const PASSWORD = "a-password";
const USER = "rolling@example.com";
const Compose = type({ services: { "[string]": { "environment?": { "[string]": "string" } } } });
const isPossible = hasNginx && hasPostgres && hasRedis;
if (!isPossible) console.log("skipped: two servers behind nginx need nginx, PostgreSQL and Redis or Valkey");

/** The environment of the servers in the compose file. @param replaced its host names, and the addresses of this machine */
function environmentOf(replaced: Readonly<Record<string, string>>): Record<string, string> {
  const text = Object.entries({ "${POSTGRES_PASSWORD:?}": PASSWORD, ...replaced }).reduce(
    (all, [name, address]) => all.replaceAll(name, address),
    COMPOSE,
  );
  return Compose.assert(Bun.YAML.parse(text)).services[SERVERS[0]]?.environment ?? {};
}

test.skipIf(!isPossible)(
  "each is restarted in turn under load: no request fails, and each charge is in the ledger once",
  async () => {
    const folder = tempFolder();
    await using postgres = await startPostgres();
    await using redis = await startRedis();
    await using sql = new Bun.SQL(postgres.url, { max: 1 });
    await sql.unsafe(`CREATE ROLE execcomp LOGIN PASSWORD '${PASSWORD}'`);
    await sql.unsafe("ALTER DATABASE execcomp OWNER TO execcomp");
    const ports = SERVERS.map(freePort);
    const hosts = SERVERS.map((name, at) => [`${name}:8402`, `127.0.0.1:${ports[at]}`]);
    await using nginx = await startNginx(folder, Object.fromEntries(hosts));
    const environment = {
      ...environmentOf({
        "postgres:5432": `127.0.0.1:${postgres.port}`,
        "valkey:6379": `127.0.0.1:${redis.port}`,
        "TRUSTED_PROXIES: 10.89.7.2": "TRUSTED_PROXIES: 127.0.0.1",
        "localhost:8402": `localhost:${nginx.port}`,
      }),
      EXECCOMP_RATE_ANONYMOUS: "1000000",
      EXECCOMP_RATE_KEY: "1000000",
    };
    const start = (at: number) =>
      startServerProcess(["--port", String(ports[at])], { dataDir: join(folder, String(at)), environment });
    const servers = [await start(0), await start(1)];
    const env = { ...process.env, ...environment, EXECCOMP_DATA_DIR: join(folder, "0") };
    const command = (...words: string[]) =>
      outputOf([...PROGRAM, ...words, "--user", USER, "--json"], { env });
    const { key } = JSON.parse(await command("keys", "create"));
    await command("credits", "grant", "--amount", "1000000");

    const outcomes = new Map<string, number>();
    let charged = 0;
    const over = new AbortController();
    const caller = async (n: number) => {
      const [path, headers] = n % 2 === 0 ? ["/t/AAPL/facts", {}] : [HISTORY, { "x-api-key": key }];
      while (!over.signal.aborted) {
        const outcome = await fetch(`http://localhost:${nginx.port}${path}`, { headers }).then(
          async (answer) => {
            charged += Number(answer.headers.get("credits-charged") ?? 0);
            return (await answer.text()).includes("74294811") ? "answered" : `${path} ${answer.status}`;
          },
          (error: unknown) => `${path} ${String(error)}`,
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    };
    const callers = Array.from({ length: 6 }, (_, n) => caller(n));
    for (const at of [0, 1]) {
      await Bun.sleep(300);
      expect(await servers[at]?.stop()).toBe(0);
      servers[at] = await start(at);
    }
    over.abort();
    await Promise.all(callers);
    expect([...outcomes.keys()]).toEqual(["answered"]);
    const shown = JSON.parse(await command("credits", "show"));
    expect(charged).toBeGreaterThan(0);
    expect(shown.charged).toBe(charged);
  },
  300_000,
);

const HISTORY = "/api/executive-compensation?ticker=AAPL";
