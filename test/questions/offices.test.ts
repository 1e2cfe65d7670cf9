/** The words for an office are the same everywhere: accepted, or refused with the word that is. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readQuestion } from "../../src/mcp/analyst/arguments.ts";
import { QUERY_PARAMETERS } from "../../src/operations/query.ts";
import { cli } from "../support/cli.ts";
import { openPage } from "../support/html.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const WORDS = [
  ["CEO", "peo"],
  ["ceos", "peo"],
  ["chief executive", "peo"],
  ["Chief Executive Officer", "peo"],
  ["principal-executive-officer", "peo"],
  ["PEO", "peo"],
  ["cfo", "pfo"],
  ["CFOs", "pfo"],
  ["chief_financial_officer", "pfo"],
  ["Principal Financial Officer", "pfo"],
  ["Pfo", "pfo"],
] as const;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test.each(WORDS)("%s is %s", async (typed, office) => {
  const value = encodeURIComponent(typed);
  // REST takes its values in any case, and says which one is meant.
  const isValue = typed.toLowerCase() === office;
  for (const path of [
    "/api/executive-compensation/query?max_rows=1",
    "/api/executive-compensation/statistics?sector=energy",
    "/export?format=csv&ticker=AAPL",
  ]) {
    const answer = await server.asOperator()(`${path}&office=${value}`);
    const said = isValue ? "" : ` Did you mean ${office}?`;
    expect([path, answer.status]).toEqual([path, isValue ? 200 : 400]);
    if (!isValue) expect(((await answer.json()) as { message: string }).message).toEndWith(said);
  }
  const { parameters } = readQuestion({ office: typed }, QUERY_PARAMETERS);
  expect(parameters.get("office")).toEqual([office]);
  const name = office === "peo" ? "CEO" : "CFO";
  const titleOf = async (path: string) => /<h1>(.*?)<\/h1>/s.exec((await openPage(server, path)).text)?.[1];
  expect(await titleOf(`/rankings?office=${value}`)).toContain(`Highest-paid ${name}s`);
  for (const parameter of ["who", "office"])
    expect(await titleOf(`/compare?companies=AAPL,MSFT&${parameter}=${value}`)).toContain(`${name} pay at`);
  for (const words of [
    ["query", "--max-rows", "1"],
    ["stats", "--sector", "energy"],
    ["compare", "AAPL"],
  ]) {
    const [given, plain] = await Promise.all([
      cli(...words, "--office", typed),
      cli(...words, "--office", office),
    ]);
    expect([words, given.code, given.out]).toEqual([words, 0, plain.out]);
  }
});

test("what is no office is refused everywhere", async () => {
  for (const path of ["/rankings?office=boss", "/statistics?office=boss", "/compare?companies=AAPL&who=boss"])
    expect([path, (await openPage(server, path)).status]).toEqual([path, 400]);
  for (const words of [["query"], ["stats"], ["compare", "AAPL"]]) {
    const { code, err } = await cli(...words, "--office", "boss");
    expect([words, code, err]).toEqual([
      words,
      2,
      expect.stringMatching(/--office "boss": expected one of .*ceo, cfo/),
    ]);
  }
});
