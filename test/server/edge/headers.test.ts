import { expect, test } from "bun:test";
import { testEdge } from "../../support/edge.ts";
import { startTestServer } from "../../support/server.ts";

test("every error is marked as not to be stored", async () => {
  const server = await startTestServer();
  try {
    const html = { accept: "text/html" };
    for (const [path, init] of [
      ["/nothing", { headers: html }],
      ["/t/NOSUCH", { headers: html }],
      ["/t/AAPL?year=x", { headers: html }],
      ["/api/nothing", {}],
      ["/mcp", {}],
      ["/oauth/token", { method: "POST", body: "x" }],
      ["/oauth/authorize", {}],
      ["/.well-known/nothing", {}],
      ["/api/executive-compensation", {}],
      ["/sign-in", { method: "POST" }],
      ["/invite?token=x", {}],
    ] as const) {
      const answer = await server.get(path, init);
      expect([path, answer.status >= 400, answer.headers.get("cache-control")]).toEqual([
        path,
        true,
        "no-store",
      ]);
    }
  } finally {
    await server.stop();
  }
});

test("the edge overrides a surface's caching of errors", async () => {
  const edge = testEdge(
    async (request) =>
      new Response("x", {
        status: Number(new URL(request.url).pathname.slice(1)),
        headers: { "cache-control": "public, max-age=300" },
      }),
  );
  const kept = async (status: number) => {
    const asked = new Request(`http://localhost:8402/${status}`, { headers: { host: "localhost:8402" } });
    return (await edge(asked)).headers.get("cache-control");
  };
  expect(await Promise.all([404, 405, 429, 503].map(kept))).toEqual(Array(4).fill("no-store"));
  expect(await kept(200)).toBe("public, max-age=300");
});

test("HSTS is sent only over an https public URL", async () => {
  for (const [publicUrl, expected] of [
    ["https://pay.example", "max-age=31536000"],
    ["http://pay.example", null],
  ] as const) {
    const server = await startTestServer({ publicUrl });
    try {
      for (const path of ["/", "/t/AAPL/facts", "/api/nothing", "/mcp"]) {
        const { headers } = await server.get(path);
        expect(headers.get("strict-transport-security")).toBe(expected);
      }
    } finally {
      await server.stop();
    }
  }
});

test("the reference page runs only scripts of this server, none of them in the page", async () => {
  const server = await startTestServer();
  try {
    const answer = await server.get("/api/docs");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    const scripts = [...(await answer.text()).matchAll(/<script\b([^>]*)>([^<]*)</g)];
    expect(scripts.map(([, , text]) => text?.trim())).toEqual(["", ""]);
    // The element of the settings holds a line end, which the browser would else refuse aloud.
    const blank = Bun.SHA256.hash(scripts[0]?.[2] ?? "", "base64");
    expect(policy).toContain(`script-src 'self' 'sha256-${blank}';`);
    const [source = ""] = scripts.flatMap(([, words]) => /\bsrc="([^"]*)"/.exec(words ?? "")?.[1] ?? []);
    const script = await (await server.get(source)).text();
    const [library = ""] = /\/api\/docs\/[a-z]+\.js/.exec(script) ?? [];
    expect((await server.get(library)).headers.get("content-type")).toStartWith("text/javascript");
  } finally {
    await server.stop();
  }
});

test("robots.txt lists what not to crawl", async () => {
  const server = await startTestServer();
  try {
    const robots = await (await server.get("/robots.txt")).text();
    expect(robots).toStartWith("User-agent: *\n");
    expect(robots).toContain("Disallow: /developer\n");
  } finally {
    await server.stop();
  }
});
