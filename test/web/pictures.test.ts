/** Pictures to take away: of a ranking its names and amounts, of a person their years. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openDataset } from "../../src/dataset/snapshots.ts";
import { tempFolder } from "../support/folder.ts";
import { openPage, withoutTags } from "../support/html.ts";
import { rowsOf, startTestServer, type TestServer } from "../support/server.ts";

describe("a picture", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const textsOf = (svg: string) =>
    [...svg.matchAll(/<text class="([^"]*)"[^>]*>(.*?)<\/text/g)].map(
      ([, kind = "", words = ""]) => [kind, withoutTags(words).replaceAll(/&#160;|\u00a0/g, " ")] as const,
    );

  test("of a ranking has the names and the amounts of its first twelve, and its data has the same lines", async () => {
    const page = "/rankings?office=peo&fiscal_year=2024";
    const { text } = await openPage(server, page);
    const [, picture = ""] = /href="(\/rankings\/chart[^"]*format=)png"/.exec(text) ?? [];
    const file = async (format: string) =>
      (await openPage(server, `${picture.replaceAll("&amp;", "&")}${format}`)).text;
    const svg = await file("svg");
    const rows = await rowsOf(
      await server.asOperator()("/api/executive-compensation/query?office=peo&fiscal_year=2024&max_rows=12"),
    );
    const names = textsOf(svg).filter(([kind]) => kind.includes("name"));
    expect(names).toHaveLength(12);
    rows.forEach(({ executive_name: name }, at) => {
      expect(names[at]?.[1]).toStartWith(`${at + 1}  ${name}`);
    });
    expect(textsOf(svg).filter(([kind]) => kind === "value")).toHaveLength(12);
    expect(svg).toMatch(/>\s*Highest-paid CEOs, fiscal 2024\s*</);
    expect((await file("csv")).match(/"USD"/g)).toHaveLength(12);
  });

  test("of a person has each of their years", async () => {
    const path = "/t/AAPL/2024/tim-cook";
    const { text } = await openPage(server, path);
    expect(text).toContain(`href="${path}/chart?chart=years&amp;format=png"`);
    const answer = await server.get(`${path}/chart?format=png`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
    const svg = (await openPage(server, `${path}/chart?format=svg`)).text;
    const years = textsOf(svg).flatMap(([kind, words]) => (kind === "tick year" ? [words] : []));
    expect(years).toEqual(["2020", "2021", "2022", "2023", "2024", "2025"]);
    expect(svg).toMatch(/>\s*Pay of Tim Cook at Apple Inc\., fiscal 2020 to 2025\s*</);
    const csv = (await openPage(server, `${path}/chart?format=csv`)).text;
    expect(csv.match(/"Tim Cook"/g)).toHaveLength(6);
  });

  test("of a person has for a visitor the latest year alone", async () => {
    const headers = { "x-forwarded-for": "203.0.113.1" };
    const csv = (await openPage(server, "/t/AAPL/2025/tim-cook/chart?format=csv", headers)).text;
    expect(csv.match(/"Tim Cook"/g)).toHaveLength(1);
    const closed = await openPage(server, "/t/AAPL/2024/tim-cook/chart?format=csv", headers);
    expect(closed.text).not.toContain("74609802");
  });

  test("that a page does not have is refused with the names of those that it has", async () => {
    for (const [path, names] of [
      ["/t/AAPL", ["officers", "years"]],
      ["/compare", ["bars", "years"]],
      ["/rankings", ["distribution", "bars"]],
      ["/statistics", ["years"]],
      ["/t/AAPL/2024/tim-cook", ["years"]],
    ] as const) {
      const query = path === "/compare" ? "companies=AAPL,MSFT&" : "";
      const refused = await openPage(server, `${path}/chart?${query}chart=pie&format=csv`);
      expect([path, refused.status]).toEqual([path, 400]);
      for (const name of ["pie", ...names])
        expect([path, refused.text]).toEqual([path, expect.stringContaining(name)]);
      for (const chart of ["", ...names.map((name) => `chart=${name}`)])
        expect((await openPage(server, `${path}/chart?${query}${chart}&format=csv`)).status).toBe(200);
      if (path.split("/").length > 2 && path !== "/t/AAPL") continue;
      const frame = await openPage(server, `${path}/embed?${query}chart=pie`);
      expect([path, frame.status, frame.text.includes("Nothing here")]).toEqual([path, 400, true]);
    }
  });

  test("of the years of a company with one year has that year, its frame too, also for visitors", async () => {
    const { all } = openDataset(tempFolder());
    const single = all<{ cik: string; year: number }>(
      `select printf('%010d', cik) as cik, min(fiscal_year) as year from years group by cik
       having count(*) = 1 and cik not in (select cik from ceo_pay group by cik having count(distinct fiscal_year) > 1)`,
    );
    expect(single).not.toEqual([]);
    const visitor = { "x-forwarded-for": "203.0.113.1" };
    for (const { cik, year } of single)
      for (const headers of [{}, visitor]) {
        const svg = await openPage(server, `/c/${cik}/chart?chart=years&format=svg`, headers);
        expect([cik, svg.status]).toEqual([cik, 200]);
        expect(svg.text).toMatch(new RegExp(`CEO and CFO pay at [^<]*,\\s+fiscal ${year}\\s*<`));
        const years = textsOf(svg.text).flatMap(([kind, words]) => (kind === "tick year" ? [words] : []));
        expect([cik, years.map((words) => Number.parseInt(words))]).toEqual([cik, [year]]);
        const frame = await openPage(server, `/c/${cik}/embed?chart=years`, headers);
        expect([cik, frame.text.includes("CEO and CFO pay at")]).toEqual([cik, true]);
      }
  });

  test.each([
    "/rankings?fiscal_year=1950&chart=distribution",
    "/rankings?fiscal_year=1950&chart=bars",
    "/compare?companies=TSM&chart=bars",
    "/compare?companies=TSM&chart=years",
    "/compare?companies=AAPL&fiscal_year=1990&chart=bars",
    "/statistics?companies=TSM&chart=years",
  ])("of nothing says so: %s", async (address) => {
    const [path = "", query = ""] = address.split("?");
    for (const format of ["svg", "png"]) {
      const refused = await openPage(server, `${path}/chart?${query}&format=${format}`);
      expect([refused.status, refused.text.includes("There is no amount to draw.")]).toEqual([404, true]);
    }
    const frame = await openPage(server, `${path}/embed?${query}`);
    expect([frame.status, frame.text.includes("There is no amount to draw.")]).toEqual([404, true]);
    expect(frame.text).not.toContain("<svg");
    // The data is a header, as of every download without rows.
    const csv = await openPage(server, `${path}/chart?${query}&format=csv`);
    expect(csv.status).toBe(200);
  });

  test("in a narrow frame says that it leaves out the narrower bars", async () => {
    const { text } = await openPage(server, "/t/AAPL/embed?chart=years");
    expect(text).toContain("CEO and CFO pay at Apple Inc., fiscal 2020 to 2025");
    expect(text).toContain("On a narrow page only the wider bar of each pair is drawn.");
    expect((await openPage(server, "/t/AAPL/embed?chart=officers")).text).not.toContain("wider bar");
  });
});
