import { expect, test } from "bun:test";
import { createLog } from "../src/log.ts";

test("an event is one JSON line whatever stands in its fields", () => {
  const lines: string[] = [];
  const log = createLog({ now: () => 1_763_700_000_123 }, (line) => lines.push(line));
  const fields = { path: '/t/"quoted"\n\u2028', id: "01a1-b", status: 200, ms: 0.25, ok: true, none: null };
  log.warn("odd request", { ...fields, absent: undefined });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain("\n");
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    time: new Date(1_763_700_000_123).toISOString(),
    level: "warn",
    event: "odd request",
    ...fields,
  });
});

test("times stay right over the turn of a second", () => {
  const times = [999, 1000, 1001, 59_999, 60_000];
  const seen: string[] = [];
  let now = 0;
  const log = createLog({ now: () => now }, (line) => seen.push(JSON.parse(line).time));
  for (now of times) log.info("tick");
  expect(seen).toEqual(times.map((ms) => new Date(ms).toISOString()));
});
