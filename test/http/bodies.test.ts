import { expect, test } from "bun:test";
import { shouldStream, streamedBody } from "../../src/http/bodies.ts";

test("a streamed body keeps its bytes, whatever its length", async () => {
  for (const length of [0, 1, 15 * 1024, 15 * 1024 + 1, 100_000]) {
    const bytes = new Uint8Array(length).map((_, at) => at % 251);
    expect(await new Response(streamedBody(bytes)).bytes()).toEqual(bytes);
  }
});

test("a body is streamed above what Bun sends in one piece", () => {
  const lengths = [0, 15 * 1024, 15 * 1024 + 1, 100_000];
  expect(lengths.map((length) => shouldStream(new Uint8Array(length)))).toEqual([false, false, true, true]);
});
