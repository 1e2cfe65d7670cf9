import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runtime } from "../../src/runtime.ts";
import { createApp, startServer } from "../../src/server/app.ts";
import { type Accounts, type Services, openServices } from "../../src/server/compose.ts";
import { loadConfig } from "../../src/config/load.ts";
import { type SettingName } from "../../src/config/settings.ts";
import type { ExecutiveCompensation } from "../../src/domain/row-fields.ts";
import type { SqliteStore } from "../../src/store/open.ts";
import { createLog } from "../../src/log.ts";
import { writeUnmetered } from "../../src/accounts/credits.ts";
import { cheapPasswords } from "./passwords.ts";
import { type TestRuntime, testRuntime } from "./runtime.ts";
import { PROGRAM } from "./program.ts";

/** The real server on a free port, with a real database in its own folder and a clock that the test moves. */
export interface TestServer {
  origin: string;
  port: number;
  services: Services;
  accounts: Accounts & { store: SqliteStore };
  runtime: TestRuntime;
  /** Lines of its log. */
  lines: string[];
  /** A request over HTTP; redirects are followed only on request. */
  get(path: string, init?: TestRequest): Promise<Response>;
  /** In-process requests as the local operator: unmetered, without a window. */
  asOperator(): (path: string) => Promise<Response>;
  /** A key of a user, who is created if necessary. */
  createKey(email?: string): Promise<string>;
  /** The one-time link shown to an operator without an owner. */
  setUpLink(): Promise<string>;
  /** Advances the clock. */
  advance(ms: number): void;
  /** What SIGHUP does if the server has its own certificate. */
  renewCertificate(): Promise<void>;
  stop(): Promise<void>;
}

/** A request of a test. */
export interface TestRequest {
  key?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  redirect?: "follow" | "manual";
}

/**
 * Starts a server.
 *
 * @param settings text of settings in addition to a free port and a fresh data folder
 * @param outside parts of the runtime that differ from a test's default: a `fetch` that reaches a replayed EDGAR
 */
export async function startTestServer(
  settings: Partial<Record<SettingName, string>> = {},
  outside: Partial<Runtime> = {},
): Promise<TestServer> {
  const dataDir = settings.dataDir ?? mkdtempSync(join(tmpdir(), "execcomp-test-"));
  const runtime = { ...testRuntime(), ...outside };
  const lines: string[] = [];
  const log = createLog(runtime, (line) => lines.push(line));
  const { config } = loadConfig({ port: "0", ...settings, dataDir }, undefined, {});
  const services = openServices(config, runtime, log, "anyone", { passwords: cheapPasswords() });
  if (services.accounts === null) throw new Error("a server has a store");
  // Tests that examine the file use a file; tests on PostgreSQL use nothing that only a file has.
  const accounts = services.accounts as TestServer["accounts"];
  services.program = PROGRAM;
  meterFirstOwner(accounts);
  const server = startServer(services);
  const { origin } = server.serverUrls.main;

  return {
    origin,
    port: server.port,
    services,
    accounts,
    runtime,
    lines,
    get(path, { key, headers = {}, ...init } = {}) {
      return fetch(`http://127.0.0.1:${server.port}${path}`, {
        redirect: "manual",
        ...init,
        headers: {
          host: new URL(origin).host,
          // Bun accepts every coding it knows; compression has its own tests.
          "accept-encoding": "identity",
          ...(key === undefined ? {} : { "x-api-key": key }),
          ...headers,
        },
      });
    },
    asOperator() {
      const app = createApp(openServices(config, runtime, log, "operator"), () => server.serverUrls);
      return async (path) => app(new Request(origin + path, { headers: { host: new URL(origin).host } }));
    },
    async createKey(email = `user-${runtime.id()}@example.com`) {
      const user = await accounts.users.findOrCreate(email);
      return (await accounts.keys.create(user.id, { name: "test" })).secret;
    },
    setUpLink: async () => `${origin}/set-up?token=${await accounts.signUps.setUpSecret()}`,
    advance: (ms) => runtime.advance(ms),
    renewCertificate: () => server.renewCertificate(),
    async stop() {
      await server.stop();
      await services.close();
      if (settings.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The first owner of a server is unmetered; tests mostly create one person, who is to pay like others. */
function meterFirstOwner({ signUps, store }: Accounts): void {
  const create = signUps.createWithPassword.bind(signUps);
  signUps.createWithPassword = async (...given) => {
    const user = await create(...given);
    await store.transact((tx) => writeUnmetered(tx, user.id, false));
    return user;
  };
}

/** The rows of a response. */
export async function rowsOf(answer: Response): Promise<ExecutiveCompensation[]> {
  const body = (await answer.json()) as { executive_compensation: ExecutiveCompensation[] };
  return body.executive_compensation;
}

/** A refusal, checked to be the flat envelope with exactly its two members, as JSON, not cached. */
export async function refusalOf(
  answer: Response,
): Promise<{ status: number; error: string; message: string }> {
  const body = (await answer.json()) as { error: string; message: string };
  if (Object.keys(body).join() !== "error,message")
    throw new Error(`not the flat envelope: ${JSON.stringify(body)}`);
  if (answer.headers.get("content-type") !== "application/json") throw new Error("not JSON");
  if (answer.headers.get("cache-control") !== "no-store") throw new Error("a refusal that may be stored");
  return { status: answer.status, ...body };
}
