import { test } from "bun:test";
import { walkCredits } from "./credits-walks.ts";

test(
  "random walks of keys, charges, grants and restarts: store and ledger are what a plain sum says, at every step",
  () => walkCredits(40),
  300_000,
);
