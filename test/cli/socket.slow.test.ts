import { describe, expect, test } from "bun:test";
import { socketServers } from "./socket-servers.ts";

const { start, ask } = socketServers();

describe.skipIf(process.platform === "win32")("on a Unix socket", () => {
  test("servers take over from each other during requests, and none fails", async () => {
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
    // More than are under way at once.
    expect(statuses["200"]).toBeGreaterThan(callers.length);
  }, 300_000);
});
