/** Link preview pictures: their content, who may see them, and how pages refer to them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { PNG } from "pngjs";
import { createApp } from "../../src/server/app.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { createServerUrls } from "../../src/http/base-urls.ts";
import type { ExecutiveCompensation } from "../../src/domain/row-fields.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ publicUrl: "https://pay.example.com" });
});
afterAll(() => server.stop());

/** Returns the drawing itself instead of the picture. */
function drawingsOf({ services, port }: TestServer, settings: object = {}) {
  const drawn: string[] = [];
  const rasterizer = {
    png: (svg: string) => {
      drawn.push(svg);
      return Promise.resolve(new Uint8Array(Buffer.from(svg)));
    },
    close: () => {},
  };
  const config = { ...services.config, ...settings };
  const app = createApp({ ...services, config, rasterizer }, () => createServerUrls(config, port));
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const asked = new Request(`http://pay.example.com${path}`, {
      headers: { host: "pay.example.com", ...headers },
    });
    return app(asked, "127.0.0.1");
  };
  return { get, drawn };
}

async function amountsOf(years: string): Promise<ExecutiveCompensation[]> {
  const answer = await server.asOperator()(`/api/executive-compensation?ticker=AAPL&${years}`);
  const body = (await answer.json()) as { executive_compensation: ExecutiveCompensation[] };
  return body.executive_compensation;
}

test("pages refer to a picture by its absolute URL, with size and description, and it exists", async () => {
  for (const path of [
    "/",
    "/t/AAPL",
    "/t/AAPL/2025/tim-cook",
    "/rankings",
    "/compare",
    "/compare?t=AAPL,MSFT",
  ]) {
    const text = await (await server.get(path, { headers: { accept: "text/html" } })).text();
    const of = (property: string) =>
      new RegExp(`<meta (?:property|name)="${property}" content="([^"]*)"`).exec(text)?.[1] ?? "";
    expect([of("og:image:width"), of("og:image:height"), of("twitter:card"), of("og:image:type")]).toEqual([
      "1200",
      "630",
      "summary_large_image",
      "image/png",
    ]);
    expect(of("og:image:alt").length).toBeGreaterThan(10);
    expect(of("og:title").length).toBeGreaterThan(3);
    const { origin, pathname, search } = new URL(of("og:image").replaceAll("&amp;", "&"));
    expect(origin).toBe("https://pay.example.com");
    const answer = await server.get(pathname + search);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
    const { width, height } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
    expect([width, height]).toEqual([1200, 630]);
  }
});

test("a company's picture shows only its latest year, to every caller", async () => {
  const { get } = drawingsOf(server, { publicRankings: "on" });
  const svg = await (await get("/t/AAPL/preview.png")).text();
  expect(svg).not.toContain("part of the year");
  expect(await (await get("/t/PSKY/preview.png")).text()).toContain("fiscal 2025 (part of the year)");
  const [latest, all] = await Promise.all([amountsOf("fiscal_year=2025"), amountsOf("")]);
  const shown = (total: number) => svg.includes(`>${total.toLocaleString("en-US")}</text`);
  expect(latest.length).toBeGreaterThan(4);
  for (const { total_compensation: total } of latest) expect(shown(total)).toBe(true);
  const earlier = all.filter(({ fiscal_year: year }) => year < 2025);
  expect(earlier.length).toBeGreaterThan(10);
  for (const { total_compensation: total } of earlier) expect(shown(total)).toBe(false);
  const key = await server.createKey();
  const keyed = await get("/t/AAPL/preview.png", { "x-api-key": key, cookie: "session=x" });
  expect(await keyed.text()).toBe(svg);
});

test("comparisons show only names, rankings show amounts only if the operator made them public", async () => {
  const closed = drawingsOf(server);
  const compared = await (await closed.get("/compare/preview.png?t=AAPL,MSFT,NOPE,%3Cscript%3E")).text();
  expect(compared).toContain(">Compare executive pay</text");
  expect(compared).not.toMatch(/Apple|NOPE|script/);
  const ranked = await (await closed.get("/rankings/preview.png?office=pfo")).text();
  expect(ranked).not.toMatch(/\d,\d{3},\d{3}/);
  const open = drawingsOf(server, { publicRankings: "on" });
  expect(await (await open.get("/rankings/preview.png")).text()).toMatch(/>\d+,\d{3},\d{3}<\/text/);
});

test("a picture is drawn once for all callers, and is not sent again to a client that has it", async () => {
  const { get, drawn } = drawingsOf(server);
  const answers = await Promise.all(Array.from({ length: 5 }, () => get("/t/MSFT/preview.png?v=1")));
  const [first] = answers;
  const etag = first?.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[^"]+"$/);
  expect(first?.headers.get("cache-control")).toBe("public, max-age=86400");
  await get("/t/MSFT/preview.png?v=2");
  expect(drawn).toHaveLength(1);
  const held = await get("/t/MSFT/preview.png", { "if-none-match": etag });
  expect([held.status, await held.text()]).toEqual([304, ""]);
  expect((await get("/t/AAPL/preview.png", { "if-none-match": etag })).status).toBe(200);
});

test("companies that do not exist have none, and an address gets a limited number per minute", async () => {
  for (const path of ["/t/NOPE/preview.png", "/c/0000000001/preview.png", "/c/x/preview.png"])
    expect((await server.get(path)).status).toBe(404);
  const { get } = drawingsOf(await startTestServer({ publicUrl: "https://pay.example.com" }));
  const statuses = [];
  for (let n = 0; n < 31; n++) statuses.push((await get("/t/MSFT/preview.png")).status);
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  expect((await get("/t/MSFT")).status).toBe(200);
});
