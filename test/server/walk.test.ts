/** The way of one answer through the rooms, as ARCHITECTURE.md lists it under "One request". */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startTestServer } from "../support/server.ts";

const ROOT = join(import.meta.dir, "../..");

/** The functions of the table, each with its room. */
function listed(): { room: string; name: string }[] {
  const text = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
  let room = "";
  return [...text.matchAll(/^\| (?:`(\w+)` )?\| `(\w+)` \| /gm)].map(([, own, name = ""]) => {
    room = own ?? room;
    return { room, name };
  });
}

test("the functions of the walk are at most ten, and in their rooms", async () => {
  const walk = listed();
  expect(walk.length).toBeGreaterThan(8);
  expect(walk.length).toBeLessThanOrEqual(10);
  for (const { room, name } of walk) {
    const sources = [...new Bun.Glob(`src/${room}/**/*.ts`).scanSync(ROOT)];
    const declared = new RegExp(`(?:function |^ +)${name}[(<]`, "m");
    const found = sources.some((file) => declared.test(readFileSync(join(ROOT, file), "utf8")));
    expect([room, name, found]).toEqual([room, name, true]);
  }
});

test("the rows of an answer are asked for by operations, and these by rest, each once", async () => {
  const server = await startTestServer();
  try {
    const key = await server.createKey();
    const dataset = server.services.snapshots.current();
    const { rowsBody } = dataset;
    let stack = "";
    dataset.rowsBody = (...asked) => {
      stack = new Error("here").stack ?? "";
      return rowsBody(...asked);
    };
    const answer = await server.get("/api/executive-compensation?ticker=AAPL", { key });
    expect([answer.status, answer.headers.get("credits-charged")]).toEqual([200, "1"]);
    const rooms = [...stack.matchAll(/\/src\/(\w+)\//g)].map(([, room = ""]) => room);
    expect(rooms.length).toBeLessThanOrEqual(10);
    expect(rooms.filter((room, at) => room !== rooms[at - 1])).toEqual(["operations", "rest"]);
  } finally {
    await server.stop();
  }
});
