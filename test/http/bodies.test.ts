import { expect, test } from "bun:test";
import { streamedBody } from "../../src/http/bodies.ts";

test("a streamed body keeps its bytes, whatever its length", async () => {
  for (const length of [0, 1, 100_000]) {
    const bytes = new Uint8Array(length).map((_, at) => at % 251);
    expect(await new Response(streamedBody(bytes)).bytes()).toEqual(bytes);
  }
});
