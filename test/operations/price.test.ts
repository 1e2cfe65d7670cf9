import { expect, test } from "bun:test";
import type { Principal } from "../../src/accounts/principal.ts";
import { affordable } from "../../src/operations/admit.ts";

const USER = { kind: "key", keyId: "k", userId: "u" } as const satisfies Principal;

test("questions asked at once are evaluated only as far as the balance pays for them", async () => {
  let balance = 2;
  const whenAffordable = affordable({ charge: async () => ({ charged: 0, remaining: balance }) });
  let evaluated = 0;
  const ask = async (price: number) => {
    evaluated += 1;
    // The charge takes effect some turns later.
    await Bun.sleep(1);
    balance -= price;
    return price;
  };
  const asked = Array.from({ length: 20 }, () =>
    Promise.resolve(whenAffordable(USER, 1, "", () => ask(1))).then(
      () => "paid",
      ({ kind }: { kind: string }) => kind,
    ),
  );
  expect((await Promise.all(asked)).sort()).toEqual(
    ["paid", "paid", ...Array.from({ length: 18 }, () => "payment_required")].sort(),
  );
  expect([evaluated, balance]).toEqual([2, 0]);
});

test("whoever waits is answered when an earlier answer turns out to be free, or fails", async () => {
  const whenAffordable = affordable({ charge: async () => ({ charged: 0, remaining: 1 }) });
  const outcomes = Array.from({ length: 6 }, async (_, at) => {
    await whenAffordable(USER, 1, "", async () => {
      await Bun.sleep(1);
      if (at % 2 === 1) throw new Error("failed");
    });
  });
  const settled = await Promise.allSettled(outcomes);
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
});
