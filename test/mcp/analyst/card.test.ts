import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cardDocument } from "../../../src/mcp/analyst/card/card.ts";
import { ROUTES } from "../../../src/http/routes.ts";
import { AMOUNT_FIELD } from "../../../src/domain/row-fields.ts";
import { drawCard } from "../../../src/mcp/analyst/card/draw.ts";
import { EXAMPLE_ROW } from "../../support/example-row.ts";
import { legacy, mirrored, modern } from "../../contract/mcp/support.ts";
import { type AnalystUnderTest, analystUnderTest } from "./support.ts";

const URI = "ui://execcomp/company-pay";
const HOSTILE = `</title><script>alert(1)</script><img src=x onerror=alert(2)>"'&`;

let analyst: AnalystUnderTest;
beforeAll(async () => {
  analyst = await analystUnderTest();
});
afterAll(() => analyst.stop());

const resultOf = (rows: object[], ...notes: string[]) => ({
  content: ["{}", ...notes].map((text) => ({ type: "text", text })),
  structuredContent: { executive_compensation: rows },
});

describe("TL-11: the resource", () => {
  test.each([
    ["2025-11-25", (method: string, params: object) => legacy(method, params), () => ({})],
    [
      "2026-07-28",
      (method: string, params: object) => modern(method, params),
      (method: string) => mirrored(method, method === "resources/read" ? URI : undefined),
    ],
  ] as const)("is listed and readable in %s, and a tool names it", async (_, message, headers) => {
    const ask = async (method: string, params: object = {}) => {
      const answer = await analyst.post(message(method, params), {
        "x-api-key": analyst.key,
        ...headers(method),
      });
      return (await answer.json()) as {
        result: {
          resources: { uri: string; mimeType: string }[];
          contents: { uri: string; mimeType: string; text: string; _meta: object }[];
          tools: { name: string; _meta: object }[];
        };
        error?: { code: number };
      };
    };
    const { result } = await ask("resources/list");
    expect(result.resources).toMatchObject([{ uri: URI, mimeType: "text/html;profile=mcp-app" }]);
    const [document] = (await ask("resources/read", { uri: URI })).result.contents;
    expect(document).toMatchObject({
      uri: URI,
      mimeType: "text/html;profile=mcp-app",
      _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] } } },
    });
    expect(document?.text).toBe(cardDocument());
    const { tools } = (await ask("tools/list")).result;
    const naming = tools.filter(({ _meta: meta }) => JSON.stringify(meta).includes(URI));
    expect(naming.map(({ name }) => name)).toEqual(["get_executive_compensation"]);
  });

  test("a frame in somebody else's page learns none of our addresses", () => {
    const paths = Object.values(ROUTES).map(({ path }) => path.replace(/:.*/, ""));
    const told = paths.filter((path) => path.length > 1 && cardDocument().includes(`"${path}`));
    expect(told).toEqual([]);
  });

  test("an invalid address is an error; {mcp_url} has no resources", async () => {
    const none = await analyst.post(legacy("resources/read", { uri: "ui://execcomp/none" }));
    expect(await none.json()).toMatchObject({ error: { code: expect.any(Number) } });
    const plain = await analyst.post(legacy("resources/list"), {}, "/mcp");
    expect(await plain.json()).toMatchObject({ error: { code: -32601 } });
  });

  test("is a single document: nothing is loaded, and script and style are allowed by their hashes", () => {
    const text = cardDocument();
    const hashes = [/<script>([^]*?)<\/script>/, /<style>([^]*?)<\/style>/].map((part) => {
      const [, inside = ""] = part.exec(text) ?? [];
      return `'sha256-${new Bun.CryptoHasher("sha256").update(inside).digest("base64")}'`;
    });
    expect(text).toContain(
      `content="default-src 'none'; script-src ${hashes[0]}; style-src ${hashes[1]}; base-uri 'none'; form-action 'none'"`,
    );
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/<(link|img|iframe)\b|\bsrc=|@import|url\(/);
    expect(text.length).toBeLessThan(120_000);
  });
});

