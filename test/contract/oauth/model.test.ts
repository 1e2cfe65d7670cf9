import { expect } from "bun:test";
import { randomWalks } from "./model.ts";
import { requirement } from "./requirements.ts";

requirement(
  87,
  "random walks: issued, redeemed, replayed, refreshed, reused, revoked, expired, disabled",
  async () => {
    const seen = await randomWalks(12);
    for (const outcome of ["redeem ok", "redeem invalid_grant", "refresh ok", "refresh invalid_grant"])
      expect([outcome, seen.has(outcome)]).toEqual([outcome, true]);
  },
  300_000,
);
