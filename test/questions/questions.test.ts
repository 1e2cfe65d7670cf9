/**
 * Natural questions, answered correctly over REST and MCP: docs/contract.md, "Analysis". Other surfaces are in
 * a slow test.
 */
import { expect, test } from "bun:test";
import { analystTools } from "../../src/mcp/analyst/tools.ts";
import { sqlDeclaration } from "../../src/mcp/analyst/sql.ts";
import { askedServer, askOn, playOn } from "./asked.ts";
import { readFacts } from "./facts.ts";
import { FIRST_CALLS } from "./first-calls.ts";
import { MORE_CALLS } from "./more-calls.ts";
import { type AnsweredRow, QUESTIONS, type Step } from "./questions.ts";
import { mcpSurface, restSurface, TOOLS } from "./surfaces.ts";

const FACTS = readFacts();
const asked = askedServer();
const restOf = () => restSurface((path) => asked().server.get(path, { key: asked().key }));

test("none of them has an empty answer", () => {
  expect(QUESTIONS.length + FIRST_CALLS.length + MORE_CALLS.length).toBeGreaterThanOrEqual(60);
  for (const { asked, right } of [...QUESTIONS, ...FIRST_CALLS, ...MORE_CALLS]) {
    const answer = JSON.stringify(right(FACTS));
    expect({ asked, empty: /^(\[\]|\[0,\[\]\]|null|"")$/.test(answer) }).toEqual({ asked, empty: false });
    expect(answer).not.toContain("null");
  }
});

test("the facts as read by simple code are exactly the rows that are served", async () => {
  const rest = restOf();
  const selection = { fiscal_year_gte: 0, sort: "fiscal_year", max_rows: 1000 };
  const rows: AnsweredRow[] = [];
  for (const year of new Set(FACTS.map((fact) => fact.year))) {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = cursor === undefined ? {} : { cursor };
      const step = { operation: "query", parameters: { ...selection, fiscal_year: year, ...page } } as const;
      const answer = await rest.ask(step);
      rows.push(...answer.executive_compensation);
      cursor = answer.next_cursor ?? null;
    }
  }
  const told = (parts: readonly unknown[]) => parts.join(" ");
  const served = rows.map((row) =>
    told([
      row.cik,
      row.fiscal_year,
      row.executive_id,
      row.total_compensation,
      row.is_peo,
      row.is_pfo,
      row.source.filing_url ?? "",
    ]),
  );
  const facts = FACTS.map((one) =>
    told([one.cik, one.year, one.person, one.total_compensation, one.isCeo, one.isCfo, one.filingUrl]),
  );
  expect(served.length).toBeGreaterThan(1500);
  expect(served.sort()).toEqual(facts.sort());
});

test("every argument of a call is a declared property of its tool", () => {
  const coverage = { companies: 1, companyYears: 1, completeCompanyYears: 1, fiscalYears: null };
  const defined = new Map([...analystTools(coverage), sqlDeclaration("")].map((tool) => [tool.name, tool]));
  const steps = QUESTIONS.flatMap(({ steps: all }) => all).filter(
    (step): step is Step => "operation" in step,
  );
  const calls = [
    ...FIRST_CALLS,
    ...MORE_CALLS,
    ...steps.map(({ operation, parameters }) => ({ tool: TOOLS[operation], given: parameters })),
  ];
  for (const { tool, given } of calls) {
    const { inputSchema } = defined.get(tool) ?? {};
    const properties = Object.keys(Object(inputSchema?.["properties"]));
    for (const name of Object.keys(given)) {
      if (tool === TOOLS.find && name === "words") continue;
      expect({ tool, name, declared: properties.includes(name) }).toEqual({ tool, name, declared: true });
    }
  }
});

const overHttp = () => mcpSurface("MCP 2026-07-28", asked().mcp(), "auto");

askOn(FACTS, { REST: () => Promise.resolve(restOf()), "MCP 2026-07-28": overHttp });
playOn(FACTS, { "MCP 2026-07-28": overHttp });
