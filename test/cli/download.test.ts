import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { download } from "../../src/cli/dataset/download.ts";
import { realRuntime } from "../../src/runtime.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";

const folder = tempFolder();
const { fetch: fetcher } = realRuntime();
const CONTENT = new Uint8Array(300_000).map((_, place) => (place * 7) % 251);

/** How a server treats a request for the file. */
interface Behaviour {
  content: Uint8Array<ArrayBuffer>;
  etag: string | null;
  /** Ends the answer after that many bytes of the file. */
  breakAt: number | null;
  ranges: boolean;
}

const now: Behaviour = { content: CONTENT, etag: '"one"', breakAt: null, ranges: true };
let allCameIn: (received: number) => unknown = () => {};
const asked: { range: string | null; status: number }[] = [];

function answer({ headers: given }: IncomingMessage, response: ServerResponse): void {
  const { content, etag, breakAt, ranges } = now;
  const range = given.range ?? null;
  const isSame = given["if-range"] === etag;
  const from = ranges && isSame && range !== null ? Number(/\d+/.exec(range)?.[0]) : 0;
  if (from > 0 && from >= content.length) {
    asked.push({ range, status: 416 });
    response.writeHead(416, { "content-range": `bytes */${content.length}` }).end();
    return;
  }
  const status = from > 0 ? 206 : 200;
  asked.push({ range, status });
  response.writeHead(status, {
    "content-length": content.length - from,
    ...(etag === null ? {} : { etag }),
    ...(from > 0 ? { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` } : {}),
  });
  if (breakAt === null) response.end(content.slice(from));
  else {
    response.write(content.slice(from, breakAt));
    // The connection ends after what was written has arrived, before the declared length.
    allCameIn = (received) => received >= breakAt && response.socket?.end();
  }
}

const server = createServer(answer).listen(0, "127.0.0.1");
await once(server, "listening");
const bound = server.address();
const origin = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
afterAll(() => server.close());

function fresh(place: string, behaviour: Partial<Behaviour> = {}) {
  Object.assign(now, { content: CONTENT, etag: '"one"', breakAt: null, ranges: true, ...behaviour });
  asked.length = 0;
  allCameIn = () => {};
  const dataDir = join(folder, place);
  const get = (maxBytes = 1e9) =>
    download(new URL(`/${place}`, origin), {
      fetch: fetcher,
      dataDir,
      maxBytes,
      inspect() {},
      progress: (received) => allCameIn(received),
    });
  return { dataDir, get };
}

test("an interrupted download continues where it stopped", async () => {
  const { get, dataDir } = fresh("resumed", { breakAt: 100_000 });
  await expect(get()).rejects.toThrow(/was interrupted after \d+.* Run the same command again/);
  now.breakAt = null;
  const { file, done } = await get();
  expect(asked).toEqual([
    { range: null, status: 200 },
    { range: "bytes=100000-", status: 206 },
  ]);
  expect(new Uint8Array(readFileSync(file))).toEqual(CONTENT);
  done();
  expect(readdirSync(join(dataDir, "downloads"))).toEqual([]);
});

test("another version of the file is downloaded from the start, without anything of the old one", async () => {
  const { get } = fresh("changed", { breakAt: 100_000 });
  await expect(get()).rejects.toThrow("was interrupted after");
  const other = CONTENT.map((byte) => byte ^ 1);
  Object.assign(now, { content: other, etag: '"two"', breakAt: null });
  expect(new Uint8Array(readFileSync((await get()).file))).toEqual(other);
});

test.each([
  ["a server without range support", { ranges: false }],
  ["a server that does not identify the version", { etag: null }],
  ["a server with weak validators", { etag: 'W/"one"' }],
])("%s is requested from the beginning", async (name, behaviour) => {
  const { get } = fresh(`plain-${name.length}`, { ...behaviour, breakAt: 100_000 });
  await expect(get()).rejects.toThrow("was interrupted after");
  now.breakAt = null;
  expect(new Uint8Array(readFileSync((await get()).file))).toEqual(CONTENT);
});

test("a complete file is not downloaded again", async () => {
  const { get } = fresh("whole");
  await get();
  const { file } = await get();
  expect(asked.map(({ status }) => status)).toEqual([200, 416]);
  expect(new Uint8Array(readFileSync(file))).toEqual(CONTENT);
});

test("a file over the limit is refused, with or without a declared length, and not kept", async () => {
  const { get, dataDir } = fresh("long");
  await expect(get(200_000)).rejects.toThrow("more than the limit of 200000");
  expect(readdirSync(join(dataDir, "downloads"))).toEqual([]);
  // Without a length it is known only while the file arrives.
  const inPieces = async function* () {
    for (let at = 0; at < CONTENT.length; at += 50_000) {
      yield CONTENT.subarray(at, at + 50_000);
      await Bun.sleep(1);
    }
  };
  using unsaid = Bun.serve({ port: 0, fetch: () => new Response(inPieces()) });
  const deps = { fetch: fetcher, dataDir, maxBytes: 200_000, inspect() {}, progress() {} };
  await expect(download(new URL("/x", unsaid.url), deps)).rejects.toThrow("more than the limit of 200000");
  expect(readdirSync(join(dataDir, "downloads"))).toEqual([]);
});

test("an https address that redirects to another scheme is not followed", async () => {
  const { dataDir } = fresh("downgraded");
  const led = Object.defineProperty(new Response("anything"), "url", { value: "http://data.example.com/x" });
  const deps = { fetch: async () => led, dataDir, maxBytes: 1e9, inspect() {}, progress() {} };
  await expect(download(new URL("https://data.example.com/x"), deps)).rejects.toThrow(
    "which does not use https",
  );
  expect(readdirSync(join(dataDir, "downloads"))).toEqual([]);
});

test("a content coding that was not asked for is refused: a bomb unpacks to no file", async () => {
  const { dataDir } = fresh("packed");
  const bomb = Bun.gzipSync(new Uint8Array(50_000_000));
  using packed = Bun.serve({
    port: 0,
    fetch: () => new Response(bomb, { headers: { "content-encoding": "gzip" } }),
  });
  const deps = { fetch: fetcher, dataDir, maxBytes: 1e9, inspect() {}, progress() {} };
  await expect(download(new URL("/x", packed.url), deps)).rejects.toThrow("content coding gzip");
  expect(readdirSync(join(dataDir, "downloads"))).toEqual([]);
});

test("the beginning is inspected before more is stored; what is refused is not kept, and nothing more is sent", async () => {
  const { dataDir } = fresh("inspected");
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
  const deps = { fetch: fetcher, dataDir, maxBytes: 16 * 1024 ** 3, inspect, progress() {} };
  await expect(download(new URL("/x", server.url), deps)).rejects.toThrow("an unknown signer");
  expect(heads).toEqual([65_536]);
  expect(readdirSync(join(dataDir, "downloads"))).toEqual([]);
  await until("the connection is closed", () => ended);
  expect(sent).toBeLessThan(16 << 20);
});

test("a server that does not answer, or refuses, is named", async () => {
  const { dataDir } = fresh("refused");
  const deps = { fetch: fetcher, dataDir, maxBytes: 1e9, inspect() {}, progress() {} };
  await expect(download(new URL("http://127.0.0.1:1/x"), deps)).rejects.toThrow(
    "No response from http://127.0.0.1:1/x",
  );
  using missing = Bun.serve({ port: 0, fetch: () => new Response("", { status: 404 }) });
  await expect(download(new URL("/x", missing.url), deps)).rejects.toThrow("answered 404");
});

test("data install accepts an address: signed like a file, over https unless on this machine", async () => {
  const environment = { EXECCOMP_DATA_DIR: join(folder, "from"), HOME: folder };
  const exported = join(folder, "carried.sqlite");
  expect((await cli("data", "export", "--format", "sqlite", "--out", exported, { environment })).code).toBe(
    0,
  );
  fresh("installed", { content: new Uint8Array(readFileSync(exported)) });
  const there = { environment: { EXECCOMP_DATA_DIR: join(folder, "to") }, runtime: realRuntime() };
  const url = `${origin}/carried`;
  const untrusted = await cli("data", "install", url, there);
  expect([untrusted.code, untrusted.err.includes("--trust")]).toEqual([1, true]);
  expect((await cli("data", "install", url, "--trust", there)).code).toBe(0);
  // What an unknown key signed is not kept.
  expect(asked.map(({ status }) => status)).toEqual([200, 200]);
  expect((await cli("data", "info", there)).out).toContain("installed");
  expect((await cli("data", "install", "http://data.example.com/x", there)).err).toContain(
    "does not use https",
  );
  expect((await cli("data", "install", url, "--offline", there)).err).toContain("--offline is set");
  expect((await cli("data", "install", url, "--max-bytes", "10", "--trust", there)).err).toContain(
    "--max-bytes",
  );
});
