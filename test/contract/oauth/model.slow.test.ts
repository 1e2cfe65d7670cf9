import { expect } from "bun:test";
import { randomWalks } from "./model.ts";
import { requirement } from "./requirements.ts";

/** A walk that never gets anywhere proves nothing. */
const OUTCOMES = [
  "refresh ok",
  "refresh reused",
  "refresh invalid_grant",
  "refresh invalid_scope",
  "refresh invalid_target",
  "redeem ok",
  "redeem replayed",
  "redeem invalid_grant",
  "disconnect true",
];

requirement(
  87,
  "sixty random walks reach every outcome",
  async () => {
    const seen = await randomWalks(Number(Bun.env["OAUTH_WALKS"] ?? 60));
    for (const outcome of OUTCOMES) expect([outcome, seen.has(outcome)]).toEqual([outcome, true]);
  },
  300_000,
);
