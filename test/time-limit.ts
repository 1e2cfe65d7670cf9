/**
 * Preloaded (`bunfig.toml`): a test may take five minutes instead of Bun's five seconds, because a busy machine is no
 * failure. Bun has no setting for this, only `--timeout`, and what `setDefaultTimeout` sets ends with the file.
 */
import { mock } from "bun:test";
import * as bunTest from "bun:test";

const LIMIT_MS = 300_000;
// A copy: the module's own members are about to be replaced.
const original = { ...bunTest };

/** The same function, its members included, that first sets the limit for the file that calls it. */
function limited<F extends object>(fn: F, self?: object): F {
  return new Proxy(fn, {
    apply(target, _self, args) {
      original.setDefaultTimeout(LIMIT_MS);
      // What `new Proxy` is given here is always a function: `apply` is called for nothing else.
      return Reflect.apply(target as F & Function, self, args);
    },
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      return typeof member === "function" ? limited(member, target) : member;
    },
  });
}

const { test, describe, beforeAll } = original;
void mock.module("bun:test", () => ({
  ...original,
  test: limited(test),
  describe: limited(describe),
  beforeAll: limited(beforeAll),
}));
