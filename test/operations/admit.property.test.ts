import { test } from "bun:test";
import { mutateCredentials } from "./credential-mutations.ts";

test(
  "of 2,000 mutated credentials only the key itself is valid; every other is refused, and nothing is charged",
  () => mutateCredentials(2_000),
  300_000,
);
