import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { startServerProcess } from "../support/server-process.ts";
import { until } from "../support/until.ts";
import { ask, createKey, HISTORY, isLinux, metricsOf, run, valueOf, workersOf } from "./support.ts";

describe.skipIf(!isLinux)("two processes on one port", () => {
  const started = startServerProcess(["--processes", "2", "--metrics-listen", "0"], {
    environment: { EXECCOMP_OWNER_PASSWORD: "of-the-owner-alone", EXECCOMP_RATE_KEY: "599" },
  });
  afterAll(async () => void (await (await started).stop("SIGKILL")));

  test("together admit exactly the quota of an address", async () => {
    const server = await started;
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(server, "/t/AAPL/facts")));
    const ids = new Set(answers.map((answer) => answer.headers.get("x-request-id")?.replace(/\.\d+$/, "")));
    expect(ids.size).toBe(2);
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(60).fill(200), ...Array(140).fill(429)]);
  });

  test("workers have the settings of the server, without the secrets that only its owner uses", async () => {
    const { pid } = await started;
    const environments = workersOf(pid).map((worker) => readFileSync(`/proc/${worker}/environ`, "utf8"));
    expect(environments).toHaveLength(2);
    for (const environment of environments) {
      expect(environment).toContain("EXECCOMP_RATE_KEY=599");
      expect(environment).not.toContain("of-the-owner-alone");
    }
  });

  test("500 requests on 100 credits are charged 100 times", async () => {
    const server = await started;
    const { key } = await createKey(server, "ann@example.com");
    const statuses = await Promise.all(
      Array.from({ length: 500 }, async () => {
        const answer = await ask(server, HISTORY, { headers: { "x-api-key": key } });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    expect(statuses.toSorted()).toEqual([...Array(100).fill(200), ...Array(400).fill(402)]);
    const shown = await run(server, "credits", "show", "--user", "ann@example.com", "--json");
    expect(shown.json()).toMatchObject({ balance: 0, charged: 100 });
    expect((await run(server, "credits", "check")).code).toBe(0);
  });

  test("a revoked key is refused by all", async () => {
    const server = await started;
    const { key, id } = await createKey(server, "bob@example.com");
    const statuses = () =>
      Promise.all(
        Array.from({ length: 20 }, async () => {
          const answer = await ask(server, "/api/executive-compensation/tickers", {
            headers: { "x-api-key": key },
          });
          return answer.status;
        }),
      );
    expect(new Set(await statuses())).toEqual(new Set([200]));
    expect((await run(server, "keys", "revoke", id)).code).toBe(0);
    // The rate limit of this address is used up: it refuses a bad credential first.
    expect(new Set(await statuses())).toEqual(new Set([429]));
  });

  test("limits on pages, forms and documents are per server, and no client can pose as another address", async () => {
    const server = await started;
    const page = await ask(server, "/sign-in", { headers: { "x-execcomp-peer": "203.0.113.9" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
    const cookie = page.headers.get("set-cookie")?.split(";")[0] ?? "";
    const body = new URLSearchParams({ email: "ann@example.com", password: "not hers", csrf });
    const headers = { cookie, origin: server.origin };
    const form = await ask(server, "/sign-in", { method: "POST", body, headers });
    expect(form.status).toBe(401);
    const openApi = await ask(server, "/api/openapi.json");
    expect(Object.keys((await openApi.json()) as object)).toContain("paths");
    expect((await ask(server, "/readyz")).headers.get("dataset")).toMatch(/^\d{4}-\d\d-\d\d [0-9a-f]{64}$/);
    await until("its line is in the log", () =>
      server.events("request").some(({ path }) => path === "/sign-in"),
    );
    const line = server.events("request").find(({ path }) => path === "/sign-in");
    expect(line?.["address"]).toBe("127.0.0.1");
    const inCoding = { headers: { "accept-encoding": "gzip" }, decompress: false };
    const compressed = await ask(server, "/api/openapi.json", inCoding);
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    const bytes = Bun.gunzipSync(new Uint8Array(await compressed.arrayBuffer()));
    expect(new TextDecoder().decode(bytes)).toContain('"openapi"');
  });

  test("their counts are in one scrape", async () => {
    const server = await started;
    const count = 'execcomp_http_request_duration_seconds_count{route="facts",status="4xx"}';
    await until("both have reported", async () => valueOf(await metricsOf(server), count) >= 140);
    const text = await metricsOf(server);
    expect(valueOf(text, 'execcomp_rate_limit_refusals_total{limit="anon"}')).toBeGreaterThanOrEqual(140);
    expect(valueOf(text, "execcomp_workers")).toBe(2);
    expect(valueOf(text, 'execcomp_worker_resident_memory_bytes{worker="2"}')).toBeGreaterThan(1e6);
    expect(text.match(/^# TYPE execcomp_http_request_duration_seconds /gm)).toHaveLength(1);
  });

  test("one that dies is restarted, and its counts are kept", async () => {
    const server = await started;
    const workers = workersOf(server.pid);
    expect(workers).toHaveLength(2);
    const count = 'execcomp_http_request_duration_seconds_count{route="compensation",status="2xx"}';
    const before = valueOf(await metricsOf(server), count);
    process.kill(workers[0] ?? 0, "SIGKILL");
    await until("another takes its place", async () => {
      const now = workersOf(server.pid);
      return (
        now.length === 2 &&
        !now.includes(workers[0] ?? 0) &&
        valueOf(await metricsOf(server), "execcomp_workers") === 2
      );
    });
    expect(server.events("worker_ended")).toMatchObject([{ signal: "SIGKILL" }]);
    const text = await metricsOf(server);
    expect(valueOf(text, count)).toBe(before);
    expect(valueOf(text, "execcomp_worker_restarts_total")).toBe(1);
    for (let asked = 0; asked < 20; asked += 1) expect((await ask(server, "/livez")).status).toBe(200);
  });
});
