import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { cli, type Ran } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
let made = 0;

/** Serves in this process until `stop` is called; `origin` is what its ready line states. */
async function serving(...flags: string[]): Promise<{ origin: string; stop(): Promise<Ran> }> {
  const ready = Promise.withResolvers<string>();
  const stopped = Promise.withResolvers<string>();
  const ended = cli("serve", "--port", "0", ...flags, {
    environment: { EXECCOMP_DATA_DIR: join(folder, String(++made)) },
    stopped: stopped.promise,
    onOut: (text) => ready.resolve(/^ready (\S+)$/m.exec(text)?.[1] ?? text),
  });
  const first = await Promise.race([ready.promise, ended]);
  if (typeof first !== "string") throw new Error(`ended with ${first.code}: ${first.err}`);
  return {
    origin: first,
    stop() {
      stopped.resolve("SIGTERM");
      return ended;
    },
  };
}
const events = ({ err }: Ran): Record<string, unknown>[] =>
  err
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("serve", () => {
  test("prints where it is ready, answers there, and exits with 0 when stopped", async () => {
    const server = await serving();
    expect(server.origin).toMatch(/^http:\/\/localhost:\d+$/);
    expect((await fetch(`${server.origin}/t/AAPL/facts`)).status).toBe(200);
    const ran = await server.stop();
    expect(ran.code).toBe(0);
    expect(ran.out.split("\n")[0]).toBe(`ready ${server.origin}`);
    await expect(fetch(`${server.origin}/livez`)).rejects.toThrow();
  });

  test("prints only addresses that answer: the public one, and that of a loopback address without a usual name", async () => {
    const behind = await serving("--public-url", "https://pay.example.com");
    const { out } = await behind.stop();
    expect(out.split("\n")[0]).toBe("ready https://pay.example.com");
    expect(out).toMatch(/^listening on 127\.0\.0\.1:\d+, answers for https:\/\/pay\.example\.com only$/m);
    expect(out).toContain("  https://pay.example.com/set-up?token=");
    expect(out).not.toContain("://localhost");
    const second = await serving("--host", "127.0.0.2");
    expect(second.origin).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
    expect((await fetch(`${second.origin}/t/AAPL/facts`)).status).toBe(200);
    expect((await second.stop()).out).not.toContain("listening");
    const { out: checked } = await cli("serve", "--check", "--port", "0", {
      environment: { EXECCOMP_DATA_DIR: join(folder, "checked") },
    });
    expect(checked).toContain("would serve on a free port");
  });

  test("prints a link for the first owner, unless one is configured", async () => {
    const first = await serving();
    const { out, err } = await first.stop();
    const token = /\/set-up\?token=(xc_link_\w{38})$/m.exec(out)?.[1];
    expect(token).toBeDefined();
    expect(err).not.toContain("xc_link_");
    const owned = await serving(
      "--owner-email",
      "ann@example.com",
      "--owner-password",
      "correct horse battery",
    );
    expect((await owned.stop()).out).toBe(`ready ${owned.origin}\n`);
  });

  test("allows open sign-up only if the server cannot be reached from outside", async () => {
    const ran = await cli(
      "serve",
      "--port",
      "0",
      "--host",
      "0.0.0.0",
      "--public-url",
      "https://a.example.com",
      {
        environment: { EXECCOMP_DATA_DIR: join(folder, "signup"), EXECCOMP_SIGN_UP: "open" },
      },
    );
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain("--sign-up invite");
  });

  test("refuses a data folder that another server has locked", async () => {
    const server = await serving();
    const ran = await cli("serve", "--port", "0", {
      environment: { EXECCOMP_DATA_DIR: join(folder, String(made)) },
    });
    await server.stop();
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain("Another execcomp server is running on");
  });

  test("logs one JSON line per event, with the current dataset, and never a key or a query", async () => {
    const server = await serving();
    const key = "xc_live_0123456789abcdefghijklmnopqrstuv012345";
    const answer = await fetch(`${server.origin}/api/executive-compensation?ticker=AAPL&key=${key}`, {
      headers: { "x-api-key": key },
    });
    await fetch(`${server.origin}/t/${key}/facts`);
    const ran = await server.stop();
    const [started, request, ...more] = events(ran);
    expect(started).toMatchObject({ event: "started", origin: server.origin, snapshotOrigin: "embedded" });
    expect(request).toMatchObject({
      event: "request",
      id: answer.headers.get("x-request-id"),
      method: "GET",
      path: "/api/executive-compensation",
      status: answer.status,
    });
    expect(more.map(({ event }) => event)).toEqual(["request", "stopping", "stopped"]);
    expect(ran.err).not.toContain(key);
    expect(ran.err).not.toContain("AAPL&");
  });

  test("names the flag to change when its port is in use, exit 1", async () => {
    const server = await serving();
    const { port } = new URL(server.origin);
    const second = await cli("serve", "--port", port, {
      environment: { EXECCOMP_DATA_DIR: join(folder, "second") },
    });
    expect(second).toMatchObject({ code: 1, out: "" });
    expect(second.err).toContain(`Port ${port}`);
    expect(second.err).toContain("--port");
    await server.stop();
  });

  test("refuses to be reachable by others without a public URL, and names the flag", async () => {
    const ran = await cli("serve", "--port", "0", "--host", "0.0.0.0", {
      environment: { EXECCOMP_DATA_DIR: join(folder, "open") },
    });
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain("--public-url");
  });

  test.each(["https://pay.example.com/api", "ftp://pay.example.com", "pay.example.com"])(
    "refuses the public URL %s",
    async (url) => {
      const ran = await cli("serve", "--port", "0", "--public-url", url);
      expect(ran).toMatchObject({ code: 2, out: "" });
      expect(ran.err).toContain(`--public-url "${url}"`);
    },
  );

  test("a wrong value is a usage error as a flag, a refusal in the environment", async () => {
    const environment = { EXECCOMP_PORT: "70000", EXECCOMP_DATA_DIR: join(folder, "wrong") };
    expect(await cli("serve", { environment })).toMatchObject({ code: 1, out: "" });
  });

  test("nothing else serves: without a command there is short help, and flags alone say which command takes them", async () => {
    const none = await cli();
    expect([none.code, none.out]).toEqual([2, ""]);
    expect(none.err).toStartWith("Usage: execcomp COMMAND [FLAGS]\n");
    expect(none.err).toContain("  execcomp serve ");
    const flags = await cli("--port", "0", "--data-dir", "/srv/my data");
    expect([flags.code, flags.out]).toEqual([2, ""]);
    expect(flags.err).toBe(
      "The command is missing. To serve: execcomp serve --port 0 --data-dir '/srv/my data'\n",
    );
  });
});
