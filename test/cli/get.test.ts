import { expect, test } from "bun:test";
import { realRuntime } from "../../src/runtime.ts";
import { keepServerUrl } from "../../src/store/folder.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const environment = { EXECCOMP_DATA_DIR: tempFolder() };
const asked = { environment, runtime: realRuntime() };

test("get --url queries the server there: its body, its status, its exit code", async () => {
  using server = Bun.serve({
    port: 0,
    fetch: (request) =>
      new URL(request.url).pathname === "/readyz"
        ? new Response(`key ${request.headers.get("x-api-key")}`)
        : new Response("no", { status: 503 }),
  });
  const url = server.url.origin;
  const good = await cli("get", "/readyz", "--url", url, asked);
  expect([good.code, good.out, good.err]).toEqual([0, "key null", "200\n"]);
  expect((await cli("get", "/readyz", "--url", url, "--key", "k", asked)).out).toBe("key k");
  const bad = await cli("get", "/other", "--url", url, asked);
  expect([bad.code, bad.out, bad.err]).toEqual([1, "no", "503\n"]);
});

test("get --url reports that nothing answers, and sends nothing when offline", async () => {
  using server = Bun.serve({ port: 0, fetch: () => new Response("") });
  const url = server.url.origin;
  await server.stop(true);
  expect((await cli("get", "/readyz", "--url", url, asked)).err).toContain(`No response from ${url}`);
  const offline = await cli("get", "/readyz", "--url", url, "--offline", asked);
  expect([offline.code, offline.err.includes("--offline is set")]).toEqual([1, true]);
  expect((await cli("get", "/readyz", "--url", "nowhere", asked)).code).toBe(2);
});

test("get answers under every public address", async () => {
  for (const url of ["https://pay.example.com", "https://pay.example.com:8443", "http://pay.example.com"]) {
    const { out, code } = await cli("get", "/t/AAPL/facts", "--public-url", url, asked);
    expect([url, code, out.slice(0, 16)]).toEqual([url, 0, '{"ticker":"AAPL"']);
  }
});

test("get names the address of the server that last ran on the data folder", async () => {
  const dataDir = tempFolder();
  keepServerUrl(dataDir, "http://localhost:9411");
  const other = { environment: { EXECCOMP_DATA_DIR: dataDir }, runtime: realRuntime() };
  const document = async (...flags: string[]) =>
    JSON.parse((await cli("get", "/api/openapi.json", ...flags, other)).out);
  expect(await document()).toMatchObject({ servers: [{ url: "http://localhost:9411" }] });
  expect(await document("--port", "9000")).toMatchObject({ servers: [{ url: "http://localhost:9000" }] });
});
