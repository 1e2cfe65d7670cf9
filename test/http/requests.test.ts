import { describe, expect, test } from "bun:test";
import { parameters, pathSegment, prefersHtml } from "../../src/http/requests.ts";

describe("a page is returned to clients that prefer HTML", () => {
  test.each<[string | null, boolean]>([
    [null, false],
    ["*/*", false],
    ["application/json", false],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
    ["application/json, text/html;q=0.5", false],
    ["text/html;q=0", false],
  ])("%p", (accept, page) => {
    expect(prefersHtml(accept)).toBe(page);
  });
});

test.each([
  ["/t/AAPL/facts", 2, "AAPL"],
  ["/t/AAPL/facts", 1, "t"],
  ["/t/AAPL/facts", 3, "facts"],
  ["/t/AAPL", 2, "AAPL"],
  ["/t/", 2, ""],
  ["/t", 2, ""],
  ["/", 1, ""],
  ["/t/BRK%2FB/facts", 2, "BRK/B"],
  ["/t/%zz/facts", 2, "%zz"],
])("the segment of %s at %d is %j", (path, index, segment) => {
  expect(pathSegment(path, index)).toBe(segment);
});

test.each([
  "",
  "?",
  "?cik=0000320193&limit=100",
  "?a=1&b=2&a=3",
  "?a&b=&=c&&d=e=f&",
  "?ticker=BRK%2FB&q=two+words",
  "a=1&b=%zz",
])("the parameters of %j are those that the URL standard reads", (search) => {
  const given = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(search)) given.getOrInsert(name, []).push(value);
  expect(parameters(search)).toEqual(given);
});
