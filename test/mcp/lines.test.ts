import { expect, test } from "bun:test";
import { LineTransport } from "../../src/mcp/stdio.ts";
import { MAX_CALL_BYTES } from "../../src/mcp/request.ts";

/** A transport with an input that the test writes, and its output so far. */
function connected(longestCallMs?: number) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const written: { id: unknown; error?: { code: number } }[] = [];
  const heard: unknown[] = [];
  const write = (text: string) => {
    written.push(JSON.parse(text));
    return Promise.resolve();
  };
  const transport = new LineTransport({ input: readable, write }, longestCallMs);
  Object.assign(transport, { onmessage: (message: unknown) => void heard.push(message) });
  let isOver = false;
  void transport.ended.then(() => (isOver = true));
  return {
    transport,
    written,
    heard,
    isOver: () => isOver,
    say: (text: string) => writer.write(new TextEncoder().encode(text)),
    end: () => writer.close(),
  };
}

const request = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`;
const cancel = (requestId: number) =>
  `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } })}\n`;

/** Enough turns of the event loop for everything that does not wait for a clock. */
async function turns(count = 50): Promise<void> {
  for (let n = 0; n < count; n += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
}

test("after the end of input every request is awaited, except a cancelled one", async () => {
  const line = connected();
  await line.transport.start();
  await line.say(request(1) + request(2));
  await line.say(cancel(1));
  await line.end();
  await turns();
  expect([line.heard.length, line.isOver()]).toEqual([3, false]);
  await line.transport.send({ jsonrpc: "2.0", id: 2, result: {} });
  await turns();
  expect(line.isOver()).toBe(true);
});

test("slow calls one after another are all awaited, and a call that never answers is not", async () => {
  const line = connected(60);
  await line.transport.start();
  await line.say([1, 2, 3, 4].map(request).join(""));
  await line.end();
  for (const id of [1, 2, 3]) {
    await Bun.sleep(45);
    expect(line.isOver()).toBe(false);
    await line.transport.send({ jsonrpc: "2.0", id, result: {} });
  }
  await line.transport.ended;
  expect(line.written.map(({ id }) => id)).toEqual([1, 2, 3]);
});

test("a line that is too long is refused once, however it arrives, and the next one is served", async () => {
  for (const piece of [MAX_CALL_BYTES * 3, 40_000, 1000]) {
    const line = connected();
    await line.transport.start();
    const long = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x".repeat(MAX_CALL_BYTES * 2) });
    for (let at = 0; at < long.length; at += piece) await line.say(long.slice(at, at + piece));
    await line.say(`\n${request(2)}`);
    await turns();
    expect(line.written).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(line.heard).toMatchObject([{ id: 2 }]);
    await line.transport.close();
  }
});
