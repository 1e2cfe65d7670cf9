import { describe, expect, test } from "bun:test";
import { lstatSync, existsSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const folder = tempFolder();
const PUBLIC_URL = "http://pay.example.com";
const host = new URL(PUBLIC_URL).host;

/** A server of its own process, as a service manager starts it. */
async function start(place: string, ...flags: string[]) {
  const words = ["serve", "--socket", join(folder, place, "http.sock"), "--public-url", PUBLIC_URL, ...flags];
  const child = Bun.spawn([...PROGRAM, ...words], {
    env: { EXECCOMP_DATA_DIR: join(folder, place), HOME: folder, PATH: process.env["PATH"] },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const reader = child.stdout.getReader();
  let out = "";
  while (!out.includes("ready ")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`ended with ${await child.exited}`);
    out += new TextDecoder().decode(value);
  }
  reader.releaseLock();
  return child;
}

function ask(place: string, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`http://${host}${path}`, {
    ...init,
    headers: { host, connection: "close", ...init.headers },
    unix: join(folder, place, "http.sock"),
  });
}

describe.skipIf(process.platform === "win32")("on a Unix socket", () => {
  test("a server answers behind a link, for its group only, believes the proxy, and leaves nothing behind", async () => {
    const server = await start("one", "--rate-anonymous", "2");
    const link = join(folder, "one", "http.sock");
    expect(readlinkSync(link)).toBe(`http.sock.${server.pid}`);
    expect(statSync(link).mode & 0o777).toBe(0o660);
    const from = (address: string) =>
      ask("one", "/t/AAPL/facts", { headers: { "x-forwarded-for": address } });
    const statuses = [];
    for (const address of ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "6.6.6.6, 192.0.2.1"])
      statuses.push((await from(address)).status);
    // Counted by the address that the proxy added last, whatever the caller put in front of it.
    expect(statuses).toEqual([200, 200, 429, 200, 429]);
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    expect(readdirSync(join(folder, "one")).filter((name) => name.startsWith("http.sock"))).toEqual([]);
  });

  test("a second server without --take-over is refused, and the first one stays behind the link", async () => {
    const server = await start("two");
    await expect(start("two")).rejects.toThrow("ended with 1");
    expect((await ask("two", "/livez")).status).toBe(200);
    server.kill("SIGTERM");
    await server.exited;
  });

  test("servers take over from one another while requests come, and none of them fails", async () => {
    let server = await start("three");
    const first = server;
    const going = { on: true };
    const statuses: Record<string, number> = {};
    const caller = async () => {
      while (going.on) {
        const status = await ask("three", "/mcp", {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            "x-forwarded-for": `192.0.2.${1 + (Math.floor(performance.now()) % 200)}`,
          },
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        }).then(
          (answer) => answer.arrayBuffer().then(() => String(answer.status)),
          (error) => `failed: ${String(error)}`,
        );
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    const callers = Array.from({ length: 8 }, caller);
    for (let restarts = 0; restarts < 3; restarts++) {
      const next = await start("three", "--take-over");
      expect(await server.exited).toBe(0);
      server = next;
    }
    going.on = false;
    await Promise.all(callers);
    server.kill("SIGTERM");
    await server.exited;
    expect(first.pid).not.toBe(server.pid);
    expect(Object.keys(statuses)).toEqual(["200"]);
    expect(statuses["200"]).toBeGreaterThan(50);
  }, 300_000);

  test("a link that a killed server left is taken over", async () => {
    const server = await start("four");
    server.kill("SIGKILL");
    await server.exited;
    expect(lstatSync(join(folder, "four", "http.sock")).isSymbolicLink()).toBe(true);
    const next = await start("four", "--take-over");
    expect((await ask("four", "/readyz")).status).toBe(200);
    next.kill("SIGTERM");
    expect(await next.exited).toBe(0);
    expect(existsSync(join(folder, "four", "http.sock"))).toBe(false);
  });
});

test("--take-over without --socket, and a socket without a public URL, are refused", async () => {
  const environment = { EXECCOMP_DATA_DIR: join(folder, "five") };
  const alone = await cli("serve", "--take-over", { environment });
  expect([alone.code, alone.err.includes("needs --socket")]).toEqual([2, true]);
  const nameless = await cli("serve", "--socket", join(folder, "five.sock"), { environment });
  expect([nameless.code, nameless.err.includes("--public-url")]).toEqual([1, true]);
});