describe("the drawing", () => {
  test("several years: the CEO's pay by component, every officer's totals, the filings", () => {
    const rows = [2023, 2024, 2025].map((year) => ({ ...EXAMPLE_ROW, fiscal_year: year }));
    const card = drawCard(resultOf(rows, "Incomplete fiscal years: 2023, 2022. Say so.", "Cut."));
    expect(card).toContain("<h1>Apple Inc. (AAPL)</h1>");
    expect(card.match(/<figure/g)).toHaveLength(2);
    expect(card).toContain("CEO pay by component, USD");
    expect(card).toContain("Tim Cook, fiscal 2024: 74.3M");
    expect(card).toContain("Partial: 2023, 2022. That year&#39;s proxy statement has not been read;");
    expect(card).toContain("Cut.");
    expect(card).not.toContain("Say so");
    expect(card).toContain(`href="${EXAMPLE_ROW.source.filing_url}"`);
  });

  test("an officer with a single year is a point with a name", () => {
    const rows = [2023, 2024, 2025].map((year) => ({ ...EXAMPLE_ROW, fiscal_year: year }));
    const once = {
      ...EXAMPLE_ROW,
      fiscal_year: 2024,
      is_peo: false,
      executive_id: "b",
      executive_name: "Ann Once",
    };
    const card = drawCard(resultOf([...rows, once]));
    expect(card).toContain("Ann Once, fiscal 2024: 74.3M");
    expect(card.slice(card.indexOf('class="legend"'))).toContain("Ann Once");
  });

  test("notes of a real answer are shown", async () => {
    const { result } = await analyst.call("get_executive_compensation", { ticker: "AAPL", limit: 10 });
    expect(drawCard(result)).toContain("Partial: 2021, 2020");
  });

  test("years in another currency are named, not drawn", () => {
    const rows = [2025, 2024, 2023].map((year) => ({
      ...EXAMPLE_ROW,
      fiscal_year: year,
      reporting_currency: year === 2023 ? "EUR" : "USD",
    }));
    const card = drawCard(resultOf(rows));
    const described = [...card.matchAll(/<desc [^>]*>([^<]*)</g)].map(([, one]) => one).join(" ");
    expect(described).toContain("2024 ");
    expect(described).not.toContain("2023");
    expect(card).toContain("different currency: fiscal 2023 (EUR).");
    expect(drawCard(resultOf(rows.slice(0, 2)))).not.toContain("different currency");
  });

  test("one year: every officer's pay by component", () => {
    const card = drawCard(resultOf([EXAMPLE_ROW]));
    expect(card.match(/<figure/g)).toHaveLength(1);
    expect(card).toContain("Pay in fiscal 2025, USD");
    expect(card).toContain("<span>Tim Cook</span><b>74.3M</b");
    expect(card).toContain(`${AMOUNT_FIELD.stock_awards.label}: 57.5M`);
  });

  test("hostile names stay text, a foreign address is not a link", () => {
    const source = {
      form: HOSTILE,
      accession: HOSTILE,
      filing_date: HOSTILE,
      filing_url: "javascript:alert(1)",
    };
    const row = { ...EXAMPLE_ROW, company_name: HOSTILE, ticker: HOSTILE, executive_name: HOSTILE, source };
    const rows = [2024, 2025].map((year) => ({ ...row, fiscal_year: year, reporting_currency: HOSTILE }));
    const card = drawCard(resultOf(rows, HOSTILE));
    expect(card).not.toMatch(/<(script|img|a)\b/);
    expect(card).toContain("&lt;script&gt;");
  });

  test.each<{ result: unknown; number: number }>(
    [
      null,
      7,
      [],
      {},
      { structuredContent: null },
      { structuredContent: { executive_compensation: {} } },
      resultOf([{}]),
      resultOf([{ fiscal_year: Number.NaN, total_compensation: "1", source: 7 }]),
      { isError: true, content: [{ type: "text", text: '{"error":"Not Found"}' }] },
      resultOf([
        { ...EXAMPLE_ROW, fiscal_year: 1 },
        { ...EXAMPLE_ROW, fiscal_year: 1e15 },
      ]),
    ].map((result, number) => ({ result, number })),
  )("unusual result $number is drawn too", ({ result }) => {
    expect(drawCard(result)).toStartWith("<");
  });

  test("an error is shown with its message", () => {
    const card = drawCard({ isError: true, content: [{ type: "text", text: "No ticker" }] });
    expect(card).toContain("No ticker");
  });
});
