import { expect, test } from "bun:test";
import { openLoop } from "../../scripts/bench/open-loop.ts";

const asked = (path: string) => ({
  kind: path,
  bytes: Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`),
});

test("a request due while the server hangs waits from then on, not from when it resumes", async () => {
  let held = Bun.sleep(400);
  await using server = Bun.serve({
    port: 0,
    async fetch() {
      await held;
      held = Promise.resolve();
      return new Response("x");
    },
  });
  // One connection: a client that sent the next request only after the answer would see one slow answer.
  const options = { perSecond: 200, seconds: 0.4, connections: 1 };
  const { latencies, refused } = await openLoop(server.url, () => asked("/"), options);
  const all = latencies.get("/") ?? [];
  expect(refused.size).toBe(0);
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter((ms) => ms > 100).length).toBeGreaterThan(all.length / 2);
});

test("responses with a declared length and in chunks are read completely; anything else is reported by its status", async () => {
  const long = "y".repeat(200_000);
  await using server = Bun.serve({
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/long") return new Response(long);
      if (pathname === "/none") return new Response(null, { status: 204 });
      if (pathname === "/bad") return new Response("no", { status: 503 });
      return new Response(
        new ReadableStream({
          async start(stream) {
            stream.enqueue("a".repeat(30_000));
            await Bun.sleep(5);
            stream.enqueue("b".repeat(30_000));
            stream.close();
          },
        }),
      );
    },
  });
  const paths = ["/long", "/none", "/bad", "/chunks"];
  let at = 0;
  const next = () => asked(paths[at++ % paths.length] ?? "");
  const { latencies, refused, lateness } = await openLoop(server.url, next, {
    perSecond: 200,
    seconds: 0.3,
    connections: 4,
  });
  expect([...latencies.keys()].sort()).toEqual(["/chunks", "/long", "/none"]);
  expect([...refused.keys()]).toEqual(["/bad 503"]);
  const answers = [...latencies.values()].reduce((sum, all) => sum + all.length, 0);
  expect(answers + (refused.get("/bad 503") ?? 0)).toBe(lateness.length);
});
