/** What an analyst reads: the field's words, not those of whoever builds this. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openPage, withoutTags } from "../support/html.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const VISITOR = { "x-forwarded-for": "203.0.113.1" };
/** Words that have no meaning outside of this program, and names as registrants are spelled. */
const OURS =
  /\b(served?|not loaded|been loaded|loaded|unreconciled|reconciles?|company-years?|any filer|transcribed|pipeline|not named by the tag|linked to (its|their) cells?)\b/i;
const REGISTRANTS = /(?<!PERCENT(?:ILE|RANK)\.)\b(INC|CORP|LLC \/|CO\/THE)\b|\/DE\//;
/** Text that stands in a filing, and names of commands and addresses. */
const NOT_OURS = /<table class="filer">.*?<\/table>|<code>.*?<\/code>|<(script|style|select)\b.*?<\/\1>/g;

describe("no page says", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test.each([
    "/",
    "/t/AAPL",
    "/t/AAPL?year=2021",
    "/t/AAPL?year=1999",
    "/t/LEN",
    "/t/SHW",
    "/t/WELL/2025/shankh-mitra",
    "/t/WELL/2025/shankh-mitra/stock_awards",
    "/t/AAPL/2024/tim-cook",
    "/t/AAPL/2024/tim-cook/stock_awards",
    "/t/MSFT/2024/satya-nadella/salary",
    "/t/AAPL/2024/nobody",
    "/t/NOSUCH",
    "/search?q=apple",
    "/search?q=zzzzq",
    "/coverage",
    "/coverage?search=AAPL",
    "/coverage?status=pending",
    "/ceo-pay?index=sp500",
    "/rankings",
    "/rankings?fiscal_year_gte=2020",
    "/statistics",
    "/statistics?fiscal_year_gte=2020",
    "/search?q=how+much+did+tim+cook+earn+in+2023",
    "/nowhere",
  ])("at %s a word of ours", async (path) => {
    for (const headers of [{}, VISITOR]) {
      const { text } = await openPage(server, path, headers);
      const [, main = ""] = /<main[^>]*>(.*)<\/main>/.exec(text) ?? [];
      expect(main).not.toBe("");
      const words = withoutTags(main.replaceAll(NOT_OURS, " "));
      const at = (OURS.exec(words) ?? REGISTRANTS.exec(words))?.index;
      expect(at === undefined ? "" : words.slice(Math.max(0, at - 60), at + 60)).toBe("");
    }
  });

  test("a command at Coverage to who cannot run it", async () => {
    expect((await openPage(server, "/coverage")).text).toContain("execcomp ingest --pending");
    const { text } = await openPage(server, "/coverage", VISITOR);
    expect(text).not.toContain("execcomp ingest");
    expect(text).toContain("Whoever runs this server can have more filings read");
  });

  test("of which years the latest ones are only where they are one", async () => {
    for (const path of ["/", "/ceo-pay?index=sp500"])
      expect([path, (await openPage(server, path)).text]).toEqual([
        path,
        expect.stringMatching(/Fiscal 2026: \d+, 2025: \d+, 2024: \d+/),
      ]);
    expect((await openPage(server, "/ceo-pay?index=sp500&fiscal_year=2024")).text).not.toMatch(
      /Fiscal 2024: \d/,
    );
  });
});

test("a person is found by the name that everybody knows, before companies without pay by component", async () => {
  const server = await startTestServer();
  for (const [words, person, later] of [
    ["jensen", "Jen-Hsun Huang", "No companies match"],
    ["huang", "Jen-Hsun Huang", "Companies</h2>"],
    ["cook", "Tim Cook", "Traeger"],
  ] as const) {
    const { text } = await openPage(server, `/search?q=${words}`);
    const [at, then] = [text.indexOf(`>${person}<`), text.indexOf(later)];
    expect([words, at > 0, then > at]).toEqual([words, true, true]);
  }
  const people = (await openPage(server, "/suggest?q=jensen+huang")).text;
  expect(people).toContain('"company_name":"NVIDIA Corporation"');
  await server.stop();
});

test("a citation names the filing at sec.gov first, then this server", async () => {
  const server = await startTestServer();
  for (const path of ["/t/AAPL", "/t/AAPL/2024/tim-cook", "/t/AAPL/2024/tim-cook/stock_awards"]) {
    const { text } = await openPage(server, path);
    const [, cited = ""] = /id="citation">(.*?)<\/div>/.exec(text) ?? [];
    expect([path, cited]).toEqual([path, expect.stringMatching(/^Apple Inc\., /)]);
    const [filing, here] = [cited.indexOf("https://www.sec.gov/Archives/"), cited.indexOf(server.origin)];
    expect([path, filing > 0, here > filing]).toEqual([path, true, true]);
  }
  await server.stop();
});
