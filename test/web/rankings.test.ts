/** Rankings as an analyst reads them: what they are sorted by, names instead of codes, what is missing and what helps. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { SORT_KEYS } from "../../src/domain/selection.ts";
import { stateName, US_STATES } from "../../src/domain/states.ts";
import { BrowserSession } from "../contract/oauth/support.ts";
import { openPage, withoutTags } from "../support/html.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
const open = async (path: string) => (await openPage(server, path)).text;
const titleOf = (text: string) => /<h1>([^<]*)</.exec(text)?.[1];

test.each(SORT_KEYS)("what a ranking is sorted by is a column with a mark: %s", async (key) => {
  const text = await open(`/rankings?office=peo&fiscal_year=2025&sort=-${key}`);
  const heads = [...text.matchAll(/<th scope="col"[^>]*>/g)].map(([head]) => head);
  const marked = heads.flatMap((head, at) => (head.includes('aria-sort="descending"') ? [at] : []));
  expect([key, marked.length]).toEqual([key, 1]);
  const [row = ""] = text.slice(text.indexOf("<tbody>")).split("</tr>");
  const cells = [...row.matchAll(/<(th|td)[^>]*>/g)].map(([cell]) => cell);
  expect(cells).toHaveLength(heads.length);
  // The company is the header of its row.
  if (key !== "company_name")
    expect([key, cells[marked[0] ?? 0]]).toEqual([key, expect.stringContaining("sorted")]);
});

test("whose pay fell most is told in dollars beside per cent, over the total of the year before", async () => {
  const text = await open("/rankings?office=peo&fiscal_year=2025&sort=total_change");
  const [line = ""] = text.slice(text.indexOf("<tbody>")).split("</tr>");
  const amountOf = (label: string) => {
    const [, cell = ""] = line.split(`data-label="${label}">`);
    return Number(
      withoutTags(cell.split("</td>")[0] ?? "")
        .replace("−", "-")
        .replaceAll(/[^\d.-]/g, ""),
    );
  };
  const [before, total, change] = ["Total 2024", "Total", "Change, $"].map(amountOf);
  expect(before).toBeGreaterThan(total ?? 0);
  expect(change).toBe((total ?? 0) - (before ?? 0));
  expect(withoutTags(line)).toContain("▼");
});

test("states and sectors are chosen by name, and titles say names", async () => {
  const text = await open("/rankings?state=tx&sector=energy");
  expect(titleOf(text)).toBe("Highest-paid executives in energy based in Texas, latest year");
  expect(text).toContain('<option value="TX" selected>Texas</option>');
  expect(text).toContain('<option value="NY" >New York</option>');
  expect(await open("/statistics?state=A6")).toContain("based in Ontario");
  // Nothing that is chosen is a code.
  const [, states = ""] = text.split('name="state"');
  const named = [...(states.split("</select>")[0] ?? "").matchAll(/<option value="(\w+)"[^>]*>([^<]*)</g)];
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(([, code, name]) => code === name)).toEqual([]);
  expect(titleOf(await open("/ceo-pay?filer_category=smaller_reporting_company"))).toBe(
    "CEO pay across the market, smaller reporting companies, latest year",
  );
  expect(titleOf(await open("/rankings?fiscal_year_gte=2022&fiscal_year_lte=2024"))).toBe(
    "Highest-paid executives, fiscal years from 2022 to 2024",
  );
  expect(text).toContain(">Non-accelerated filer</option>");
  const groups = await Promise.all(["state", "index"].map((by) => open(`/statistics?by=${by}`)));
  // Every state, not only those with the highest medians.
  for (const state of ["Singapore", "California", "Utah"]) expect(groups[0]).toContain(`>${state}</a>`);
  expect(groups[1]).toMatch(/>S&amp;P 500<\/a>[^]*>Not in the S&amp;P 500</);
  expect([US_STATES.size, stateName("A1"), stateName("??")]).toEqual([52, "British Columbia", "??"]);
});

test("rankings and statistics count executives and companies, and have one menu of downloads", async () => {
  for (const path of ["/rankings?office=peo", "/rankings", "/statistics", "/rankings?fiscal_year_gte=2020"]) {
    const text = await open(path);
    const words = withoutTags(text.slice(text.indexOf("<main"), text.indexOf("<table"))).replaceAll(
      /\s+/g,
      " ",
    );
    expect([path, /\brows?\b|\bloaded\b|\bserved\b/i.exec(words)?.[0]]).toEqual([path, undefined]);
    expect([path, text.split("Download ▾").length]).toEqual([path, 2]);
  }
  expect(await open("/rankings?office=peo&fiscal_year_gte=2020")).toMatch(
    /[\d,]+ CEO-years at [\d,]+ companies/,
  );
});

test("the menu of downloads says where a file has only the first rows, and how many there are", async () => {
  for (const [path, query] of [
    ["/rankings", ""],
    ["/rankings", "fiscal_year_gte=2020&office=peo"],
    ["/ceo-pay", ""],
    ["/rankings", "sector=energy"],
    ["/ceo-pay", "sector=energy"],
  ] as const) {
    const menu = withoutTags((await open(`${path}?${query}`)).split("Download ▾")[1] ?? "");
    const [, of] = /^\s*Table, 1,000 of ([\d,]+) lines/.exec(menu) ?? [];
    const file = await server.get(`${path}/download?format=csv&${query}`);
    const lines = (await file.text()).trimEnd().split("\r\n").length - 1;
    const isWhole = of === undefined;
    expect([path, query, lines < 1000]).toEqual([path, query, isWhole]);
    if (!isWhole) expect([lines, Number(of.replaceAll(",", "")) > 1000]).toEqual([1000, true]);
    expect([path, query, isWhole]).toEqual([path, query, query === "sector=energy"]);
  }
});

test("whoever may load what is missing has a button for it; a member reads who can", async () => {
  const shared = await startTestServer({ localPages: "sign-in" });
  try {
    const owner = { email: "owner@example.com", password: "an owner's long password" };
    const member = { email: "member@example.com", password: "a member's long password" };
    for (const { email, password } of [owner, member])
      await shared.accounts.signUps.createWithPassword(email, password);
    const see = async (person: typeof owner) => {
      const browser = new BrowserSession(shared);
      await browser.signIn(person);
      return (await (await browser.open("/rankings?companies=AAPL,TSM")).text()).replaceAll(/\s+/g, " ");
    };
    const [asOwner, asMember] = [await see(owner), await see(member)];
    expect(asOwner).toContain('name="symbols" value="TSM"');
    expect(asOwner).toContain("Load their filings from the SEC");
    expect(asMember).toContain("Whoever runs this server can load their filings.");
    expect(asMember).not.toContain('name="symbols"');
    for (const text of [asOwner, asMember]) expect(text).not.toContain("execcomp ingest");
  } finally {
    await shared.stop();
  }
});

test("whose pay fell, or rose, is counted among those whose year before is known", async () => {
  const ask = server.asOperator();
  const query = "office=peo&fiscal_year=2025&measures=total_change&max_rows=1000";
  const answer = await (await ask(`/api/executive-compensation/query?${query}`)).json();
  const { measures, executive_compensation: rows } = answer as {
    measures: { total_change: number | null }[];
    executive_compensation: { cik: string }[];
  };
  const known = measures.flatMap(({ total_change: change }, at) =>
    change === null ? [] : [{ change, cik: rows[at]?.cik ?? "" }],
  );
  for (const [sort, word, is] of [
    ["total_change", "less", (change: number) => change < 0],
    ["-total_change_percent", "more", (change: number) => change > 0],
  ] as const) {
    const those = known.filter(({ change }) => is(change));
    const companies = new Set(those.map(({ cik }) => cik)).size;
    expect(those.length).toBeGreaterThan(10);
    const words = withoutTags(await open(`/rankings?office=peo&fiscal_year=2025&sort=${sort}`));
    expect(words).toContain(
      `${those.length} of ${known.length} whose year before is known were paid ${word}, at ${companies} companies.`,
    );
  }
  expect(await open("/rankings?office=peo&fiscal_year=2025")).not.toContain("whose year before is known");
});

test.each([
  ["", 1000],
  ["office=peo", 400],
  ["office=pfo", 100],
  ["office=other", 1000],
  ["office=peo&fiscal_year=2024", 300],
  ["office=peo&sort=-salary", 400],
] as const)(
  "the rows of a selection are a file, and the first a picture: %s, at least %d",
  async (filters, least) => {
    const lines = async (path: string) => {
      const answer = await server.get(`${path}&${filters}`);
      expect([path, answer.status]).toEqual([path, 200]);
      return (await answer.text()).trimEnd().split("\r\n").length;
    };
    // Of CEOs more companies than a list in an address may name.
    expect(await lines("/rankings/download?format=csv")).toBeGreaterThan(least);
    expect(await lines("/rankings/chart?chart=bars&format=csv")).toBeGreaterThan(12);
    expect(await lines("/rankings/chart?chart=distribution&format=csv")).toBeGreaterThan(12);
  },
);
