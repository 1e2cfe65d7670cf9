/** What a worker forwards: the complete request, with its peer, and no longer than the caller waits. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createForward, peerBehind } from "../../../src/server/edge/forward.ts";
import { realRuntime } from "../../../src/runtime.ts";
import { tempFolder } from "../../support/folder.ts";

const socket = join(tempFolder(), "owner.sock");
const forward = createForward(realRuntime().fetch, socket);
const began = Promise.withResolvers<void>();
const aborted = Promise.withResolvers<void>();
let owner: Bun.Server<undefined>;

beforeAll(() => {
  owner = Bun.serve({
    unix: socket,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (pathname === "/slow") {
        request.signal.addEventListener("abort", () => aborted.resolve());
        began.resolve();
        await aborted.promise;
        return new Response("too late");
      }
      if (pathname === "/away") return Response.redirect("/elsewhere", 303);
      if (pathname === "/packed")
        return new Response(Bun.gzipSync("packed"), { headers: { "content-encoding": "gzip" } });
      const { method, headers } = request;
      const host = headers.get("host");
      const answer = {
        method,
        path: pathname + search,
        peer: peerBehind(request),
        host,
        body: await request.text(),
      };
      return Response.json(answer, { status: 201, headers: { "set-cookie": "a=b" } });
    },
  });
});
afterAll(() => owner.stop(true));

const request = (path: string, init?: RequestInit) => new Request(`http://pay.example.com${path}`, init);

test("a request arrives complete, with the peer that the worker saw", async () => {
  const asked = request("/sign-in?next=%2Ft", {
    method: "POST",
    body: "email=a",
    headers: { "x-execcomp-peer": "203.0.113.9", host: "pay.example.com" },
  });
  const answer = await forward(asked, "198.51.100.1");
  expect([answer.status, answer.headers.get("set-cookie")]).toEqual([201, "a=b"]);
  expect(await answer.json()).toEqual({
    method: "POST",
    path: "/sign-in?next=%2Ft",
    peer: "198.51.100.1",
    host: "pay.example.com",
    body: "email=a",
  });
});

test("a redirect and a compressed body are returned unchanged", async () => {
  const redirect = await forward(request("/away"), "peer");
  expect([redirect.status, redirect.headers.get("location")]).toEqual([303, "/elsewhere"]);
  const packed = await forward(request("/packed"), "peer");
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(new TextDecoder().decode(Bun.gunzipSync(await packed.arrayBuffer()))).toBe("packed");
});

test("the owner is notified when the caller has gone", async () => {
  const caller = new AbortController();
  const answer = forward(request("/slow", { signal: caller.signal }), "peer");
  await began.promise;
  caller.abort();
  await aborted.promise;
  expect((await answer).status).toBe(503);
});

test("without an owner a caller is asked to retry", async () => {
  const answer = await createForward(realRuntime().fetch, `${socket}.none`)(request("/"), "peer");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
});
