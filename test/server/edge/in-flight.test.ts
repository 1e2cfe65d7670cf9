import { afterAll, beforeAll, expect, test } from "bun:test";
import { InFlight } from "../../../src/server/edge/in-flight.ts";
import { listen, type Listener } from "../../../src/server/edge/listener.ts";
import { ServiceError } from "../../../src/errors.ts";
import { createLog, silentLog } from "../../../src/log.ts";
import { testRuntime } from "../../support/runtime.ts";
import { until } from "../../support/until.ts";

const LIMITS = { quiet: 2, perAddress: 3, total: 20 };
const request = () => new Request("http://localhost/");

function refusalKind(enter: () => unknown): string {
  try {
    enter();
    return "let in";
  } catch (refused) {
    return refused instanceof ServiceError ? refused.kind : "bug";
  }
}

/** A listener with the given number of requests in flight. */
function crowd(pending: number) {
  const over = new Set<Request>();
  return { over, pending: () => pending, isFinished: (one: Request) => over.has(one) };
}

test("while the server is quiet no request is counted", () => {
  const inFlight = new InFlight(crowd(2), LIMITS);
  for (let i = 0; i < 10; i++) inFlight.enter("a", request());
  expect(inFlight.size).toBe(0);
});

test("each address has its own slots, and a slot is free when its request has ended", () => {
  const listener = crowd(10);
  const inFlight = new InFlight(listener, LIMITS);
  const [first, ...others] = [request(), request(), request()];
  for (const one of [first, ...others]) if (one !== undefined) inFlight.enter("a", one);
  expect(refusalKind(() => inFlight.enter("a", request()))).toBe("rate_limited");
  expect(refusalKind(() => inFlight.enter("b", request()))).toBe("let in");
  if (first !== undefined) listener.over.add(first);
  expect(refusalKind(() => inFlight.enter("a", request()))).toBe("let in");
  expect(refusalKind(() => inFlight.enter("a", request()))).toBe("rate_limited");
});

test("all networks in a /48 share its slots: one provider's addresses cannot take all of them", () => {
  const inFlight = new InFlight(crowd(10), LIMITS);
  for (let n = 0; n < 3; n++) inFlight.enter(`2001:db8:7:${n}::/64`, request());
  expect(refusalKind(() => inFlight.enter("2001:db8:7:9::/64", request()))).toBe("rate_limited");
  expect(refusalKind(() => inFlight.enter("2001:db8:8:9::/64", request()))).toBe("let in");
});

test("when all slots are taken every caller is asked to retry", () => {
  expect(refusalKind(() => new InFlight(crowd(21), LIMITS).enter("new", request()))).toBe("unavailable");
});

test("a flood from many addresses, with clients that never read, leaves nothing behind", () => {
  const listener = crowd(10);
  const inFlight = new InFlight(listener, LIMITS);
  const stays = [request(), request()];
  for (const one of stays) inFlight.enter("reader", one);
  for (let n = 0; n < 10_000; n++) {
    const passes = request();
    inFlight.enter(`flood-${n}`, passes);
    listener.over.add(passes);
  }
  expect(inFlight.size).toBeLessThanOrEqual(2 * LIMITS.total);
  inFlight.enter("reader", request());
  expect(refusalKind(() => inFlight.enter("reader", request()))).toBe("rate_limited");
});

let listener: Listener;
const seen: Request[] = [];
beforeAll(() => {
  const nowhere = { socket: "", tlsCert: "", tlsKey: "" };
  listener = listen({ host: "127.0.0.1", port: 0, ...nowhere }, silentLog());
  listener.answerWith(async (one) => {
    seen.push(one);
    return new Response(new Blob([new Uint8Array(64 * 1024 * 1024)]));
  });
});
afterAll(() => listener.stop(0));

test("a listener knows which requests have ended: read to the end or aborted, but not those never read", async () => {
  await (await fetch(`http://127.0.0.1:${listener.port}/read`)).arrayBuffer();
  const reader = await Bun.connect({
    hostname: "127.0.0.1",
    port: listener.port,
    socket: {
      open(socket) {
        socket.pause();
        socket.write("GET /unread HTTP/1.1\r\nHost: x\r\n\r\n");
      },
      data() {},
    },
  });
  await until("both have arrived", () => seen.length === 2);
  const [read, unread] = seen;
  if (read === undefined || unread === undefined) throw new Error("two were requested");
  await until("the one that was read has ended", () => listener.isFinished(read));
  expect([listener.isFinished(unread), listener.pending()]).toEqual([false, 1]);
  reader.terminate();
  await until("the other has ended", () => listener.isFinished(unread) && listener.pending() === 0);
});

test("an error that escapes every surface is reported only to the operator", async () => {
  const lines: string[] = [];
  const log = createLog(testRuntime(), (line) => lines.push(line));
  const broken = listen({ host: "127.0.0.1", port: 0, socket: "", tlsCert: "", tlsKey: "" }, log);
  broken.answerWith(() => {
    throw new Error("a bug");
  });
  const answer = await fetch(`http://127.0.0.1:${broken.port}/`);
  const text = await answer.text();
  await broken.stop(0);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([500, "application/json"]);
  expect(text).not.toMatch(/a bug|\.ts/);
  expect(lines.join()).toContain("a bug");
});
