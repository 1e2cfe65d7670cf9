import { test } from "bun:test";
import { mutateCredentials } from "./credential-mutations.ts";

test(
  "20,000 mutated credentials: only the key itself opens, every other is refused as such, and nothing is charged",
  () => mutateCredentials(20_000),
  300_000,
);
