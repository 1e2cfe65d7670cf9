import { describe, expect, test } from "bun:test";
import { ASK, relayed } from "../../support/relayed.ts";
import { until } from "../../support/until.ts";

describe.skipIf(process.platform !== "linux")("a client behind an inherited socket", () => {
  test.each([
    ["at once", 0],
    ["after it has been silent for longer than it may stall", 800],
  ])("that requests %s and never reads is disconnected", async (_, silentMs) => {
    // More than fits into the buffers along the way.
    await using behind = await relayed({ bytes: 40_000_000, stalledMs: 400 });
    const readers = Array.from({ length: 5 }, () => behind.reader().pause());
    await until("all are relayed", () => behind.inherited.size === readers.length);
    await Bun.sleep(silentMs);
    for (const reader of readers) reader.write(ASK);
    await until("no connection is left", () => behind.inherited.size === 0);
    expect(readers.every((reader) => reader.bytesRead < 40_000_000)).toBe(true);
    for (const reader of readers) reader.destroy();
  });
});
