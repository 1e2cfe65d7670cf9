import { expect, test } from "bun:test";
import { fuzzRequests } from "../support/fuzz-requests.ts";

test("random and mutated requests cause no 5xx and no answer that violates the document (all of them: bun run fuzz requests)", async () => {
  const { requests, statuses, broken } = await fuzzRequests(1200, 20261121);
  expect(broken).toEqual([]);
  expect(requests).toBe(1200);
  for (const status of [200, 400, 401, 404, 405])
    expect({ status, given: (statuses[status] ?? 0) > 0 }).toEqual({ status, given: true });
}, 300_000);
