import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServerUrls } from "../../../src/http/base-urls.ts";
import { type Target, Targets } from "../../../src/server/edge/targets.ts";
import { rawExchange } from "../../support/raw-http.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const settings = { host: "127.0.0.1", socket: "", tlsCert: "", publicUrl: null, mcpLegacyUrl: null };

function fresh(port = 8402) {
  let serverUrls = createServerUrls(settings, port);
  const targets = new Targets(() => serverUrls);
  const targetOf = (route = "facts"): Target => ({
    baseUrls: serverUrls.main,
    url: new URL("http://localhost:8402/t/AAPL/facts"),
    pathname: "/t/AAPL/facts",
    search: "",
    path: "/t/AAPL/facts",
    routeName: "facts",
    route,
  });
  /** Only what is asked for a second time is kept. */
  const keep = (...of: Parameters<Targets["keep"]>) => {
    targets.keep(...of);
    expect(targets.find(of[0])).toBeUndefined();
    targets.keep(...of);
  };
  const move = (to: number) => void (serverUrls = createServerUrls(settings, to));
  return { targets, keep, targetOf, move };
}

const asked = (url: string, host: string | null = new URL(url).host) =>
  new Request(url, { headers: host === null ? {} : { host } });
const URL_OF_FACTS = "http://localhost:8402/t/AAPL/facts";

describe("an address that was answered twice is parsed no more", () => {
  test("only for the same text and the same Host", () => {
    const { targets, keep, targetOf } = fresh();
    const target = targetOf();
    keep(asked(URL_OF_FACTS), target, false);
    expect(targets.find(asked(URL_OF_FACTS))).toBe(target);
    expect(targets.find(asked(`${URL_OF_FACTS}?limit=1`))).toBeUndefined();
    expect(targets.find(asked(URL_OF_FACTS, "evil.example"))).toBeUndefined();
    expect(targets.find(asked(URL_OF_FACTS, null))).toBeUndefined();
  });

  test("until our base URLs change", () => {
    const { targets, keep, targetOf, move } = fresh();
    keep(asked(URL_OF_FACTS), targetOf(), false);
    move(8403);
    expect(targets.find(asked(URL_OF_FACTS))).toBeUndefined();
  });

  test("unless it is long, or belongs to a route that is rarely repeated", () => {
    const { targets, keep, targetOf } = fresh();
    const long = `${URL_OF_FACTS}?${"a".repeat(200)}`;
    keep(asked(long), targetOf(), true);
    keep(asked(URL_OF_FACTS), targetOf("pages"), true);
    expect(targets.find(asked(long))).toBeUndefined();
    expect(targets.find(asked(URL_OF_FACTS))).toBeUndefined();
  });

  test("and callers without a credential, however many addresses they request, evict none of the others", () => {
    const { targets, keep, targetOf } = fresh();
    keep(asked(URL_OF_FACTS), targetOf(), true);
    for (let n = 0; n < 10_000; n += 1) keep(asked(`http://localhost:8402/t/${n}/facts`), targetOf(), false);
    expect(targets.find(asked(URL_OF_FACTS))).toBeDefined();
    expect(targets.find(asked("http://localhost:8402/t/0/facts"))).toBeUndefined();
  });
});

describe("on the wire", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());
  const ask = (target: string, host: string, more = "") =>
    rawExchange(server.port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`);

  test("an answer for our host is refused for another, in every form of the address", async () => {
    const ours = `localhost:${server.port}`;
    const absolute = `http://${ours}/t/AAPL/facts`;
    for (let n = 0; n < 3; n += 1) {
      expect((await ask("/t/AAPL/facts", ours)).status).toBe(200);
      expect((await ask(absolute, ours)).status).toBe(200);
      expect((await ask("/t/AAPL/facts", "evil.example")).status).toBe(403);
      expect((await ask(absolute, "evil.example")).status).toBe(403);
      expect((await ask("/t/AAPL/facts", `${ours}\r\nHost: ${ours}`)).status).toBe(400);
    }
  });

  test("an answer to a request with a key is refused without it", async () => {
    const path = "/api/executive-compensation?ticker=AAPL&limit=1";
    const key = await server.createKey();
    for (let n = 0; n < 3; n += 1) {
      expect((await ask(path, `localhost:${server.port}`, `X-API-KEY: ${key}\r\n`)).status).toBe(200);
      expect((await ask(path, `localhost:${server.port}`)).status).toBe(401);
      expect((await ask(path, `localhost:${server.port}`, "X-API-KEY: xc_live_no\r\n")).status).toBe(401);
    }
  });
});
