import { expect, test } from "bun:test";
import { createInFlight, whenRead } from "../../src/edge/in-flight.ts";
import { ServiceError } from "../../src/errors.ts";

const LIMITS = { quiet: 2, perAddress: 3, total: 20 };

function refusalKind(enter: () => unknown): string {
  try {
    enter();
    return "let in";
  } catch (refused) {
    return refused instanceof ServiceError ? refused.kind : "bug";
  }
}

test("while the server is quiet nobody is counted", () => {
  const inFlight = createInFlight(() => 2, LIMITS);
  for (let i = 0; i < 10; i++) expect(inFlight.enter("a")).toBeUndefined();
});

test("one address has its places, others theirs, and a place is given back once", () => {
  const inFlight = createInFlight(() => 10, LIMITS);
  const [first] = [inFlight.enter("a"), inFlight.enter("a"), inFlight.enter("a")];
  expect(refusalKind(() => inFlight.enter("a"))).toBe("rate_limited");
  expect(refusalKind(() => inFlight.enter("b"))).toBe("let in");
  first?.();
  first?.();
  expect(refusalKind(() => inFlight.enter("a"))).toBe("let in");
  expect(refusalKind(() => inFlight.enter("a"))).toBe("rate_limited");
});

test("when all places are taken everybody is asked to come back", () => {
  expect(refusalKind(() => createInFlight(() => 21, LIMITS).enter("new"))).toBe("unavailable");
});

test("a place is given back when the answer was read, was cancelled, or has no body", async () => {
  let released = 0;
  const release = () => void released++;
  const read = whenRead(new Response("text", { status: 201, headers: { "x-a": "1" } }), release);
  expect([read.status, read.headers.get("x-a"), released]).toEqual([201, "1", 0]);
  expect(await read.text()).toBe("text");
  expect(released).toBe(1);
  await whenRead(new Response("text"), release).body?.cancel();
  expect(released).toBe(2);
  whenRead(new Response(null, { status: 304 }), release);
  expect(released).toBe(3);
});
