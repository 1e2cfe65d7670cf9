import { beforeEach, describe, expect, test } from "bun:test";
import {
  Documents,
  publicAddressTest,
  reasonAgainstId,
} from "../../../src/accounts/oauth-state/documents.ts";
import { type TestRuntime, testRuntime } from "../../support/runtime.ts";

const ID = "https://app.example/oauth/client.json";

describe("addresses of the public internet", () => {
  const isPublic = publicAddressTest();
  for (const address of [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "100::1",
    "fc00::1",
    "fd12:3456:789a::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "4000::1",
    "localhost",
    "",
    "127.1",
    "0x7f000001",
  ]) {
    test(`${address || "nothing"} is not one`, () => expect(isPublic(address)).toBe(false));
  }
  for (const address of [
    "8.8.8.8",
    "1.1.1.1",
    "93.184.216.34",
    "100.63.255.255",
    "172.32.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
  ]) {
    test(`${address} is one`, () => expect(isPublic(address)).toBe(true));
  }
});

describe("a client_id that is a URL", () => {
  for (const id of [
    "http://app.example/c.json",
    "https://app.example",
    "https://app.example/",
    "https://app.example/c.json#x",
    "https://app.example/c.json#",
    "https://u:p@app.example/c.json",
    "https://app.example:8443/c.json",
    "https://app.example:443/c.json",
    "https://APP.example/c.json",
    "https://app.example/a/../c.json",
    "https://app.example/./c.json",
    "https://app.example/%2e%2e/c.json",
    "https://app.example/a%2Fc.json",
    "https://app.example\\c.json",
    "https://app.example/c .json",
    " https://app.example/c.json",
    "https://127.0.0.1/c.json",
    "https://[::1]/c.json",
    "https://0x7f.1/c.json",
    "https://2130706433/c.json",
    "https://localhost/c.json",
    "https://intranet/c.json",
    "https://app.example./c.json",
    `https://app.example/${"x".repeat(2048)}`,
  ]) {
    test(`${id.slice(0, 60)} is refused`, () => expect(reasonAgainstId(id)).toBeDefined());
  }
  for (const id of [
    ID,
    "https://claude.ai/oauth/claude-code-client-metadata",
    "https://chatgpt.com/oauth/codex/client.json",
    "https://opencode.ai/oauth/opencode/client.json",
  ]) {
    test(`${id} is accepted`, () => expect(reasonAgainstId(id)).toBeUndefined());
  }
});

/** What the fetch received, and its next answers. */
interface World {
  runtime: TestRuntime;
  fetched: { url: string; init: BunFetchRequestInit }[];
  resolved: string[];
  answer: () => Response | Promise<Response>;
  addresses: readonly string[];
}

let world: World;
beforeEach(() => {
  const runtime = testRuntime();
  world = {
    runtime,
    fetched: [],
    resolved: [],
    answer: () => Response.json({ client_id: ID }),
    addresses: ["93.184.216.34"],
  };
});

const documents = (timeoutMs?: number) =>
  new Documents(
    {
      now: world.runtime.now,
      async resolve(host) {
        world.resolved.push(host);
        return world.addresses;
      },
      async fetch(url, init = {}) {
        world.fetched.push({ url: String(url), init });
        return world.answer();
      },
    },
    timeoutMs,
  );

describe("fetching", () => {
  test("goes to the address that was checked, checks the certificate for the name, and sends nothing of ours", async () => {
    expect(await documents().read(ID, "a")).toEqual({ client_id: ID });
    const [sent] = world.fetched;
    expect(world.resolved).toEqual(["app.example"]);
    expect(sent?.url).toBe("https://93.184.216.34/oauth/client.json");
    expect(sent?.init.tls).toEqual({ serverName: "app.example", rejectUnauthorized: true });
    expect(sent?.init.redirect).toBe("manual");
    expect(sent?.init.credentials).toBe("omit");
    expect(sent?.init.headers).toEqual({
      host: "app.example",
      accept: "application/json",
      "user-agent": "execcomp",
    });
    expect(sent?.init.signal).toBeInstanceOf(AbortSignal);
  });

  test("an IPv6 address is pinned too", async () => {
    world.addresses = ["2606:4700::1111"];
    await documents().read(ID, "a");
    expect(world.fetched[0]?.url).toBe("https://[2606:4700::1111]/oauth/client.json");
  });

  for (const [what, addresses] of Object.entries({
    loopback: ["127.0.0.1"],
    private: ["10.1.2.3"],
    "the metadata service of a cloud": ["169.254.169.254"],
    "a mapped address": ["::ffff:127.0.0.1"],
    "an IPv6 of our own": ["fd00::1"],
    "one private among public": ["93.184.216.34", "127.0.0.1"],
    "no address": [],
  })) {
    test(`${what}: nothing is fetched`, async () => {
      world.addresses = addresses;
      expect(await documents().read(ID, "a")).toBeUndefined();
      expect(world.fetched).toEqual([]);
    });
  }

  test("a name that changes from public to private is resolved once per fetch, and never used unchecked", async () => {
    const reader = documents();
    expect(await reader.read(ID, "a")).toBeDefined();
    world.runtime.advance(3_600_000 * 25);
    world.addresses = ["127.0.0.1"];
    expect(await reader.read(ID, "a")).toBeUndefined();
    expect(world.fetched).toHaveLength(1);
    expect(world.resolved).toHaveLength(2);
  });

  const answers: Record<string, () => Response | Promise<Response>> = {
    "a redirect": () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1/" } }),
    "404": () => new Response("{}", { status: 404 }),
    "500": () => new Response("{}", { status: 500 }),
    "206": () => Response.json({ client_id: ID }, { status: 206 }),
    HTML: () => new Response("<p>", { headers: { "content-type": "text/html" } }),
    "no media type": () => new Response(new TextEncoder().encode("{}")),
    "broken JSON": () => new Response("{", { headers: { "content-type": "application/json" } }),
    "an array": () => Response.json([]),
    null: () => Response.json(null),
    "6 KiB": () => Response.json({ client_id: ID, x: "x".repeat(6 * 1024) }),
    "6 KiB in pieces without a length": () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            controller.enqueue(new TextEncoder().encode("x".repeat(1024)));
          },
        }),
        { headers: { "content-type": "application/json" } },
      ),
    "a connection that breaks": () => Promise.reject(new Error("ECONNRESET")),
  };
  for (const [what, answer] of Object.entries(answers)) {
    test(`${what} is refused`, async () => {
      world.answer = answer;
      expect(await documents().read(ID, "a")).toBeUndefined();
    });
  }

  test("a name that does not resolve, an answer or a body that never arrives times out", async () => {
    const never = new Promise<never>(() => {});
    const silent = new ReadableStream({ start() {} });
    const body = new Response(silent, { headers: { "content-type": "application/json" } });
    world.answer = () => body;
    expect(await documents(20).read(ID, "a")).toBeUndefined();
    const resolve = () => never;
    const slow = new Documents({ now: world.runtime.now, resolve, fetch: () => never }, 20);
    expect(await slow.read(ID, "a")).toBeUndefined();
    const mute = new Documents(
      { now: world.runtime.now, resolve: async () => world.addresses, fetch: () => never },
      20,
    );
    expect(await mute.read(ID, "a")).toBeUndefined();
  });

  test("application/…+json is JSON", async () => {
    world.answer = () =>
      new Response(JSON.stringify({ client_id: ID }), {
        headers: { "content-type": "Application/cimd+json; charset=utf-8" },
      });
    expect(await documents().read(ID, "a")).toBeDefined();
  });
});

