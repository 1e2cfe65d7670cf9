/** Twenty questions as people ask them, answered right on every surface: docs/contract.md, "Analysis". */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { readFacts } from "./facts.ts";
import { type AnsweredRow, QUESTIONS } from "./questions.ts";
import { answerTo, commandSurface, mcpSurface, restSurface, type Surface } from "./surfaces.ts";
import { PROGRAM } from "../support/program.ts";

const FACTS = readFacts();
const folder = tempFolder();
const SURFACES = ["REST", "MCP 2025-11-25", "MCP 2026-07-28", "stdio", "command line"] as const;

let server: TestServer;
let surfaces: Map<string, Surface>;

beforeAll(async () => {
  server = await startTestServer({ unmetered: "true", rateKey: "100000" });
  const key = await server.createKey();
  const http = (): [URL, object] => [
    new URL(`${server.origin}/mcp/analyst`),
    { requestInit: { headers: { "X-API-KEY": key } } },
  ];
  const environment = { EXECCOMP_DATA_DIR: folder };
  const started = { command: [...PROGRAM, "mcp"], env: { ...environment, HOME: folder } };
  const made = await Promise.all([
    restSurface((path) => server.get(path, { key })),
    mcpSurface("MCP 2025-11-25", http(), "legacy"),
    mcpSurface("MCP 2026-07-28", http(), "auto"),
    mcpSurface("stdio", started, "auto"),
    commandSurface(async (words) => {
      const { code, out, err } = await cli(...words, { environment });
      if (code !== 0) throw new Error(err);
      return out;
    }),
  ]);
  surfaces = new Map(made.map((surface) => [surface.name, surface]));
});

afterAll(async () => {
  for (const surface of surfaces.values()) await surface.close();
  await server.stop();
});

test("there are twenty, and none is answered by nothing", () => {
  expect(QUESTIONS).toHaveLength(20);
  for (const { asked, right } of QUESTIONS) {
    const answer = JSON.stringify(right(FACTS));
    expect({ asked, empty: /^(\[\]|\[0,\[\]\]|null|"")$/.test(answer) }).toEqual({ asked, empty: false });
    expect(answer).not.toContain("null");
  }
});

test("the facts as plain code reads them are the rows that are served, all of them", async () => {
  const rest = surfaces.get("REST");
  const selection = { fiscal_year_gte: 0, sort: "fiscal_year", max_rows: 1000 };
  const rows: AnsweredRow[] = [];
  for (const year of new Set(FACTS.map((fact) => fact.year))) {
    const step = { operation: "query", parameters: { ...selection, fiscal_year: year } } as const;
    rows.push(...((await rest?.ask(step))?.executive_compensation ?? []));
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

describe.each(QUESTIONS.map((question, at) => [at + 1, question.asked, question] as const))(
  "%d. %s",
  (_, __, question) => {
    test.each([...SURFACES])("%s", async (name) => {
      const surface = surfaces.get(name);
      if (surface === undefined) throw new Error(`no surface ${name}`);
      expect(await answerTo(surface, question)).toEqual(question.right(FACTS));
    });
  },
);
