import { test } from "bun:test";
import { callsAlike, handshakesAlike } from "./differential.ts";

test("both paths answer every call alike, in both protocol families", () => callsAlike(1500), 300_000);

test("both paths answer every handshake alike, to the byte", () => handshakesAlike(1500, 20), 300_000);
