import { test } from "bun:test";
import { walkCredits } from "./credits-walks.ts";

test(
  "store and ledger equal a simple sum at every step of random walks of keys, charges, grants and restarts",
  () => walkCredits(8),
  300_000,
);
