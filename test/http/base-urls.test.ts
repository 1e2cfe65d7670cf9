import { describe, expect, test } from "bun:test";
import { mcpEndpoints, createServerUrls, isReachableByOthers } from "../../src/http/base-urls.ts";

const loopback = { host: "127.0.0.1", socket: "", tlsCert: "", publicUrl: null, mcpLegacyUrl: null };

describe("on loopback without a public URL, three equivalent base URLs answer", () => {
  const serverUrls = createServerUrls(loopback, 8402);
  test.each(["localhost:8402", "127.0.0.1:8402", "[::1]:8402", "LOCALHOST:8402"])("%p is ours", (host) => {
    expect(serverUrls.find(host)?.origin).toBe(`http://${host.toLowerCase()}`);
  });
  test.each([null, "", "localhost", "localhost:1", "evil.example.com", "localhost.evil.com:8402"])(
    "%p is not",
    (host) => {
      expect(serverUrls.find(host)).toBeUndefined();
    },
  );
});

test("with a public URL only its host is ours, and every address is built from it", () => {
  const serverUrls = createServerUrls({ ...loopback, publicUrl: "https://pay.example.com" }, 8402);
  expect(serverUrls.main).toEqual({
    origin: "https://pay.example.com",
    api: "https://pay.example.com/api",
    compensation: "https://pay.example.com/api/executive-compensation",
    mcp: "https://pay.example.com/mcp",
    developer: "https://pay.example.com/developer",
  });
  expect(serverUrls.find("localhost:8402")).toBeUndefined();
});

test("a port is ours written out or left out where it is the scheme's own, and no other is (RFC 9110, 4.2.3)", () => {
  const hosts = (publicUrl: string, mcpLegacyUrl: string | null = null) => {
    const { find } = createServerUrls({ ...loopback, publicUrl, mcpLegacyUrl }, 8402);
    return (...spellings: string[]) => spellings.filter((host) => find(host) !== undefined);
  };
  const spelled = (name: string) => [name, `${name}:`, `${name}:80`, `${name}:443`, `${name}:8443`];
  for (const name of ["pay.example.com", "198.51.100.1", "[2001:db8::1]"]) {
    const [plain, empty, port80, port443, port8443] = spelled(name);
    expect(hosts(`https://${name}`)(...spelled(name))).toEqual([plain, empty, port443] as string[]);
    expect(hosts(`http://${name}`)(...spelled(name))).toEqual([plain, empty, port80] as string[]);
    expect(hosts(`https://${name}:8443`)(...spelled(name))).toEqual([port8443] as string[]);
  }
  const legacy = hosts("http://pay.example.com", "https://old.example.com/mcp");
  expect(legacy(...spelled("OLD.example.com"))).toEqual([
    "OLD.example.com",
    "OLD.example.com:",
    "OLD.example.com:443",
  ]);
  expect(legacy("x@pay.example.com", "pay.example.com:080", "pay.example.com.")).toEqual([]);
});

test("bound beyond loopback without a public URL, it refuses to start and names the flag", () => {
  expect(() => createServerUrls({ ...loopback, host: "0.0.0.0" }, 8402)).toThrow("--public-url");
});

test("the host of a legacy MCP address is ours too", () => {
  const serverUrls = createServerUrls({ ...loopback, mcpLegacyUrl: "https://old.example.com/v1/mcp" }, 8402);
  expect(serverUrls.find("old.example.com")).toBe(serverUrls.main);
});

test("every MCP address names its own metadata document, the alias on its own host too", () => {
  const serverUrls = createServerUrls(
    {
      host: "127.0.0.1",
      socket: "",
      tlsCert: "",
      publicUrl: "https://pay.example.com",
      mcpLegacyUrl: "https://mcp.example.com/old/mcp",
    },
    8402,
  );
  expect(mcpEndpoints(serverUrls)).toEqual([
    {
      url: "https://pay.example.com/mcp",
      metadataUrl: "https://pay.example.com/.well-known/oauth-protected-resource/mcp",
      eager: false,
      toolset: "spec",
    },
    {
      url: "https://pay.example.com/mcp/private",
      metadataUrl: "https://pay.example.com/.well-known/oauth-protected-resource/mcp/private",
      eager: true,
      toolset: "spec",
    },
    {
      url: "https://pay.example.com/mcp/analyst",
      metadataUrl: "https://pay.example.com/.well-known/oauth-protected-resource/mcp/analyst",
      eager: true,
      toolset: "analyst",
    },
    {
      url: "https://mcp.example.com/old/mcp",
      metadataUrl: "https://mcp.example.com/.well-known/oauth-protected-resource/old/mcp",
      eager: false,
      toolset: "spec",
    },
  ]);
});

test("an alias that is a whole host has its document at the root of the well-known path", () => {
  const serverUrls = createServerUrls(
    {
      host: "127.0.0.1",
      socket: "",
      tlsCert: "",
      publicUrl: "https://pay.example.com",
      mcpLegacyUrl: "https://mcp.example.com",
    },
    8402,
  );
  expect(mcpEndpoints(serverUrls).at(-1)).toEqual({
    url: "https://mcp.example.com",
    metadataUrl: "https://mcp.example.com/.well-known/oauth-protected-resource",
    eager: false,
    toolset: "spec",
  });
});

test("an alias named on one of the equivalent loopback names is available on each of them", () => {
  const serverUrls = createServerUrls({ ...loopback, mcpLegacyUrl: "http://localhost:8402/old" }, 8402);
  expect(mcpEndpoints(serverUrls).map(({ url }) => url)).toEqual([
    "http://localhost:8402/mcp",
    "http://localhost:8402/mcp/private",
    "http://localhost:8402/mcp/analyst",
    "http://127.0.0.1:8402/mcp",
    "http://127.0.0.1:8402/mcp/private",
    "http://127.0.0.1:8402/mcp/analyst",
    "http://[::1]:8402/mcp",
    "http://[::1]:8402/mcp/private",
    "http://[::1]:8402/mcp/analyst",
    "http://localhost:8402/old",
    "http://127.0.0.1:8402/old",
    "http://[::1]:8402/old",
  ]);
});

test.each([
  ["no, on loopback only", {}, false],
  ["no, with a public URL of this machine", { publicUrl: "http://localhost:9000" }, false],
  ["bound beyond loopback", { host: "0.0.0.0" }, true],
  ["known by a public URL", { publicUrl: "https://pay.example.com" }, true],
  ["behind a proxy", { trustedProxies: ["10.0.0.1"] }, true],
  ["over a socket, which a proxy opens", { socket: "/run/x.sock" }, true],
])("reachable by others: %s", (_what, settings, expected) => {
  const alone = { host: "127.0.0.1", socket: "", publicUrl: null, trustedProxies: [] };
  expect(isReachableByOthers({ ...alone, ...settings })).toBe(expected);
});
