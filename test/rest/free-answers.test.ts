/**
 * What is answered for nothing to somebody who has credits tells nothing that is sold. Two datasets differ in paid amounts and
 * in nothing else: an answer that is free on both is the same on both. That there is no row within some bounds may be known for
 * nothing; how many there are, whose they are and what they amount to may not.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { seededRandom } from "../support/seeded-random.ts";
import { type Asked, differenceOf, neutral, pair } from "../web/paid-years-walk.ts";

let servers: [Asked, Asked];
beforeAll(async () => {
  servers = await pair(() => true, { publicRankings: "off", credits: 1_000_000 });
});
afterAll(() => Promise.all(servers.map(({ server }) => server.stop())));

const QUERY = "/api/executive-compensation/query";
const STATISTICS = "/api/executive-compensation/statistics";
const CEO_PAY = "/api/ceo-pay";
const OPERATIONS = [QUERY, STATISTICS, CEO_PAY, `${CEO_PAY}/statistics`];

/** A cursor of a question beyond its last row; anybody can make one. */
function beyondTheEnd(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  return Buffer.from(text.replace(/\.\d+$/, ".9999999")).toString("base64url");
}

async function ask({ server, key = "" }: Asked, path: string) {
  server.advance(200);
  const answer = await server.get(path, { key });
  return {
    status: answer.status,
    charged: answer.headers.get("credits-charged"),
    text: await answer.text(),
    evidence: answer.headers.get("row-evidence"),
  };
}

test.each([QUERY, CEO_PAY])(
  "%s: a page behind the last one is no free count of what matches",
  async (path) => {
    const [asked] = servers;
    for (const query of ["fiscal_year=2024", "fiscal_year=2024&ticker=AAA,AAB"]) {
      const first = await ask(asked, `${path}?${query}&max_rows=1`);
      const { next_cursor: cursor } = JSON.parse(first.text) as { next_cursor: string };
      const beyond = await ask(asked, `${path}?${query}&cursor=${beyondTheEnd(cursor)}`);
      const isTold = beyond.text.includes('"matched"');
      expect([query, isTold && beyond.charged === "0"]).toEqual([query, false]);
    }
  },
);

const PLAIN = {
  ticker: ["", "AAA", "AAB,AAC", "AAA,AAK,AAL", "AAK", "AAL", "AAD,AAM"],
  years: ["fiscal_year=2024", "fiscal_year_gte=2023", "fiscal_year_lt=2025", "fiscal_year_lte=2021", ""],
  state: ["", "CA", "NY"],
  index: ["", "sp500"],
} as const;

/** The same question with other bounds: somebody who looks for an amount. */
const SEARCHED: readonly (readonly [path: string, field: string])[] = [
  [`${STATISTICS}?ticker=AAA&office=pfo&fiscal_year=2024`, "total_compensation"],
  [`${STATISTICS}?state=CA&office=pfo&fiscal_year=2023`, "total_compensation"],
  ...["AAA,AAB", "AAB,AAC", "AAC,AAD,AAE"].flatMap((tickers) => {
    const of = `ticker=${tickers}&fiscal_year_gte=2023&fiscal_year_lte=2024&group_by=fiscal_year&same_companies=true`;
    return [
      [`${STATISTICS}?${of}&office=peo`, "total_compensation"],
      [`${CEO_PAY}/statistics?${of}`, "peo_total"],
    ] as const;
  }),
  [`${CEO_PAY}?ticker=AAK&fiscal_year=2021`, "peo_total"],
];

test.each(SEARCHED)("looking for an amount: %s", async (path, field) => {
  let free = 0;
  for (let low = 0; low < 36; low += 1)
    for (let high = low + 2; high < 38; high += 3)
      free += await compare(`${path}&${field}_gte=${low * 1_000_000}&${field}_lt=${high * 1_000_000}`);
  expect(free).toBeGreaterThan(0);
});

/** Compares what both answer to a path. @returns 1 if it is free on both, else 0 */
async function compare(path: string): Promise<0 | 1> {
  const [one, other] = await Promise.all(servers.map((asked) => ask(asked, path)));
  if (one === undefined || other === undefined) throw new Error("no answers");
  expect([path, one.status < 500, other.status < 500]).toEqual([path, true, true]);
  if (one.status !== 200 || one.charged !== "0" || other.charged !== "0") return 0;
  const [first, second] = [one, other].map(({ text, evidence }, at) => {
    const asked = servers[at];
    return asked === undefined ? "" : neutral(asked, `${evidence} ${text}`);
  });
  expect([path, differenceOf(first ?? "", second ?? "")]).toEqual([path, []]);
  return 1;
}

test("an answer that is free on both datasets is the same on both", async () => {
  const random = seededRandom(7);
  const of = <Item>(list: readonly Item[]): Item | undefined => list[random.whole(0, list.length - 1)];
  let free = 0;
  for (let n = 0; n < 600; n++) {
    const operation = of(OPERATIONS) ?? QUERY;
    const isOfTotals = operation.startsWith(CEO_PAY);
    const isStatistics = operation.endsWith("statistics");
    const bound = random.whole(0, 35) * 1_000_000;
    const field = isOfTotals ? "peo_total" : of(["total_compensation", "salary", "total_change"]);
    const given: (readonly [string, string])[] = [
      ["ticker", of(PLAIN.ticker) ?? ""],
      ["state", of(PLAIN.state) ?? ""],
      ["index", of(PLAIN.index) ?? ""],
      ...new URLSearchParams(of(PLAIN.years)),
      [`${field}_${of(["gte", "lte", "gt", "lt"])}`, String(bound)],
      [`${field}_${of(["gt", "lt"])}`, String(bound + random.whole(0, 12) * 1_000_000)],
      ...(isOfTotals
        ? []
        : [
            ["office", of(["", "", "peo", "pfo", "other"]) ?? ""] as const,
            ["executive", of(["", "", "", "alder", "petra", "oscar,paul"]) ?? ""] as const,
            ["evidence", of(["", "", "", "collected"]) ?? ""] as const,
            ["one_per_company_year", of(["", "", "true"]) ?? ""] as const,
          ]),
      ...(isStatistics
        ? [
            ["group_by", of(["", "fiscal_year", "state"]) ?? ""] as const,
            ["same_companies", of(["", "true"]) ?? ""] as const,
          ]
        : [["max_rows", "3"] as const]),
    ];
    const query = new URLSearchParams();
    for (const [name, value] of given) if (value !== "") query.append(name, value);
    if (query.get("group_by") !== "fiscal_year") query.delete("same_companies");
    const path = `${operation}?${query}`;
    free += await compare(path);
  }
  expect(free).toBeGreaterThan(100);
}, 120_000);
