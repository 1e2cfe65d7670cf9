/** `run_sql` at `/mcp/analyst`: only where the owner allows it, and only for users who are not charged. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AnalystUnderTest, analystUnderTest } from "./support.ts";

const STATEMENT = "select ticker, count(*) as n from compensation where ticker = 'AAPL' group by ticker";

let allowed: AnalystUnderTest;
beforeAll(async () => {
  allowed = await analystUnderTest({ httpSql: "unmetered" });
});
afterAll(() => allowed.stop());

const namesOf = async (analyst: AnalystUnderTest) => {
  const answer = await analyst.post({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const { result } = (await answer.json()) as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
};

test("an unmetered user's statement runs; a user who is charged is refused, free, and told what else there is", async () => {
  expect(await namesOf(allowed)).toContain("run_sql");
  const refused = await allowed.call("run_sql", { statement: STATEMENT });
  expect(refused.result).toMatchObject({ isError: true, _meta: { http_status: 400 } });
  expect(refused.text).toContain("run_sql is for users who are not charged");
  expect(refused.charged).toBe("0");

  const key = await allowed.server.createKey("analyst@example.com");
  const user = await allowed.server.accounts.users.findByEmail("analyst@example.com");
  await allowed.server.accounts.credits.setUnmetered(user?.id ?? "", true);
  const { result } = await allowed.call("run_sql", { statement: STATEMENT }, "2025-11-25", key);
  expect(result.structuredContent).toMatchObject({
    columns: ["ticker", "n"],
    rows: [["AAPL", 31]],
    cut: null,
  });

  // What the command refuses is refused here.
  const written = await allowed.call("run_sql", { statement: "delete from compensation" }, "2025-11-25", key);
  expect(written.result.isError).toBe(true);
});

test("where the owner has not allowed it, the tool is neither listed nor there", async () => {
  const analyst = await analystUnderTest({ unmetered: "true" });
  try {
    expect(await namesOf(analyst)).not.toContain("run_sql");
    const { result } = await analyst.call("run_sql", { statement: STATEMENT });
    expect(result.structuredContent).toBeUndefined();
  } finally {
    await analyst.stop();
  }
});
