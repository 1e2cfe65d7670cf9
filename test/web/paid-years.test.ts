/**
 * Nothing that is sold reaches a visitor, a member without a credit or a test key, on any route: no paid amount, and no order,
 * median, end or length that follows from one. With every filter, and on PostgreSQL: `paid-years.slow.test.ts`.
 */
import { expect, test } from "bun:test";
import { describeOpened, describeUnpaid, toldToOperators } from "./paid-years-walk.ts";

const thin = { publicRankings: "off", isThin: true } as const;
describeUnpaid("a visitor", { ...thin, credits: null });
describeUnpaid("a visitor where rankings are public", { ...thin, credits: null, publicRankings: "on" });
describeUnpaid("a member without a credit", { ...thin, credits: 0 });
describeUnpaid("the holder of a test key", { ...thin, credits: 0, isTest: true });
describeOpened("the CEOs of 2024", { ...thin, credits: 1 });

test("the walk would notice: what the local operator is told differs", async () => {
  const told = await toldToOperators([
    "/t/AAA",
    "/t/AAA/chart?chart=years&format=csv",
    "/t/AAL?year=2024",
    "/t/AAL/chart?chart=years&format=csv",
    "/compare?t=AAA,AAB",
    "/rankings?office=peo",
    "/rankings?evidence=collected",
    "/statistics",
    "/ceo-pay?fiscal_year=2024",
    "/ceo-pay?companies=AAL&fiscal_year=2024",
  ]);
  for (const [path, [one, other]] of told) expect([path, one === other]).toEqual([path, false]);
});
