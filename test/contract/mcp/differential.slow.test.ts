import { test } from "bun:test";
import { callsAlike, handshakesAlike } from "./differential.ts";

test("both paths answer every call identically, in both protocol families", () => callsAlike(1500), 300_000);

test(
  "both paths answer every handshake identically, byte for byte",
  () => handshakesAlike(1500, 20),
  300_000,
);