describe("caching", () => {
  const asked = async (cacheControl: string | null, afterMs: number): Promise<number> => {
    world.fetched.length = 0;
    world.answer = () =>
      Response.json(
        { client_id: ID },
        { headers: cacheControl === null ? {} : { "cache-control": cacheControl } },
      );
    const reader = documents();
    await reader.read(ID, "a");
    world.runtime.advance(afterMs);
    await reader.read(ID, "a");
    return world.fetched.length;
  };

  test("at least five minutes, at most a day, otherwise what max-age says", async () => {
    expect(await asked(null, 299_999)).toBe(1);
    expect(await asked(null, 300_000)).toBe(2);
    expect(await asked("no-store", 299_999)).toBe(1);
    expect(await asked("max-age=1", 299_999)).toBe(1);
    expect(await asked("public, max-age=3600", 3_599_999)).toBe(1);
    expect(await asked("public, max-age=3600", 3_600_000)).toBe(2);
    expect(await asked("max-age=999999999", 86_399_999)).toBe(1);
    expect(await asked("max-age=999999999", 86_400_000)).toBe(2);
  });

  test("a failure is cached for 30 seconds", async () => {
    world.answer = () => new Response(null, { status: 500 });
    const reader = documents();
    await reader.read(ID, "a");
    world.runtime.advance(29_999);
    await reader.read(ID, "a");
    expect(world.fetched).toHaveLength(1);
    world.runtime.advance(1);
    world.answer = () => Response.json({ client_id: ID });
    expect(await reader.read(ID, "a")).toBeDefined();
  });

  test("a hundred concurrent requests cause one fetch", async () => {
    const reader = documents();
    const all = await Promise.all(Array.from({ length: 100 }, (_, n) => reader.read(ID, `a${n}`)));
    expect(all).not.toContain(undefined);
    expect(world.fetched).toHaveLength(1);
  });

  test("an address may cause ten fetches a minute, and another one is not affected", async () => {
    const reader = documents();
    const read = (n: number, address: string) => reader.read(`https://app.example/${n}`, address);
    for (let n = 0; n < 10; n++) expect(await read(n, "a")).toBeDefined();
    expect(await read(10, "a")).toBeUndefined();
    expect(await read(3, "a")).toBeDefined();
    expect(await read(10, "b")).toBeDefined();
    world.runtime.advance(60_000);
    expect(await read(11, "a")).toBeDefined();
  });

  test("at most a thousand documents are cached", async () => {
    const reader = documents();
    for (let n = 0; n < 1100; n++) await reader.read(`https://app.example/${n}`, `a${n}`);
    expect(world.fetched).toHaveLength(1100);
    await reader.read("https://app.example/1099", "z");
    expect(world.fetched).toHaveLength(1100);
    await reader.read("https://app.example/0", "z");
    expect(world.fetched).toHaveLength(1101);
  });

  test("one under way is not dropped for others: whoever asks again shares its fetch", async () => {
    const slow = Promise.withResolvers<Response>();
    world.answer = () => slow.promise;
    const reader = documents();
    const first = reader.read(ID, "a");
    await Bun.sleep(0);
    world.answer = () => Response.json({ client_id: ID });
    for (let n = 0; n < 1000; n++) await reader.read(`https://app.example/${n}`, `a${n}`);
    const second = reader.read(ID, "b");
    slow.resolve(Response.json({ client_id: ID }));
    expect(await Promise.all([first, second])).toEqual([{ client_id: ID }, { client_id: ID }]);
    expect(world.fetched).toHaveLength(1001);
  });
});
