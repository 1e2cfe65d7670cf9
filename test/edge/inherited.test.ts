import { connect } from "node:net";
import { describe, expect, test } from "bun:test";
import { openInherited } from "../../src/edge/inherited.ts";
import { openListeningSocket } from "../support/listening-socket.ts";
import { until } from "../support/until.ts";

const ASK = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/** Our listener behind a socket of a service manager, which answers everything with so many bytes. */
async function relayed({ bytes, stalledMs }: { bytes: number; stalledMs: number }) {
  const body = new Uint8Array(bytes);
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(body) });
  const socket = openListeningSocket();
  const inherited = await openInherited(socket.fd, { stalledMs });
  inherited.relayTo(server.port ?? 0);
  return {
    inherited,
    reader: () => connect(socket.port, "127.0.0.1").on("error", () => {}),
    async [Symbol.asyncDispose]() {
      await inherited.close(0);
      await server.stop(true);
      socket[Symbol.dispose]();
    },
  };
}

describe.skipIf(process.platform !== "linux")("a client behind an inherited socket", () => {
  test.each([
    ["at once", 0],
    ["after it has been silent for longer than it may stall", 800],
  ])("that asks %s and never reads is let go of", async (_, silentMs) => {
    // More than fits into the buffers on its way.
    await using behind = await relayed({ bytes: 40_000_000, stalledMs: 400 });
    const readers = Array.from({ length: 20 }, () => behind.reader().pause());
    await until("all are relayed", () => behind.inherited.size === readers.length);
    await Bun.sleep(silentMs);
    for (const reader of readers) reader.write(ASK);
    await until("nothing is held any more", () => behind.inherited.size === 0);
    expect(readers.every((reader) => reader.bytesRead < 40_000_000)).toBe(true);
    for (const reader of readers) reader.destroy();
  });

  test("that reads slowly gets everything", async () => {
    // Ten times as long as a reader pauses, so that a machine with much to do makes no difference.
    await using behind = await relayed({ bytes: 8_000_000, stalledMs: 4_000 });
    const reader = behind.reader();
    const ended = Promise.withResolvers<void>();
    let bytes = 0;
    reader.on("data", ({ length }) => {
      bytes += length;
      reader.pause();
      setTimeout(() => reader.resume(), 400);
    });
    reader.on("end", () => ended.resolve());
    reader.write(ASK);
    await ended.promise;
    expect(bytes).toBeGreaterThan(8_000_000);
  });
});
