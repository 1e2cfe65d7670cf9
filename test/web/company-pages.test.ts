/** The pages show the same data as the API, and link each amount to its cell. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { percentileOf } from "../../src/analysis/statistics.ts";
import { shortAmount } from "../../src/charts/frame.ts";
import { formatAmount, formatAmountCell } from "../../src/domain/amount.ts";
import { showFile } from "../../src/web/page-response.ts";
import { openPage, withoutTags } from "../support/html.ts";
import { rowsOf, type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
let ask: (path: string) => Promise<Response>;
beforeAll(async () => {
  server = await startTestServer();
  ask = server.asOperator();
});
afterAll(() => server.stop());

const open = (path: string, headers?: Record<string, string>) => openPage(server, path, headers);

test("the totals in large print are those of the officers, for every company", async () => {
  const { tickers } = (await (await ask("/api/executive-compensation/tickers")).json()) as {
    tickers: string[];
  };
  for (const ticker of tickers) {
    const rows = await rowsOf(await ask(`/api/executive-compensation?ticker=${ticker}&limit=1`));
    const { text } = await open(`/t/${ticker}`);
    const told = /<dl class="sums">[^]*?<\/dl>/.exec(text)?.[0] ?? "";
    const shown = [...told.matchAll(/<dt> ?(C.O) total[^<]*<\/dt> <dd> ?\$([\d,]+) /g)].map(
      ([, ...one]) => one,
    );
    const highest = (office: "is_peo" | "is_pfo") =>
      rows.filter((row) => row[office]).map(({ total_compensation: total }) => total);
    // A newer total that only a tag tells stands first.
    const body = (await (await ask(`/api/ceo-pay?ticker=${ticker}`)).json()) as {
      ceo_pay: { basis: string; fiscal_year: number; peo_total: number }[];
    };
    const [newest] = body.ceo_pay;
    const isNewer = newest?.basis === "tag" && newest.fiscal_year > (rows[0]?.fiscal_year ?? 0);
    const wanted = isNewer ? [["CEO", formatAmount(newest.peo_total)]] : [];
    for (const [office, totals] of [["CEO", highest("is_peo")] as const, ["CFO", highest("is_pfo")] as const])
      if (totals.length > 0) wanted.push([office, formatAmount(Math.max(...totals))]);
    expect([ticker, shown]).toEqual([ticker, wanted]);
  }
}, 300_000);

test("a bar of the years is named after its officer's office, and its file has a person once a year", async () => {
  const pictureOf = async (path: string) => await (await ask(`${path}/chart?chart=years&format=svg`)).text();
  const namesOf = (svg: string) =>
    [...svg.matchAll(/class="tick (?:fine|fine whose|year)"[^>]*>([^<]*[A-Z]|\d{4}[^<]*)</g)].map(
      ([, words = ""]) => words.trim(),
    );
  // Only the CFO of fiscal 2023 still stands in Intel's proxy statement.
  const intel = namesOf(await pictureOf("/t/INTC"));
  expect(intel.filter((words) => /^(CEO|CFO|20)/.test(words))).toEqual([
    "CFO",
    "2023*",
    "CEO",
    "CFO",
    "2024*",
    "CEO",
    "CFO",
    "2025",
  ]);
  const file = await (await ask("/t/INTC/chart?chart=years&format=csv")).text();
  expect(file.match(/^202.,"David A. Zinsner","CEO, CFO"/gm)).toHaveLength(2);
  const both = (await (await ask("/c/1418302/chart?chart=years&format=csv")).text()).trim().split("\n");
  expect(both.map((line) => line.split(",")[0])).toEqual(["fiscal_year", "2015", "2014", "2013"]);
});

test("partial years are told in the files of charts and statistics, and beside a change on one", async () => {
  const file = await (await ask("/t/INTC/chart?chart=years&format=csv")).text();
  const told = [...file.matchAll(/,(true|false),false$/gm)].map(([, complete]) => complete);
  expect(told).toEqual(["true", "true", "false", "false", "false"]);
  // The choice of years, the changes of CEO and CFO, and the chart's table.
  const page = (await open("/t/INTC")).text;
  expect(page.match(/2024<abbr title="partial/g)).toHaveLength(4);
  const compared = await (await ask("/compare/chart?companies=AAPL,INTC&chart=years&format=csv")).text();
  expect(compared).toMatch(/^"INTC",2024,.*,false,false$/m);
  expect(compared).toMatch(/^"AAPL",2024,.*,true,false$/m);
  const statistics = await (await ask("/statistics/download?fiscal_year=2021&format=csv")).text();
  expect(statistics).toMatch(/^"CEO","salary",\d+,\d+,.*,[1-9]\d*$/m);
});

test("a printed zero is 0, an empty cell or a dash is not; a row of dashes says why", async () => {
  const cellsOf = async (path: string, id: string) => {
    const line = (await open(path)).text.split("<tr>").find((one) => one.includes(`/${id}"`)) ?? "";
    return [...line.matchAll(/<td class="number component[^>]*>([^]*?)<\/td>/g)].map(([, cell = ""]) =>
      withoutTags(cell),
    );
  };
  // Marriott prints "0" in the columns of bonus and pension, Paramount a dash for the bonus and "0" for the pension.
  const marriott = await cellsOf("/t/MAR?year=2025", "anthony-capuano");
  expect([marriott[1], marriott[5]]).toEqual(["0", "0"]);
  expect((await open("/t/MAR/2025/anthony-capuano/bonus")).text).toMatch(/<mark id="cell">0</);
  // In the order of the page: salary, bonus, incentive, stock, options, pension.
  const paramount = await cellsOf("/t/PARA?year=2024", "chris-mccarthy");
  expect([paramount[1], paramount[5]]).toEqual(["–", "0"]);
  const tesla = (await open("/t/TSLA")).text;
  expect(tesla.match(/The filing prints no amounts for this year/g)).toHaveLength(1);
});

test("a manually entered row says so, and a row that was read says which checks it passed", async () => {
  const manual = (await open("/t/MSFT/2025/satya-nadella/salary")).text;
  expect(manual).toContain(
    "A person read this amount in the filing and typed it; which cell it was is not recorded.",
  );
  const read = (await open("/t/AAPL/2025/tim-cook/option_awards")).text;
  expect(read).toContain("the filer's table has no column for this amount");
  expect(read).toContain("The components add up to the printed total.");
  expect(read).not.toContain("A person read this amount");
});

test("an amount links to the filer's own table with its cell marked", async () => {
  const { status, text } = await open("/t/AAPL/2025/tim-cook/salary");
  expect(status).toBe(200);
  expect(text).toContain("$3,000,000");
  expect(text).toContain("0001308179-26-000008");
  expect(text).toMatch(/<mark id="cell">[^<]*3,000,000/);
});

test("file names are unique, whatever characters a symbol has", () => {
  const { headers } = showFile(new Uint8Array(), "text/csv", 'execcomp-A/B"; x=".csv');
  expect(headers.get("content-disposition")).toBe('attachment; filename="execcomp-A_B___x__.csv"');
});

test("an executive's years are shown with what every filing printed", async () => {
  const { text } = await open("/t/AAPL/2024/tim-cook");
  expect(text).toContain("74,609,802");
  expect(text).toContain("What each filing printed");
});

describe("downloads", () => {
  test("as CSV begin with the mark by which Excel knows UTF-8; those for programs do not", async () => {
    const startOf = async (path: string) => [
      ...new Uint8Array(await (await ask(path)).arrayBuffer()).subarray(0, 3),
    ];
    const MARK = [0xef, 0xbb, 0xbf];
    for (const path of [
      "/t/LOW/download?format=csv",
      "/t/LOW/chart?chart=years&format=csv",
      "/rankings/download?format=csv",
      "/statistics/download?format=csv",
      "/ceo-pay/download?format=csv",
      "/compare/download?companies=AAPL,MSFT&format=csv",
    ])
      expect([path, await startOf(path)]).toEqual([path, MARK]);
    expect(await startOf("/export?format=csv&ticker=LOW")).not.toEqual(MARK);
  });

  test("contain the same data as the API", async () => {
    const rows = await rowsOf(await ask("/api/executive-compensation?ticker=AAPL&limit=100"));
    const answer = await server.get("/t/AAPL/download?format=csv");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="execcomp-AAPL.csv"');
    const [head = "", ...lines] = (await answer.text()).trimEnd().split("\r\n");
    const at = head.split(",").indexOf("executive_id");
    expect(lines.map((line) => line.split(",")[at]?.replaceAll('"', ""))).toEqual(
      rows.map(({ executive_id: id }) => id),
    );
    const book = await server.get("/t/AAPL/download?format=xlsx");
    expect(new Uint8Array(await book.arrayBuffer()).subarray(0, 2)).toEqual(new Uint8Array([0x50, 0x4b]));
    expect((await server.get("/t/AAPL/download?format=pdf")).status).toBe(400);
  });
});

describe("finding a company", () => {
  test("by name, former name, symbol and CIK", async () => {
    expect((await open("/search?q=apple")).text).toContain('href="/t/AAPL"');
    expect((await open("/search?q=facebook")).text).toContain('href="/t/META"');
    expect((await open("/search?q=tim+cook")).text).toContain('href="/t/AAPL/2025/tim-cook"');
    // The page of a company without rows says what is known about it.
    expect((await open("/search?q=airbnb")).text).toContain('href="/t/ABNB"');
    expect((await open("/peers?t=ABNB")).text).toContain('href="/t/ABNB"');
    expect((await open("/search?q=bank")).text).toContain("Showing the first 20.");
    const suggested = (await (await server.get("/suggest?q=micros")).json()) as {
      companies: { ticker: string }[];
    };
    expect(suggested.companies[0]?.ticker).toBe("MSFT");
    const exact = await server.get("/search?q=aapl");
    expect([exact.status, exact.headers.get("location")]).toEqual([303, `${server.origin}/t/AAPL`]);
  });

  test.each([
    ["nadel", "/t/MSFT/2025/satya-nadella"],
    ["tim coo", "/t/AAPL/2025/tim-cook"],
    ["Sundar P", "/t/GOOGL/2025/sundar-pichai"],
    ["timothy cook pay", "/t/AAPL/2025/tim-cook"],
    ["jamie dimon", "/t/JPM/2025/james-dimon"],
    ["zuck", "/t/META/2025/mark-zuckerberg"],
    ["zukerberg", "/t/META/2025/mark-zuckerberg"],
    ["aple", "/t/AAPL"],
    ["att", "/t/T"],
    ["microsft", "/t/MSFT"],
  ])("an executive or a company by half a name, a nickname, one typing mistake: %p", async (words, path) => {
    const query = encodeURIComponent(words);
    expect((await open(`/search?q=${query}`)).text).toContain(`href="${path}"`);
    const suggested = (await (await server.get(`/suggest?q=${query.replace("%20pay", "")}`)).json()) as {
      companies: { path: string }[];
      people: { path: string }[];
    };
    expect([...suggested.people, ...suggested.companies].map((one) => one.path)).toContain(path);
  });

  test("a name finds the person first, a symbol in capitals its company", async () => {
    for (const [words, first] of [
      ["cook", "/t/AAPL/2025/tim-cook"],
      ["COOK", "/t/COOK"],
    ]) {
      const [, main = ""] = (await open(`/search?q=${words}`)).text.split("<main");
      expect(/<li>\s*<a href="([^"]+)"/.exec(main)?.[1]).toBe(first);
    }
  });

  test("what has data comes first: a person before companies without rows", async () => {
    const { text } = await open("/search?q=dimon");
    expect(text.indexOf("James Dimon")).toBeGreaterThan(0);
    expect(text.indexOf("James Dimon")).toBeLessThan(text.indexOf("no pay by component yet"));
    const jassy = (await open("/search?q=jassy")).text;
    expect(jassy.indexOf("Andrew R. Jassy")).toBeLessThan(jassy.indexOf("No companies match"));
  });

  test("nobody is found by a name that nobody has", async () => {
    expect((await open("/search?q=jamie+xyzzy")).text).toContain("No company or executive is named in");
  });

  test("a person by a visitor, who sees only the latest year of the company", async () => {
    // Jeff Williams left Apple's table before its latest year.
    const { text } = await open("/search?q=jeff+williams", { "x-forwarded-for": "203.0.113.1" });
    expect(text).toContain('<a href="/t/AAPL">Jeff Williams</a>');
    expect((await open("/search?q=jeff+williams")).text).toContain('href="/t/AAPL/2024/jeff-williams"');
    const cook = await open("/search?q=tim+cook", { "x-forwarded-for": "203.0.113.1" });
    expect(cook.text).toContain('href="/t/AAPL/2025/tim-cook"');
  });

  test("by words that contain more than a name", async () => {
    expect((await open("/search?q=starbucks+ceo+pay+2024")).text).toContain('href="/t/SBUX"');
    expect((await open("/search?q=salary+of+tim+cook")).text).toContain('href="/t/AAPL/2025/tim-cook"');
    expect((await open("/search?q=highest+paid+ceo")).text).toContain("No companies match");
  });

  test("a name instead of a symbol gets suggestions", async () => {
    const { status, text } = await open("/t/APPLE");
    expect([status, text.includes('<a href="/t/AAPL">Apple Inc.</a>')]).toEqual([404, true]);
  });

  test("text from the address stays text on every page", async () => {
    const script = "<script>alert(1)</script>";
    const words = encodeURIComponent(`"'>${script}`);
    for (const path of [
      `/search?q=${words}`,
      `/t/${words}`,
      `/t/AAPL/2025/${words}`,
      `/t/AAPL/2025/tim-cook/${words}`,
      `/compare?t=${words}`,
      `/rankings?executive=${words}`,
      `/rankings?sector=${words}`,
      `/coverage?search=${words}`,
      `/t/AAPL?year=${words}`,
      `/c/${words}`,
    ]) {
      const { status, text } = await open(path);
      expect([path, status < 500, text.includes(script)]).toEqual([path, true, false]);
    }
  });
});

test("the highest-paid CFO of fiscal 2024 is first, with her filing", async () => {
  const { text } = await open("/rankings?office=pfo&fiscal_year=2024&sort=-total_compensation");
  const answer = await ask("/api/executive-compensation/query?office=pfo&fiscal_year=2024&max_rows=1");
  const [first] = await rowsOf(answer);
  if (first === undefined) throw new Error("no CFO");
  const row = /<tbody> ?<tr>[^]*?<\/tr>/.exec(text)?.[0] ?? "";
  expect(row).toContain(first.executive_name);
  expect(row).toContain(formatAmountCell(first.total_compensation));
  expect(row).toContain(first.source.accession);
});

test("a company's rank among its peers is that of the newest known totals, one per company, whatever year is shown", async () => {
  type Totals = { ceo_pay: { cik: string; ticker: string; peo_total: number }[] };
  const body = await ask("/api/ceo-pay?sector=information_technology&max_rows=1000");
  const totals = ((await body.json()) as Totals).ceo_pay;
  const highest = [...Map.groupBy(totals, ({ cik }) => cik).values()].map((of) => of[0]?.peo_total ?? 0);
  const own = totals.find(({ ticker }) => ticker === "AAPL")?.peo_total ?? 0;
  for (const year of [2025, 2024]) {
    const { text } = await open(`/t/AAPL?year=${year}`);
    const [, rank, of, median] =
      /<span>Information technology<\/span><b>(\d+)\w\w of (\d+)<\/b>[^]*?<desc[^>]*>[^<]*median ([\w.]+)/.exec(
        text,
      ) ?? [];
    expect([year, Number(rank), Number(of), median]).toEqual([
      year,
      1 + highest.filter((total) => total > own).length,
      highest.length,
      shortAmount(percentileOf(Float64Array.from(highest).sort(), 0.5)),
    ]);
  }
});

const nextPageOf = (page: string) =>
  /href="([^"]*cursor=[^"]*)">Next page/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";

test("what is not known leaves no trace: a title, a newest filing, a total that is doubtful", async () => {
  const text = async (path: string) => withoutTags((await open(path)).text).replaceAll(/\s+/g, " ");
  expect(await text("/t/BAX/2025/andrew-hider")).not.toContain("Baxter International Inc. ·");
  expect(await text("/t/BX")).toContain("Newest filing None known Pay by component");
  const devon = await text("/t/DVN");
  expect(devon).not.toContain("CEO total, fiscal 2025");
  expect(devon).toContain("Doubtful: 12,566 is below 20,000");
});

test.each(["/rankings", "/ceo-pay"])(
  "ranks of %s continue on its next page, which counts no more filters",
  async (path) => {
    const first = await open(`${path}?fiscal_year=2024`);
    const { text } = await open(nextPageOf(first.text));
    const ranksOf = (page: string) =>
      [...page.matchAll(/class="rank">(\d+)</g)].map(([, rank]) => Number(rank));
    const before = ranksOf(first.text);
    expect(before[0]).toBe(1);
    expect(ranksOf(text)[0]).toBe(before.length + 1);
    for (const page of [first.text, text]) expect(page).toContain("Filters and sorting (1)");
  },
);

test("another sort order starts at its first page, and a frame and a citation lead there", async () => {
  const { text } = await open(nextPageOf((await open("/rankings?fiscal_year=2024")).text));
  const orders = [...text.matchAll(/<a href="(\/rankings\?[^"]*)" title="Sort by/g)].map(([, path]) => path);
  expect(orders.length).toBeGreaterThan(3);
  expect(orders.filter((path) => path?.includes("cursor="))).toEqual([]);
  expect(text).toMatch(/<div class="cite"[^>]*>[^<]*\/rankings\?fiscal_year=2024<\/div>/);
  expect(text).not.toMatch(/\/embed\?[^"]*cursor=/);
});

test("statistics count one row per company unless asked otherwise, with one field for it", async () => {
  const fields = (text: string) => text.match(/name="one_per_company_year"/g)?.length;
  const once = (await open("/statistics?companies=NFLX,AAPL&fiscal_year=2024")).text;
  expect(fields(once)).toBe(1);
  // Netflix has two chief executives.
  expect(once).toContain("median of 2 CFOs at 2 companies");
  const all = (await open("/statistics?companies=NFLX,AAPL&fiscal_year=2024&one_per_company_year=false"))
    .text;
  expect(all).toContain("median of 3 CEOs at 2 companies");
});

test("a ranking of 100 is one page of at most 60 kB compressed", async () => {
  const { text } = await open("/rankings?fiscal_year=2024");
  expect(text.match(/<span class="rank">/g)).toHaveLength(100);
  expect(Bun.gzipSync(text).length).toBeLessThan(60_000);
});

test("a ranking or statistics of a list name the companies that are not in it, and what helps", async () => {
  const { text } = await open("/rankings?companies=AAPL,TSM,EXPE&fiscal_year=2025");
  const [, warned = ""] = /<div class="warning">\s*Not in this selection:([^]*?)<\/div>/.exec(text) ?? [];
  const words = warned.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");
  expect(words).toContain("Taiwan Semiconductor Manufacturing");
  expect(words).toContain("Expedia");
  // The local operator has a shell.
  expect(words).toContain("execcomp ingest --ticker TSM,EXPE --years 5");
  expect((await open("/rankings?companies=AAPL,MSFT&fiscal_year=2025")).text).not.toContain("Not in this");
  expect((await open("/rankings?companies=TSM")).text).toContain("Not in this selection");
  expect((await open("/statistics?companies=AAPL,TSM")).text).toMatch(
    /Not in this selection:\s*<a href="\/t\/TSM"/,
  );
  // Left out by another filter, not missing.
  const filtered = (await open("/rankings?companies=AAPL,MSFT&total_compensation_gte=90000000")).text;
  expect(filtered).toContain("Not in this selection");
  expect(filtered).not.toContain("execcomp ingest");
});

test("a list of unknown companies is not a ranking of all companies", async () => {
  const { status, text } = await open("/rankings?companies=NOSUCH");
  expect([status, text.includes("<td")]).toEqual([404, false]);
});

test("a ranking accepts every filter of the query operation, states it, and keeps it", async () => {
  const filters = "sic=60&salary_gte=1000000&complete_only=true";
  const answer = await ask(`/api/executive-compensation/query?office=peo&${filters}`);
  const { matched } = (await answer.json()) as { matched: { rows: number; companies: number } };
  const { text } = await open(`/rankings?office=peo&${filters}`);
  expect(text).toContain(`${matched.rows} CEOs at ${matched.companies} companies`);
  expect(text).toContain("Also filtered: sic 60, salary_gte 1000000, complete fiscal years only.");
  expect(text).toContain('<a href="/rankings?office=peo">Remove</a>');
  expect(text).toContain('<input type="hidden" name="sic" value="60" />');
  expect(text).toContain(`/rankings/download?office=peo&amp;sic=60&amp;salary_gte=1000000`);
  expect((await open("/rankings?office=peo&utm_source=x")).text).not.toContain("Also filtered");
});

test("a filter given twice is the one that the form shows", async () => {
  const [ceos, twice] = await Promise.all(
    ["/rankings?office=peo", "/rankings?office=peo&office=pfo"].map(async (path) => (await open(path)).text),
  );
  expect(ceos).toContain("Tim Cook");
  expect(twice).toBe(ceos);
});

test("an amount may be typed in common notations, and one company is counted in the singular", async () => {
  const wanted = await open("/rankings?office=peo&companies=AAPL&total_compensation_gte=20000000");
  expect(wanted.text).toContain("1 CEO at 1 company, fiscal 2025.");
  for (const typed of ["20,000,000", "$20,000,000.00", " 20 000 000 ", "20m", "0.02bn", "20 million"]) {
    const { status, text } = await open(
      `/rankings?office=peo&companies=AAPL&total_compensation_gte=${encodeURIComponent(typed)}`,
    );
    expect([typed, status, text.includes("1 CEO at 1 company, fiscal 2025.")]).toEqual([typed, 200, true]);
  }
  // If a comma could be a decimal point, nothing is guessed.
  for (const typed of ["1,5", "20.000.000", "20x", "m"]) {
    const { status, text } = await open(`/rankings?office=peo&total_compensation_gte=${typed}`);
    expect([typed, status]).toEqual([typed, 400]);
    // The field keeps it and says beside it what is wrong; the other filters stay.
    expect(text).toContain(`Cannot read “${typed}”`);
    expect(text).toMatch(/name="total_compensation_gte"[^>]*aria-invalid="true"/);
    expect(text).toMatch(/<option value="peo" selected/);
  }
});

test("a company without rows has a page: what is known, its newest filing, and what would load it", async () => {
  const { status, text } = await open("/t/SHW");
  expect(status).toBe(200);
  expect(withoutTags(text)).toMatch(
    /CEO total, fiscal 2025 +\$[\d,]+ .*tagged by the filer.*Proxy statement +filed 2026-03-11/,
  );
  expect(withoutTags(text)).toContain("No pay by component for Sherwin-Williams Co. yet.");
  // Every year that its tags tell, in a chart and a table.
  expect(text).toMatch(/class="tick year"[^>]*>\s*2024</);
  expect(withoutTags(text)).toMatch(/Heidi G\. Petz +CEO +fiscal 2025 +[\d,]+ +Proxy statement of/);
  expect(text).toMatch(/href="https:\/\/www\.sec\.gov\/Archives\/edgar\/data\/89800\//);
  expect(text).toContain("action=getcompany&amp;CIK=0000089800&amp;type=DEF+14A");
  expect(text).toContain("<code>execcomp ingest --ticker SHW --years 5</code>");
  expect((await open("/c/0000089800")).status).toBe(200);
  // A visitor from elsewhere cannot run it here, and sees the newest total alone.
  const visitor = await open("/t/SHW", { "x-forwarded-for": "203.0.113.1" });
  expect([visitor.status, visitor.text.includes("execcomp ingest")]).toEqual([200, false]);
  expect(visitor.text).not.toContain("fiscal 2024");
  // There is nothing else of it, and an unknown symbol has no page.
  for (const path of ["/t/SHW/download", "/t/SHW/chart", "/t/SHW/embed", "/t/SHW/2025/anyone", "/t/NOSUCH"])
    expect([path, (await open(path)).status]).toEqual([path, 404]);
});

test("a fiscal year that a company lacks is not replaced by another", async () => {
  for (const year of ["1999", "abc"]) {
    const { status, text } = await open(`/t/AAPL?year=${year}`);
    expect(status).toBe(404);
    expect(text).toMatch(
      new RegExp(`Nothing is known for fiscal ${year}. Available: fiscal <a href="/t/AAPL">2025, `),
    );
  }
  expect((await open("/t/AAPL?year=")).status).toBe(200);
});

test("years without a column on the coverage map are listed next to the name", async () => {
  expect((await open("/coverage")).text).toContain('<span class="soft">ABBV · also 2014 to 2016</span>');
});

test("a visitor gets no link that needs an account, and is told how to get one", async () => {
  const home = await open("/", { "x-forwarded-for": "203.0.113.1" });
  expect(home.text).toContain("each company’s latest year is free and needs no account");
  expect(home.text).not.toMatch(/href="\/(compare|rankings|statistics)\?/);
  expect((await open("/")).text).toContain("Highest-paid CEOs of the S&amp;P 500, latest year");
  expect((await open("/sign-in")).text).toContain("This server has no owner yet.");
});

test("former names are listed once each, without the present one in capitals", async () => {
  expect((await open("/t/AAPL")).text).toMatch(/formerly Apple Computer, Inc\.\s*</);
  expect((await open("/search?q=bradesco")).text).not.toContain("formerly");
});

test("a comparison says which of its years are partial", async () => {
  const partialOf = async (ticker: string) => {
    const answer = await ask(`/api/executive-compensation?ticker=${ticker}&limit=100`);
    return answer.headers.get("incomplete-fiscal-years") ?? "";
  };
  const [apple, microsoft] = [await partialOf("AAPL"), await partialOf("MSFT")];
  expect([apple, microsoft]).not.toContain("");
  const { text } = await open("/compare?t=AAPL,MSFT");
  expect(text).toContain(`Partial years, drawn as outlines: AAPL ${apple}; MSFT ${microsoft}.`);
  expect(text).not.toContain("partial: that year");
  const [year = ""] = apple.split(", ");
  const older = (await open(`/compare?t=AAPL&who=all&year=${year}`)).text;
  expect(older).toContain(`${year}<abbr title="partial: that year`);
  expect(older).toContain(`${year}◐`);
});

test("a comparison names companies without a row in the requested year, and draws no empty chart", async () => {
  const some = (await open("/compare?t=AAPL,MSFT&who=cfo&year=2020")).text;
  expect(some).toContain("No CFO total in fiscal 2020 for MSFT.");
  expect(some).toContain("Luca Maestri");
  const nobody = (await open("/compare?t=AAPL,MSFT&year=1999")).text;
  expect(nobody).toContain("No CEO total in fiscal 1999 for AAPL, MSFT.");
  expect(nobody).toMatch(/<option value="1999" selected/);
  expect(nobody).not.toContain("The rows behind the bars");
  expect(nobody.match(/<figure/g)).toHaveLength(1);
  const none = (await open("/c/abc")).text;
  expect(none).toContain("No CIK “abc”");
  expect(none).toContain("Search for its name.");
});

test("a comparison has a column for each company, its amounts one below another and linked to their source", async () => {
  const { text } = await open("/compare?t=AAPL,MSFT,ORCL&year=2025");
  const [table = ""] = /<table class="pay side">[^]*?<\/table>/.exec(text) ?? [];
  const words = withoutTags(table.replaceAll("</td>", " ")).replaceAll(/\s+/g, " ");
  for (const line of [
    "Apple AAPL · 2025 Microsoft MSFT · 2025 Oracle ORCL · 2025",
    "CEO Tim Cook Satya Nadella Safra A. Catz",
    "Total 74,294,811 96,496,790 1,113,417",
    "Equity share 77% 87% 0%",
    "CFO total 22,467,309 29,481,551 1,113,417",
    "CEO to CFO 3.3× 3.3× same person",
  ])
    expect(words).toContain(line);
  expect(table).toContain('href="/t/AAPL/2025/tim-cook/stock_awards"');
  const summed = (await open("/compare?t=AAPL&who=all&year=2025")).text;
  const [sums = ""] = /<table class="pay side">[^]*?<\/table>/.exec(summed) ?? [];
  expect(withoutTags(sums).replaceAll(/\s+/g, " ")).toContain("6 officers");
  // A sum stands in no cell: it leads to the table that it sums up.
  expect(sums).toContain('href="/t/AAPL?year=2025"');
  expect(sums).not.toMatch(/tim-cook|CEO to CFO|>Change</);
});

test("a company of a comparison is left out or added in one step", async () => {
  const { text } = await open("/compare?t=AAPL,MSFT&who=cfo");
  expect(text).toContain('href="/compare?who=cfo&amp;companies=MSFT" title="Leave out AAPL"');
  expect(text).toMatch(/name="companies" value="AAPL,MSFT"/);
  const added = (await open("/compare?companies=AAPL,MSFT&companies=oracle")).text;
  expect(added).toMatch(/name="companies" value="AAPL,MSFT,ORCL"/);
  expect(added).toContain("3 of 20");
});

test("a comparison draws every company and names those without rows", async () => {
  const { text } = await open("/compare?t=AAPL,MSFT,NOPE&who=ceo");
  expect(text).toContain("Tim Cook");
  expect(text).toContain("No company found for NOPE.");
  expect(text.match(/<figure/g)).toHaveLength(2);
});

test("a period shorter than a year says so wherever its amounts are shown", async () => {
  const told = "Covers 2025-08-07 to 2025-12-31, not a whole year.";
  const count = async (path: string) => withoutTags((await open(path)).text).split(told).length - 1;
  expect(await count("/t/PSKY")).toBe(1);
  expect((await open("/t/PSKY")).text.match(/href="#note-1"/g)).toHaveLength(5);
  expect(await count("/t/PSKY/2025/david-ellison")).toBe(1);
  expect(await count("/t/PSKY/2025/david-ellison/salary")).toBe(1);
  // Below the columns, and below the rows of phones and paper.
  expect(await count("/compare?t=PSKY,AAPL")).toBe(2);
  const compared = (await open("/compare?t=PSKY,AAPL")).text;
  expect(compared).toContain("2025‡");
  expect(compared).toContain("‡ Less than a whole year: PSKY 2025.");
  expect(await count("/rankings?ticker=PSKY,AAPL&office=peo")).toBe(1);
  const company = (await open("/t/PSKY")).text;
  expect(company).toContain("CEO total, fiscal 2025 (part of the year)");
  expect(company).toContain("Its total for fiscal 2025 (part of the year),");
  expect((await open("/t/AAPL")).text).not.toMatch(/part of the year|‡/);
  expect(await count("/t/AAPL")).toBe(0);
  expect(company.match(/[A-Z]\w+‡/g)).toContain("Ellison‡");
  expect(company).toContain("‡ Less than a whole year.");
  const totals = (await open("/ceo-pay?companies=PSKY,AAPL")).text;
  expect(totals.match(/202.<\/span>‡?/g)?.toSorted()).toEqual(["2025</span>", "2025</span>‡"]);
  const fileOf = async (path: string) => await (await ask(path)).text();
  expect(await fileOf("/ceo-pay/download?companies=PSKY,AAPL&format=csv")).toMatch(
    /^"PSKY".*,"row",,,true,/m,
  );
  expect(await fileOf("/t/PSKY/chart?chart=officers&format=csv")).toMatch(/^2025,"David Ellison",.*,true$/m);
  expect(await fileOf("/compare/chart?companies=PSKY&format=csv")).toMatch(/^"PSKY",.*,true,true$/m);
});

test("a row of dashes says why wherever it is shown", async () => {
  for (const path of ["/t/TSLA", "/compare?t=TSLA,AAPL", "/rankings?ticker=TSLA&office=peo"]) {
    expect((await open(path)).text).toContain("The filing prints no amounts for this year");
  }
  // "-0-" in every cell.
  const zeros = (await open("/c/1418302")).text;
  expect(zeros).toContain("Craig S. Laughlin");
  expect(zeros).not.toContain("prints no amounts");
});

test("an amount that does not reconcile, was restated or misprinted says why", async () => {
  const slip =
    "The filing prints a total of 3,562,568, which is 141,986 below the sum of its components; a second reading of the filing confirms the difference.";
  expect((await open("/t/SBUX/2024/sara-kelly/unknown_component")).text).toContain(slip);
  expect((await open("/t/SBUX?year=2024")).text).toContain(slip);
  expect(withoutTags((await open("/t/COST/2023/richard-galanti")).text)).toContain(
    "Restated: printed otherwise in 0000909832-23-000058 of 2023-12-07: salary 866,346 → 919,231, total 6,763,514 → 6,816,399.",
  );
  expect((await open("/t/NEE/2023/john-ketchum/salary")).text).toContain("1,575.000");
});

test("a list takes names with commas and a typing mistake; what is not found is quoted as it was typed", async () => {
  const { text } = await open(
    `/compare?companies=${encodeURIComponent("Nike, Inc., Microsft, jpmorgan chase & Co., Qzx Holdingz, AAPL")}`,
  );
  for (const name of ["NIKE", "Microsoft", "JPMorgan Chase", "Apple"]) expect(text).toContain(`>${name}`);
  expect(text).toContain("No company found for Qzx Holdingz.");
});

test("a page looks for at most five mistyped names, for a visitor two; symbols are looked up without", async () => {
  const dataset = server.services.snapshots.current();
  const { search } = dataset;
  let forgiving = 0;
  dataset.search = (words, max, isForgiving = true) => {
    forgiving += isForgiving ? 1 : 0;
    return search(words, max, isForgiving);
  };
  const names = Array.from({ length: 40 }, (_, at) => `Mistyped ${"qzx".repeat((at % 9) + 1)} ${at}`).join(
    ", ",
  );
  const symbols = dataset.all<{ ticker: string }>(
    "select ticker from companies where ticker <> '' limit 200",
  );
  const counted = async (path: string, headers = {}) => {
    forgiving = 0;
    expect((await open(path, headers)).status).toBeLessThan(500);
    return forgiving;
  };
  const visitor = { "x-forwarded-for": "203.0.113.1" };
  for (const path of [
    "/compare?companies=",
    "/rankings?companies=AAPL,",
    "/statistics?companies=AAPL,",
    "/peers?t=",
  ]) {
    expect(await counted(path + encodeURIComponent(names))).toBeLessThanOrEqual(5);
    expect(await counted(path + encodeURIComponent(names), visitor)).toBeLessThanOrEqual(2);
  }
  expect(await counted(`/rankings?companies=${symbols.map(({ ticker }) => ticker).join(",")}`)).toBe(0);
  dataset.search = search;
});
