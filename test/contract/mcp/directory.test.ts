import { expect, test } from "bun:test";
import { jsonOf, mcpUnderTest } from "./support.ts";

interface Description {
  $schema: string;
  name: string;
  description: string;
  version: string;
  remotes: {
    type: string;
    url: string;
    headers: { name: string; isRequired: boolean; isSecret: boolean }[];
  }[];
}

test("server.json describes the server to the registry, with addresses from the configuration", async () => {
  const mcp = mcpUnderTest({ settings: { publicUrl: "https://pay.example.com" } });
  const answer = await mcp.fetch("/mcp/server.json", { host: "pay.example.com" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json");
  const said = await jsonOf<Description>(answer);
  expect(said.$schema).toContain("/2025-12-11/server.schema.json");
  expect(said.name).toBe("com.example.pay/execcomp");
  expect(said.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(said.description.length).toBeLessThanOrEqual(100);
  expect(said.remotes).toMatchObject([
    {
      type: "streamable-http",
      url: "https://pay.example.com/mcp",
      headers: [{ name: "X-API-KEY", isRequired: false, isSecret: true }],
    },
    {
      type: "streamable-http",
      url: "https://pay.example.com/mcp/analyst",
      headers: [{ name: "X-API-KEY", isRequired: false, isSecret: true }],
    },
  ]);
});

test("llms.txt is Markdown with a heading, a summary and links to this server", async () => {
  const answer = await mcpUnderTest().fetch("/llms.txt");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toStartWith("text/plain");
  const text = await answer.text();
  const [heading, , summary] = text.split("\n");
  expect(heading).toBe("# Executive Compensation");
  expect(summary).toStartWith("> What US public companies paid");
  const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, url = ""]) => url);
  expect(links.length).toBeGreaterThan(5);
  for (const link of links) expect(link).toStartWith("http://localhost:8402/");
});

test("every link in llms.txt works", async () => {
  const mcp = mcpUnderTest();
  const text = await (await mcp.fetch("/llms.txt")).text();
  for (const [, url = ""] of text.matchAll(/\]\((http[^)]+)\)/g)) {
    const { pathname } = new URL(url);
    // POST only: 405 shows that it exists. Pages for people need accounts and tables, which this test does without.
    const expected = pathname.startsWith("/mcp") && !pathname.endsWith(".json") ? 405 : 200;
    if (!["/developer", "/t/AAPL"].includes(pathname))
      expect((await mcp.fetch(pathname)).status).toBe(expected);
  }
});
