import { expect, test } from "bun:test";
import { fuzzRequests } from "../support/fuzz-requests.ts";

test("random and mutated requests cause no 5xx and no answer that violates the document (all of them: bun run fuzz requests)", async () => {
  const { requests, statuses, broken } = await fuzzRequests(6000, 20261121);
  expect(broken).toEqual([]);
  expect(requests).toBe(6000);
  for (const status of [200, 304, 400, 401, 402, 403, 404, 405, 429])
    expect({ status, given: (statuses[status] ?? 0) > 0 }).toEqual({ status, given: true });
}, 300_000);
