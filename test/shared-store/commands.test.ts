import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { startServerProcess } from "../support/server-process.ts";
import { until } from "../support/until.ts";
import { realRuntime } from "../../src/runtime.ts";

const postgres = hasPostgres ? await startPostgres() : null;
const folder = tempFolder();

describe.skipIf(postgres === null)("commands and a server on PostgreSQL", () => {
  const store = postgres?.url ?? "";
  const run = (line: string) =>
    cli(...line.split(" "), {
      environment: { EXECCOMP_DATA_DIR: folder, EXECCOMP_STORE: store },
      runtime: realRuntime(),
    });

  test("keys, credits, users, audit and doctor use the database", async () => {
    const made = (await run("keys create --user Ann@Example.com --name laptop --json")).json() as {
      key: string;
    };
    expect(made).toMatchObject({ user: "ann@example.com", key: expect.stringMatching(/^xc_live_/) });
    await run("credits grant --user ann@example.com --amount 50");
    expect((await run("users list --json")).json()).toMatchObject([
      { user: "ann@example.com", balance: 150 },
    ]);
    expect((await run("audit --json")).out).toContain("key_created");
    expect((await run("doctor --json")).json()).toMatchObject({
      findings: [
        { check: "store", status: "ok" },
        { check: "owner" },
        { check: "ledger", status: "ok" },
        { check: "dataset" },
      ],
    });
    const flagged = await cli("users", "list", "--json", "--store", store, "--data-dir", folder);
    expect(flagged.json()).toMatchObject([{ user: "ann@example.com" }]);
  });

  test("a real server uses what the commands created, and reveals no address", async () => {
    const { key } = (await run("keys create --user bob@example.com --name server --json")).json() as {
      key: string;
    };
    const server = await startServerProcess([], { environment: { EXECCOMP_STORE: store } });
    const ask = () =>
      fetch(`${server.origin}/api/executive-compensation?ticker=AAPL`, { headers: { "x-api-key": key } });
    expect((await ask()).status).toBe(200);
    expect((await run("credits show --user bob@example.com --json")).json()).toMatchObject({ balance: 99 });
    const [listed] = (await run("keys list --user bob@example.com --json")).json() as { id: string }[];
    await run(`keys revoke ${listed?.id}`);
    await until("the key is refused by the server", async () => (await ask()).status === 401);
    expect(await server.stop()).toBe(0);
    expect(server.log()).not.toContain("postgres://");
  }, 300_000);

  test("commands that concern only the data folder are refused with a message", async () => {
    for (const line of ["backup copy.sqlite", "restore copy.sqlite"]) {
      const refused = await run(line);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("pg_dump --format=custom")]);
    }
  });

  test("a database of somebody else is refused with what to do, by a check and by a start", async () => {
    await using admin = new SQL(store, { max: 1 });
    await admin.unsafe("CREATE ROLE stranger LOGIN");
    const url = store.replace("//postgres@", "//stranger@");
    const database = (await postgres?.createDatabase())?.split("/").at(-1);
    for (const words of [["--check"], []]) {
      const refused = await cli("serve", "--port", "0", ...words, {
        environment: { EXECCOMP_DATA_DIR: folder, EXECCOMP_STORE: url.replace(/[^/]*$/, database ?? "") },
        runtime: realRuntime(),
      });
      // A start serves without accounts, as while a database is down.
      expect([refused.code, refused.err]).toEqual([
        words.length,
        expect.stringContaining(`ALTER DATABASE ${database} OWNER TO stranger`),
      ]);
    }
  });

  test("--require-store is about the folder: a check warns of it, as a start ignores it", async () => {
    const checked = await run("serve --check --require-store");
    expect([checked.code, checked.err]).toEqual([
      0,
      expect.stringContaining("--require-store has no effect"),
    ]);
  });

  test("an unreachable database is named, without its password", async () => {
    const refused = await cli(
      "users",
      "list",
      "--store",
      "postgres://ann:hunter2@127.0.0.1:1/pay",
      "--data-dir",
      folder,
    );
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("PostgreSQL at 127.0.0.1:1/pay cannot be used");
    expect(refused.err).not.toContain("hunter2");
  });
});

test("the address is masked where settings are shown, and refused if nothing may leave the machine", async () => {
  const store = "postgres://ann:hunter2@db.internal/pay";
  const shown = await cli("config", "print", "--store", store, "--data-dir", folder);
  expect(shown.out).not.toContain("hunter2");
  const refused = await cli("serve", "--check", "--offline", "--store", store, "--data-dir", folder);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("--store connects to a database")]);
  const bad = await cli("serve", "--check", "--store", "mysql://ann:hunter2@db/pay", "--data-dir", folder);
  expect(bad.code).not.toBe(0);
  expect(bad.err).not.toContain("hunter2");
});
