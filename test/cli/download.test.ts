import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { download } from "../../src/cli/dataset/download.ts";
import { realRuntime } from "../../src/runtime.ts";
import { tempFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";

const folder = tempFolder();
const { fetch: fetcher } = realRuntime();
const CONTENT = new Uint8Array(300_000).map((_, place) => (place * 7) % 251);

/** Downloads a file into a folder of its own. */
function fresh(name: string, given: Partial<Parameters<typeof download>[1]> = {}) {
  const file = join(folder, name);
  const deps = { fetch: fetcher, file, maxBytes: 1e9, inspect() {}, progress() {}, ...given };
  return { file, get: (url: URL | string) => download(String(url), deps) };
}

test("a file arrives as it was sent, and replaces what was there", async () => {
  using server = Bun.serve({ port: 0, fetch: () => new Response(CONTENT) });
  const { get, file } = fresh("whole");
  for (const before of [1, 2]) {
    await get(server.url);
    expect([before, Buffer.compare(readFileSync(file), CONTENT)]).toEqual([before, 0]);
  }
});

test("a connection that ends early is told with what had arrived", async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-length": CONTENT.length });
    response.write(CONTENT.slice(0, 100_000), () => response.socket?.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  await expect(fresh("broken").get(`http://127.0.0.1:${port}/x`)).rejects.toThrow(
    /was interrupted after \d+.* Run the same command again/,
  );
  server.close();
});

test("a file over the limit is refused, with or without a declared length", async () => {
  const { get } = fresh("long", { maxBytes: 200_000 });
  using declared = Bun.serve({ port: 0, fetch: () => new Response(CONTENT) });
  await expect(get(declared.url)).rejects.toThrow("more than the limit of 200000");
  // Without a length it is known only while the file arrives.
  const inPieces = async function* () {
    for (let at = 0; at < CONTENT.length; at += 50_000) {
      yield CONTENT.subarray(at, at + 50_000);
      await Bun.sleep(1);
    }
  };
  using unsaid = Bun.serve({ port: 0, fetch: () => new Response(inPieces()) });
  await expect(get(unsaid.url)).rejects.toThrow("more than the limit of 200000");
});

test("an https address that redirects to another scheme is not followed", async () => {
  const led = Object.defineProperty(new Response("anything"), "url", { value: "http://data.example.com/x" });
  const { get, file } = fresh("downgraded", { fetch: async () => led });
  await expect(get("https://data.example.com/x")).rejects.toThrow("which does not use https");
  expect(existsSync(file)).toBe(false);
});

test("a content coding that was not asked for is refused: a bomb unpacks to no file", async () => {
  const { get, file } = fresh("packed");
  const bomb = Bun.gzipSync(new Uint8Array(50_000_000));
  using packed = Bun.serve({
    port: 0,
    fetch: () => new Response(bomb, { headers: { "content-encoding": "gzip" } }),
  });
  await expect(get(packed.url)).rejects.toThrow("content coding gzip");
  expect(existsSync(file)).toBe(false);
});

test("the beginning is inspected before more is stored; of what is refused nothing more is sent", async () => {
  let sent = 0;
  let ended = false;
  const endless = () =>
    new ReadableStream({
      async pull(controller) {
        await Bun.sleep(1);
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
      cancel: () => void (ended = true),
    });
  using server = Bun.serve({ port: 0, fetch: () => new Response(endless()) });
  const heads: number[] = [];
  const inspect = (head: Uint8Array) => {
    heads.push(head.length);
    throw new Error("an unknown signer");
  };
  await expect(fresh("inspected", { inspect }).get(server.url)).rejects.toThrow("an unknown signer");
  expect(heads).toEqual([65_536]);
  await until("the connection is closed", () => ended);
  expect(sent).toBeLessThan(16 << 20);
});

test("a server that does not answer, or refuses, is named", async () => {
  const { get } = fresh("refused");
  await expect(get("http://127.0.0.1:1/x")).rejects.toThrow("No response from http://127.0.0.1:1/x");
  using missing = Bun.serve({ port: 0, fetch: () => new Response("", { status: 404 }) });
  await expect(get(missing.url)).rejects.toThrow("answered 404");
});

test("plain http to another machine is refused before anything is sent, without its password", async () => {
  const { get } = fresh("plain", { fetch: () => Promise.reject(new Error("was asked")) });
  const refused = get("http://ann:a-secret@data.example.com/x?sig=a-secret");
  await expect(refused).rejects.toThrow(/^http:\/\/data\.example\.com\/x does not use https/);
});
