/** A statement of `run_sql` ends when the client cancels the call: two abandoned ones would block all others. */
import { expect, test } from "bun:test";
import { mcpOverStdio } from "../../src/mcp/stdio.ts";
import type { SqlRunner } from "../../src/operations/sql.ts";
import { startTestServer } from "../support/server.ts";

test("a cancelled call ends its statement", async () => {
  const server = await startTestServer();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const say = (message: object) =>
    writer.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  const begun = Promise.withResolvers<AbortSignal | undefined>();
  const ended = Promise.withResolvers<never>();
  const sql: SqlRunner = {
    run(_, { signal } = {}) {
      begun.resolve(signal);
      return ended.promise;
    },
  };
  const over = mcpOverStdio({
    ...server.services.operations,
    sql,
    input: readable,
    write: () => Promise.resolve(),
    presented: { kind: "none" },
    purchase: { status: "coming_soon", url: "http://localhost/developer" },
    id: () => "request",
    onFault() {},
    stopped: new Promise(() => {}),
  });
  try {
    const clientInfo = { name: "test", version: "1" };
    await say({
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
    });
    await say({ method: "notifications/initialized" });
    await say({
      id: 1,
      method: "tools/call",
      params: { name: "run_sql", arguments: { statement: "select 1" } },
    });
    const signal = await begun.promise;
    expect(signal?.aborted).toBe(false);
    const aborted = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
    await say({ method: "notifications/cancelled", params: { requestId: 1 } });
    await aborted;
    expect(signal?.aborted).toBe(true);
  } finally {
    await writer.close();
    await over;
    await server.stop();
  }
});
