import { expect, test } from "bun:test";
import { readEcd } from "../../../src/reader/document/submission.ts";

const CONTEXT =
  '<xbrli:context id="c1"><xbrli:period><xbrli:startDate>2023-01-01</xbrli:startDate><xbrli:endDate>2023-12-31</xbrli:endDate></xbrli:period></xbrli:context>';

test("tags that never end are not searched to the end of the document", () => {
  const tags = `<ix:nonNumeric contextRef="c1" name="ecd:PeoName">Ada`;
  const cpu = (count: number): number => {
    const text = CONTEXT + tags.repeat(count);
    const before = process.cpuUsage();
    readEcd(text);
    return process.cpuUsage(before).user;
  };
  const least = (count: number): number => Math.min(cpu(count), cpu(count), cpu(count));
  least(2_000);
  expect(least(40_000) / Math.max(1, least(10_000))).toBeLessThan(10);
});
