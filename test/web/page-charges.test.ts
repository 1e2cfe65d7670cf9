/** What the buttons of pages charge: once for rows that could not be seen before, nothing for anything else, on both stores. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ROUTE_NAMES, ROUTES } from "../../src/http/routes.ts";
import { addPerson, BrowserSession } from "../contract/oauth/support.ts";
import { paidDataset, TAGS_ALONE } from "../support/paid-dataset.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

/** A page of each kind that has something to open, and what it is without. */
const PAGES: Readonly<Record<string, string>> = {
  rankings: "/rankings?fiscal_year=2024",
  ceoPayPage: "/ceo-pay?fiscal_year=2024",
  statisticsPage: "/statistics?fiscal_year=2023",
  compare: "/compare?companies=AAA,AAB",
  company: "/t/AAC",
  companyByCik: "/c/0000000104",
  companyWithoutRows: `/t/${TAGS_ALONE.symbol}`,
};

const BAD = [
  ...["sector=nonsense", "sort=nonsense", "fiscal_year=abc", "cursor=zzz", "sic=abc"].map(
    (query) => `/rankings?${query}`,
  ),
  "/rankings?fiscal_year=2024&total_compensation_gte=lots",
  ...["sector=nope", "fiscal_year=abc", "office=boss", "executive_id=%26"].map(
    (query) => `/statistics?${query}`,
  ),
  ...["sic=abc", "fiscal_year=20x4", "sort=salary", "cursor=zzz"].map((query) => `/ceo-pay?${query}`),
  "/rankings?companies=ZZZZQ",
  "/statistics?group=none",
  "/compare?group=none",
  "/t/ZZZZQ",
  "/t/AAC?year=1900",
  "/c/12345678901",
];

const EMPTY = [
  ...[
    "fiscal_year=1900",
    "state=ZZ",
    "executive=zzzz",
    "fiscal_year=2024&executive=zzzz",
    "reporting_currency=EUR",
  ].map((query) => `/rankings?${query}`),
  "/rankings?fiscal_year_gte=2026&fiscal_year_lte=2023",
  "/rankings?sort=-total_change&fiscal_year=1950",
  "/rankings?fiscal_year=2024&total_compensation_gte=900m",
  ...["fiscal_year=1900", "state=ZZ", "executive=zzzz"].map((query) => `/statistics?${query}`),
  ...["fiscal_year=1900", "state=ZZ", "total_compensation_gte=900m&fiscal_year=2024"].map(
    (query) => `/ceo-pay?${query}`,
  ),
  "/compare?companies=ZZZZQ",
  "/compare",
];

/** Of which a member sees everything: latest years, and companies of a single one. */
const NOTHING_TO_OPEN = [
  "/rankings?companies=AAM&fiscal_year=2025",
  "/ceo-pay",
  "/t/AAM",
  "/c/0000000113",
  "/compare?companies=AAM",
];

/** A browser with another address each time: how often one may ask has its own tests. */
class Traveller extends BrowserSession {
  private static asked = 0;

  override open(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    Traveller.asked += 1;
    headers.set("x-forwarded-for", `198.18.${Traveller.asked >> 8}.${Traveller.asked & 255}`);
    return super.open(url, { ...init, headers });
  }
}

const postgres = hasPostgres ? await startPostgres() : null;
afterAll(() => postgres?.stop());

