import { expect, test } from "bun:test";
import { presentedBy } from "../../src/mcp/request.ts";

test.each([
  [{}, { kind: "none" }],
  [{ "x-api-key": "k" }, { kind: "key", secret: "k" }],
  [{ "x-api-key": "" }, { kind: "key", secret: "" }],
  [{ authorization: "Bearer t" }, { kind: "token", secret: "t" }],
  [{ authorization: "bearer   t " }, { kind: "token", secret: "t" }],
  [{ authorization: "BEARER" }, { kind: "token", secret: "" }],
  [{ authorization: "Basic eDp5" }, { kind: "none" }],
  [{ authorization: "Bearerx t" }, { kind: "none" }],
  [
    { authorization: "Basic eDp5", "x-api-key": "k" },
    { kind: "key", secret: "k" },
  ],
  [{ authorization: "Bearer t", "x-api-key": "k" }, { kind: "both" }],
  [{ authorization: "Bearer", "x-api-key": "" }, { kind: "both" }],
] as const)("%j is %j", (headers, presented) => {
  expect(presentedBy(new Headers(headers))).toEqual(presented);
});
