import { describe, expect, test } from "bun:test";
import { ASK, relayed } from "../../support/relayed.ts";

describe.skipIf(process.platform !== "linux")("a client behind an inherited socket", () => {
  test("that reads slowly receives everything", async () => {
    // Ten times as long as a reader pauses, so that a busy machine makes no difference.
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