describe.each(postgres === null ? ["SQLite"] : ["SQLite", "PostgreSQL"])("on %s", (name) => {
  let server: TestServer;
  let people = 0;
  beforeAll(async () => {
    server = await startTestServer({
      dataDir: paidDataset(() => 1),
      publicUrl: "http://pay.example.com",
      trustedProxies: "127.0.0.1",
      ...(name === "SQLite" || postgres === null ? {} : { store: postgres.url }),
    });
  });
  afterAll(async () => {
    await server.stop();
  });

  /** A member with so many credits. */
  async function member(credits: number) {
    const person = { email: `member-${++people}@example.com`, password: "correct horse battery" };
    const userId = await addPerson(server, person);
    await server.accounts.credits.grant(userId, credits);
    const browser = new Traveller(server);
    await browser.signIn(person);
    const show = async (path: string) => {
      const answer = await browser.open(path, { headers: { accept: "text/html" } });
      return { status: answer.status, text: await answer.text() };
    };
    const csrf = /name="csrf" value="([^"]*)"/.exec((await show("/coverage")).text)?.[1] ?? "";
    return {
      show,
      press: (path: string, opens = "") => browser.submit(path, { csrf, opens }, { accept: "text/html" }),
      balance: async () => (await server.accounts.credits.summary(userId)).balance,
      /** Ledger entries but the grant. */
      charges: async () => (await server.accounts.credits.entries(userId, { limit: 99 })).length - 1,
      userId,
    };
  }

  const hasButton = (text: string) => text.includes("(1 credit)</button>") && !text.includes('name="opens"');

  test("every page with a button is tested here", async () => {
    const found = [];
    for (const route of ROUTE_NAMES) {
      const path = ROUTES[route].path.replaceAll(":ticker", "AAC").replaceAll(":cik", "0000000104");
      if (path.includes(":") || /^\/(api|mcp|oauth)/.test(path)) continue;
      const answer = await server.get(path, { method: "POST", headers: { accept: "text/html" }, body: "" });
      const location = answer.headers.get("location") ?? "";
      if (location.includes("/sign-in?next=") && !route.startsWith("admin")) found.push(route);
    }
    expect(found.filter((one) => !["developer", "peerGroups"].includes(one)).sort()).toEqual(
      Object.keys(PAGES)
        .filter((one) => one !== "companyWithoutRows")
        .sort(),
    );
  });

  test("a press opens the page for one credit, once", async () => {
    for (const path of Object.values(PAGES)) {
      const before = 2;
      const ann = await member(before);
      expect([path, hasButton((await ann.show(path)).text)]).toEqual([path, true]);
      expect([path, (await ann.press(path)).status, await ann.balance()]).toEqual([path, 303, before - 1]);
      expect([path, hasButton((await ann.show(path)).text)]).toEqual([path, false]);
      expect([path, (await ann.press(path)).status, await ann.balance()]).toEqual([path, 303, before - 1]);
    }
    expect(await server.accounts.credits.problems()).toEqual([]);
  });

  test.each([
    ["an error", BAD, [303, 400, 404]],
    ["an empty answer", EMPTY, [200, 303]],
    ["nothing to open", NOTHING_TO_OPEN, [200, 303]],
  ] as const)("%s costs nothing", async (_what, paths, statuses) => {
    const ann = await member(5);
    for (const path of paths) {
      const { status } = await ann.press(path);
      // Where there is nothing to press, or an amount could not be read, the page itself says so.
      const isAsMeant = statuses.some((one) => one === status);
      expect([path, status, isAsMeant, await ann.charges()]).toEqual([path, status, true, 0]);
    }
    expect(await ann.balance()).toBe(5);
  });

  test("what members see anyway has no button: each company's latest year, and companies of one year", async () => {
    const ann = await member(0);
    for (const path of [
      "/rankings",
      "/rankings?office=peo&state=CA",
      "/ceo-pay",
      "/t/AAM",
      "/compare?companies=AAM",
    ]) {
      const { text } = await ann.show(path);
      expect([path, text.includes("this ranking"), text.includes("2025")]).toEqual([path, false, true]);
    }
  });

  test("the newest year that is known in some way may be a paid one: not seen before it is opened, and then whole", async () => {
    const ann = await member(1);
    const path = "/rankings?evidence=collected";
    expect(hasButton((await ann.show(path)).text)).toBe(true);
    await ann.press(path);
    const { text } = await ann.show(path);
    expect([hasButton(text), text.includes("3 executives at 1 company, fiscal 2024")]).toEqual([false, true]);
    expect(await ann.charges()).toBe(1);
  });

  const OPENED: readonly (readonly [
    opened: string,
    narrowed: readonly string[],
    others: readonly string[],
  ])[] = [
    [
      "/rankings?fiscal_year=2024",
      [
        ..."sector=materials sic=24 state=CA index=sp500 office=peo executive=alder complete_only=true".split(
          " ",
        ),
        ..."one_per_company_year=true companies=AAA,AAB total_compensation_gte=20m sort=-salary".split(" "),
        "office=pfo&state=NY&salary_lte=3000000&sort=company_name",
      ].map((query) => `/rankings?fiscal_year=2024&${query}`),
      [
        "/rankings?fiscal_year=2023",
        "/rankings?fiscal_year_gte=2024",
        "/rankings?fiscal_year=2024&sort=-total_change",
        "/rankings?fiscal_year=2024&total_change_gte=1",
        "/rankings?fiscal_year=2024&reporting_currency=EUR",
        "/ceo-pay?fiscal_year=2024",
        "/statistics?fiscal_year=2024",
      ],
    ],
    [
      "/rankings?fiscal_year=2023&office=peo&companies=AAA,AAB,AAC",
      [
        "/rankings?fiscal_year=2023&office=peo&companies=AAC",
        "/rankings?office=peo&ticker=AAB&fiscal_year=2023&state=NY",
      ],
      [
        "/rankings?fiscal_year=2023&companies=AAA,AAB,AAC",
        "/rankings?fiscal_year=2023&office=pfo&companies=AAA",
        "/rankings?fiscal_year=2023&office=peo&companies=AAA,AAD",
        "/rankings?fiscal_year=2023&office=peo",
      ],
    ],
    [
      "/ceo-pay?fiscal_year=2024&total_compensation_gte=5m",
      ["/ceo-pay?fiscal_year=2024&total_compensation_gte=5m&total_compensation_lte=20000000&state=CA"],
      ["/ceo-pay?fiscal_year=2024", "/ceo-pay?fiscal_year=2024&total_compensation_gte=6m"],
    ],
    [
      "/rankings?sort=-total_change&state=CA",
      ["/rankings?sort=total_change_percent&state=CA", "/rankings?state=CA&office=peo&sort=-total_change"],
      [
        "/rankings?sort=-total_change",
        // Without years these choose other years: of a company that is named however old they are.
        "/rankings?sort=-total_change&state=CA&companies=AAA",
        "/rankings?sort=-total_change&state=CA&evidence=typed",
      ],
    ],
    [
      "/statistics?state=CA",
      [
        "/statistics?state=CA&fiscal_year=2023",
        "/rankings?state=CA&fiscal_year=2023&office=peo",
        "/ceo-pay?state=CA&fiscal_year=2024",
      ],
      ["/statistics?fiscal_year=2023", "/rankings?state=CA&sort=total_change"],
    ],
    [
      "/compare?companies=AAA,AAB,AAC",
      [
        "/compare?companies=AAA,AAC",
        "/compare?companies=AAB&year=2023",
        "/t/AAA?year=2024",
        "/rankings?companies=AAA,AAB&sort=-total_change",
      ],
      ["/compare?companies=AAA,AAD&year=2024", "/t/AAD", "/rankings?companies=AAA,AAD&fiscal_year=2024"],
    ],
  ];
  test.each(OPENED)("%s opens its narrowings and nothing else", async (opened, narrowed, others) => {
    const ann = await member(1);
    // Statistics of latest years are open: what is offered are those of all years.
    expect((await ann.press(opened, opened === "/statistics?state=CA" ? "more" : "")).status).toBe(303);
    expect(await ann.balance()).toBe(0);
    // Without a credit left, an offer says so instead of a button.
    const isOffered = (text: string) => text.includes("Not enough credits for");
    for (const path of narrowed) {
      const { text } = await ann.show(path);
      const isMore =
        text.includes("each change on the year before") || text.includes("medians over the years");
      expect([path, isMore || !isOffered(text), (await ann.press(path)).status < 400 || isMore]).toEqual([
        path,
        true,
        true,
      ]);
    }
    for (const path of others) expect([path, isOffered((await ann.show(path)).text)]).toEqual([path, true]);
    expect(await ann.charges()).toBe(1);
  });

  test("a narrowing shows the opened rows that also match, and no others", async () => {
    const ann = await member(1);
    // Of each company the highest of all officers: of some companies the CEO, of others not.
    const opened = "/rankings?fiscal_year=2024&one_per_company_year=true";
    await ann.press(opened);
    const namesOf = (text: string) => [...text.matchAll(/\/2024\/([a-z-]+)"/g)].map(([, id = ""]) => id);
    const all = new Set(namesOf((await ann.show(opened)).text));
    const chiefs = new Set(namesOf((await ann.show(`${opened}&office=peo`)).text));
    expect(all.size).toBe(12 - 1);
    expect(chiefs.size).toBeGreaterThan(0);
    expect(chiefs.size).toBeLessThan(all.size);
    expect([...chiefs].filter((one) => !all.has(one))).toEqual([]);
    // The page of an opened row is open, that of another officer of the same year is not.
    const [chief = ""] = chiefs;
    const symbol = `AA${"abcdefghijkl".charAt("alder birch cedar dogwood elm fir gum hazel ilex juniper kauri larch".split(" ").indexOf(chief.slice(5))).toUpperCase()}`;
    expect((await ann.show(`/t/${symbol}/2024/${chief}`)).text).toContain("Fiscal 2024, filing by filing");
    expect((await ann.show(`/t/${symbol}/2024/${chief.replace("paul", "petra")}`)).text).not.toContain(
      "Fiscal 2024 in every",
    );
  });

  test("with one credit, two pages pressed at once open one", async () => {
    const ann = await member(1);
    const answers = await Promise.all(
      ["/t/AAA", "/rankings?fiscal_year=2023"].map((path) => ann.press(path)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 402]);
    expect([await ann.balance(), await ann.charges()]).toEqual([0, 1]);
  });

  test("two windows at once: what the first opens the second does not pay for", async () => {
    const ann = await member(5);
    const { analyst } = server.services;
    const { ask } = analyst;
    const { opened } = server.accounts.credits;
    let release: () => void = () => undefined;
    const secondHasCome = new Promise<void>((resolve) => (release = resolve));
    let asked = 0;
    // The first is held where it has seen what it would open, until the second has read what is open.
    Object.assign(analyst, {
      ask: async (...given: Parameters<typeof ask>) => {
        if (given[1].kind === "fresh" && asked++ === 0) await secondHasCome;
        return ask.apply(analyst, given);
      },
    });
    const first = ann.press("/rankings?fiscal_year=2024");
    await until("the first is evaluated", () => asked > 0);
    server.accounts.credits.opened = async (...given) => {
      const found = await opened.apply(server.accounts.credits, given);
      setImmediate(release);
      return found;
    };
    const second = ann.press("/rankings?fiscal_year=2024&office=peo");
    expect([(await first).status, (await second).status]).toEqual([303, 303]);
    Object.assign(analyst, { ask });
    Object.assign(server.accounts.credits, { opened });
    expect(await ann.charges()).toBe(1);
  });

  test("who cannot pay is not told whether the page has anything", async () => {
    const ann = await member(0);
    for (const path of ["/rankings?fiscal_year=2024", "/rankings?fiscal_year=2024&executive=zzzz"])
      expect([path, (await ann.press(path)).status]).toEqual([path, 402]);
  });

  test("before it is opened a selection tells companies and years, and nothing where a person or amount is in it", async () => {
    const ann = await member(0);
    const coverageOf = async (query: string) =>
      /<p class="meta">\s*(\d+ compan[^<]*?)\s*<\/p>/.exec((await ann.show(`/rankings?${query}`)).text)?.[1];
    expect(await coverageOf("fiscal_year=2024")).toBe("11 companies, fiscal 2024.");
    expect(await coverageOf("fiscal_year_lte=2024&state=CA")).toBe(
      "6 companies: 6 of fiscal 2024 and 6 of fiscal 2023.",
    );
    for (const query of [
      "executive=alder",
      "office=peo",
      "salary_gte=1",
      "complete_only=true",
      "total_change_gte=1",
    ])
      expect([query, await coverageOf(`fiscal_year=2024&${query}`)]).toEqual([query, undefined]);
  });
});
