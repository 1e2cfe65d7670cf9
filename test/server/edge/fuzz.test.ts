import { afterAll, beforeAll, expect, test } from "bun:test";
import { hostileRequest } from "../../support/hostile-http.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { Wire } from "../../support/wire.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ trustedProxies: "127.0.0.1" });
});
afterAll(() => server.stop());

/** A sample: `bun run fuzz edge` sends a million, and checks CPU and memory too. */
const SHARE = 300;

test("hostile requests over a socket cause no 5xx, no long refusal and no error in the log", async () => {
  const random = seededRandom(20261121);
  const key = await server.createKey();
  const wire = new Wire(server.port);
  for (let n = 0; n < SHARE; n++) {
    server.advance(50);
    const { kind, text, mayBeSilent } = hostileRequest(random, `localhost:${server.port}`, key);
    const { status, bytes, begin } = await wire.send(text, mayBeSilent ? 20 : 20_000);
    const broken =
      (status >= 500 && status !== 505) ||
      (status === 0 && !mayBeSilent) ||
      (status >= 400 && bytes > 8 * 1024) ||
      /node_modules|\.ts:\d/.test(begin);
    if (broken) expect({ n, text, status, bytes, begin }).toBeUndefined();
    if (kind === "http") wire.close();
  }
  wire.close();
  expect(server.lines.filter((line) => line.includes("internal_error"))).toEqual([]);
}, 300_000);
