/** The `Dataset` header names the edition behind every answer, before and after a new one is installed. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { installFile } from "../../src/dataset/installed.ts";
import { tempFolder } from "../support/folder.ts";
import { testRecord } from "../support/record.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

const folder = tempFolder();
const dataDir = join(folder, "data");
let server: TestServer;
let key: string;

/** Installs an edition in which the one company has that name. @returns its `Dataset` header */
function install(edition: string, name: string): string {
  const path = writeTestSnapshot(folder, `${edition}.sqlite`, [testRecord({ name })], edition);
  const { contentHash } = installFile(dataDir, path, `${edition}T00:00:00Z`);
  return `${edition} ${contentHash}`;
}

beforeAll(async () => {
  server = await startTestServer({ dataDir, corsOrigins: "https://app.example.com" });
  key = await server.createKey();
});
afterAll(() => server.stop());

const MCP = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const call = (name: string, given: object) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } });

/** Requests of every kind, twice each: the second is answered from what was prepared. */
async function ask(): Promise<[string, string | null][]> {
  const asked: [string, Promise<Response>][] = [];
  for (let time = 0; time < 2; time += 1) {
    const add = (what: string, answer: Promise<Response>) => asked.push([what, answer]);
    for (const path of [
      "/t/ACME/facts",
      "/",
      "/company/ACME",
      "/livez",
      "/readyz",
      "/openapi.json",
      "/nowhere",
    ])
      add(path, server.get(path));
    add("anonymous", server.get("/api/executive-compensation?ticker=ACME"));
    for (const path of ["", "/tickers", "/query", "/statistics?group_by=fiscal_year", "/export?format=csv"]) {
      const of = path === "" ? "?ticker=ACME" : "";
      add(`keyed ${path}`, server.get(`/api/executive-compensation${path}${of}`, { key }));
    }
    add("HEAD", server.get("/t/ACME/facts", { method: "HEAD" }));
    add("OPTIONS", server.get("/t/ACME/facts", { method: "OPTIONS" }));
    for (const [name, given] of [
      ["get_executive_compensation", { ticker: "ACME" }],
      ["get_executive_compensation", { ticker: "NOBODY" }],
      ["list_available_tickers", {}],
    ] as const)
      add(`MCP ${name}`, server.get("/mcp", { method: "POST", headers: MCP, body: call(name, given), key }));
  }
  return Promise.all(
    asked.map(async ([what, answer]): Promise<[string, string | null]> => {
      const { headers, status } = await answer;
      return [`${what} ${status}`, headers.get("dataset")];
    }),
  );
}

test("every answer names the edition that it was made from, even after another is installed", async () => {
  for (const [edition, name] of [
    ["2026-02-01", "First Corp"],
    ["2026-03-01", "Second Corp"],
  ] as const) {
    const dataset = install(edition, name);
    server.advance(1000);
    // The check of the data folder, which picks it up.
    expect(await (await server.get("/t/ACME/facts")).text()).toContain(name);
    server.advance(61_000);
    const named = await ask();
    expect(named.filter(([, said]) => said !== dataset)).toEqual([]);
    expect(named.length).toBeGreaterThan(30);
  }
});

test("a 304 names the edition, and a page of another origin may read the header", async () => {
  const dataset = install("2026-04-01", "Third Corp");
  server.advance(61_000);
  for (const path of ["/t/ACME/facts", "/api/executive-compensation?ticker=ACME"]) {
    const etag = (await server.get(path, { key })).headers.get("etag") ?? "";
    const headers = { "if-none-match": etag, origin: "https://app.example.com" };
    const held = await server.get(path, { key, headers });
    expect([path, held.status, held.headers.get("dataset")]).toEqual([path, 304, dataset]);
    expect(held.headers.get("access-control-expose-headers")).toContain("Dataset");
  }
});
