import { afterAll, beforeAll, expect } from "bun:test";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { fuzz } from "./fuzz.ts";
import { requirement } from "./requirements.ts";
import { addPerson } from "./support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ trustedProxies: "127.0.0.1", unconnectedApplications: "1000000" });
  await addPerson(server);
});
afterAll(() => server.stop());

requirement(
  86,
  "3,000 mutated requests (100,000 by command) cause no 5xx, no unexpected redirect, no unbound token",
  async () => {
    const report = await fuzz(server, 3000, 7);
    expect(report.broken).toEqual([]);
    expect(report.requests).toBe(3000);
    // Not everything was refused: some mutations leave a request as good as it was.
    const seen = Object.keys(report.statuses).join(", ");
    for (const status of [
      "authorize 200",
      "authorize 302",
      "authorize 400",
      "token 200",
      "token 400",
      "register 201",
      "register 400",
    ]) {
      expect(seen).toContain(status);
    }
  },
  300_000,
);
