import { describe, expect, test } from "bun:test";
import { lstatSync, existsSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { socketServers } from "./socket-servers.ts";

const { folder, start, ask } = socketServers();

describe.skipIf(process.platform === "win32")("on a Unix socket", () => {
  test("a server listens behind a symbolic link, for its group only, trusts the proxy, and leaves nothing behind", async () => {
    const server = await start("one", "--rate-anonymous", "2");
    const link = join(folder, "one", "http.sock");
    expect(readlinkSync(link)).toBe(`http.sock.${server.pid}`);
    expect(statSync(link).mode & 0o777).toBe(0o660);
    const from = (address: string) =>
      ask("one", "/t/AAPL/facts", { headers: { "x-forwarded-for": address } });
    const statuses = [];
    for (const address of ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "6.6.6.6, 192.0.2.1"])
      statuses.push((await from(address)).status);
    // Counted by the address that the proxy appended, whatever the caller put before it.
    expect(statuses).toEqual([200, 200, 429, 200, 429]);
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    expect(readdirSync(join(folder, "one")).filter((name) => name.startsWith("http.sock"))).toEqual([]);
  });

  test("a second server without --take-over is refused, and the first one keeps the link", async () => {
    const server = await start("two");
    await expect(start("two")).rejects.toThrow("ended with 1");
    expect((await ask("two", "/livez")).status).toBe(200);
    server.kill("SIGTERM");
    await server.exited;
  });

  test("a link left by a killed server is taken over", async () => {
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
  expect([alone.code, alone.err.includes("requires --socket")]).toEqual([2, true]);
  const nameless = await cli("serve", "--socket", join(folder, "five.sock"), { environment });
  expect([nameless.code, nameless.err.includes("--public-url")]).toEqual([1, true]);
});
