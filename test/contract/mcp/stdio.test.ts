import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { cli, type CliOptions } from "../../support/cli.ts";
import { tempFolder } from "../../support/folder.ts";
import { compensationCall, legacy, modern } from "./support.ts";
import { PROGRAM } from "../../support/program.ts";
import { testRuntime } from "../../support/runtime.ts";

const folder = tempFolder();
let made = 0;

/** One message of the output. */
interface Line {
  id: unknown;
  error?: { code: number };
  result?: {
    protocolVersion?: string;
    supportedVersions?: string[];
    tools?: { name: string }[];
    isError?: boolean;
    content?: { text: string }[];
    structuredContent?: { executive_compensation: { fiscal_year: number; ticker: string }[] };
    _meta?: Record<string, unknown>;
  };
}

/** Writes the lines to `execcomp mcp` in an empty folder, closes its input, and reads all output. */
async function talk(lines: (object | string)[], options: CliOptions = {}) {
  const stdin = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const ran = await cli("mcp", {
    environment: { EXECCOMP_DATA_DIR: join(folder, String(++made)) },
    stdin,
    stopped: new Promise(() => {}),
    ...options,
  });
  const answers = ran.out
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Line => JSON.parse(line));
  return { ...ran, answers, byId: (id: unknown) => answers.find((answer) => answer.id === id) };
}

/** Input that is closed only once every request is answered: after the end, answers may take ten seconds at most. */
function untilAnswered(lines: readonly object[]): CliOptions {
  const waiting = new Set(lines.flatMap((line) => ("id" in line ? [line.id] : [])));
  const answered = Promise.withResolvers<void>();
  const input = new ReadableStream<Uint8Array>({
    async start(stream) {
      stream.enqueue(new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
      await answered.promise;
      stream.close();
    },
  });
  // Each message is written at once, with its newline.
  const onOut = (text: string) => {
    for (const line of text.split("\n")) if (line !== "") waiting.delete(JSON.parse(line).id);
    if (waiting.size === 0) answered.resolve();
  };
  return { input, onOut };
}

const initialize = legacy("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "x", version: "1" },
});
const numbered = (id: number, message: object) => ({ ...message, id });

describe("execcomp mcp", () => {
  test("answers everything it has read as the local operator, logs elsewhere, and exits with 0", async () => {
    const call = (given: object) => compensationCall("legacy", given).message;
    const ran = await talk([
      initialize,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      numbered(1, legacy("tools/list")),
      numbered(2, call({ ticker: "aapl" })),
      numbered(3, call({ ticker: "AAPL", limit: 2, fiscal_year_lte: 2024 })),
      numbered(4, call({ ticker: "NOSUCH" })),
    ]);
    expect(ran.code).toBe(0);
    expect(ran.byId(7)?.result?.protocolVersion).toBe("2025-11-25");
    expect(ran.byId(1)?.result?.tools?.map(({ name }) => name)).toEqual([
      "get_executive_compensation",
      "list_available_tickers",
      "query_executive_compensation",
      "get_executive_compensation_statistics",
      "query_ceo_pay",
      "search",
      "fetch",
    ]);
    const rows = ran.byId(2)?.result?.structuredContent?.executive_compensation ?? [];
    expect(new Set(rows.map((row) => row.fiscal_year)).size).toBe(4);
    expect(rows[0]?.ticker).toBe("AAPL");
    expect(ran.byId(2)?.result?._meta?.["credits_charged"]).toBeUndefined();
    expect(ran.byId(3)?.result?.structuredContent?.executive_compensation[0]?.fiscal_year).toBe(2024);
    expect(ran.byId(4)?.result).toMatchObject({ isError: true, _meta: { http_status: 404 } });
    expect(JSON.parse(ran.err.split("\n")[0] ?? "")).toMatchObject({ event: "mcp_started", metered: false });
  });

  test("supports 2026-07-28 too, with the same rows as over HTTP", async () => {
    const ran = await talk([
      numbered(1, modern("server/discover")),
      numbered(2, compensationCall("modern", { ticker: "MSFT", limit: 1 }).message),
    ]);
    expect(ran.code).toBe(0);
    expect(ran.byId(1)?.result?.supportedVersions).toEqual(["2026-07-28"]);
    const rest = await cli("get", "/api/executive-compensation?ticker=MSFT&limit=1", {
      environment: { EXECCOMP_DATA_DIR: join(folder, "rest") },
    });
    expect<unknown>(ran.byId(2)?.result?.structuredContent).toEqual(rest.json());
    expect(ran.byId(2)?.result?.content?.[0]?.text).toContain("FY | Executive | Office | Total");
  });

  test("answers questions across companies; a search result's address is its filing", async () => {
    const call = (id: number, name: string, given: object) =>
      numbered(id, legacy("tools/call", { name, arguments: given }));
    const ran = await talk([
      initialize,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      call(1, "query_executive_compensation", { office: "pfo", fiscal_year: 2024, max_rows: 1 }),
      call(2, "search", { query: "Apple CEO 2024" }),
      call(3, "fetch", { id: "executive:320193:tim-cook" }),
      call(4, "get_executive_compensation_statistics", { year: 2024 }),
    ]);
    const [row] = ran.byId(1)?.result?.structuredContent?.executive_compensation ?? [];
    expect(row?.ticker).toBe("TSLA");
    const textOf = (id: number) => ran.byId(id)?.result?.content?.[0]?.text ?? "";
    const { results } = JSON.parse(textOf(2)) as { results: { url: string }[] };
    expect(results).toHaveLength(3);
    for (const { url } of results) expect(url).toStartWith("https://www.sec.gov/Archives/edgar/data/320193/");
    expect(JSON.parse(textOf(3)).text).toContain("Fiscal 2020");
    expect(ran.byId(4)?.result).toMatchObject({ isError: true, _meta: { http_status: 400 } });
    expect(textOf(4)).toContain("Did you mean fiscal_year?");
  });

  test("runs one SELECT over the views; anything else returns a result with the reason", async () => {
    const run = (id: number, given: object) =>
      numbered(id, legacy("tools/call", { name: "run_sql", arguments: given }));
    const statement =
      "select executive_name, total_compensation from compensation where is_pfo and fiscal_year = 2024 order by 2 desc limit 1";
    const everything = "select executive_name, executive_role from compensation order by 1, 2";
    const lines = [
      initialize,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      numbered(1, legacy("tools/list")),
      run(2, { statement }),
      run(3, { statement: "attach 'x' as y" }),
      run(4, { statement: everything, max_rows: 1000 }),
      run(5, { sql: "select 1" }),
      run(6, { statement: "select 1", max_rows: 1001 }),
    ];
    const ran = await talk([], { program: PROGRAM, ...untilAnswered(lines) });
    expect(ran.byId(1)?.result?.tools?.at(-1)?.name).toBe("run_sql");
    expect<unknown>(ran.byId(2)?.result?.structuredContent).toMatchObject({
      columns: ["executive_name", "total_compensation"],
      rows: [["Vaibhav Taneja", 139472935]],
      cut: null,
    });
    expect(ran.byId(3)?.result).toMatchObject({ isError: true, _meta: { http_status: 400 } });
    const long = ran.byId(4)?.result;
    expect(JSON.stringify(long).length).toBeLessThanOrEqual(60_000);
    expect(long?.content?.[0]?.text).toMatch(/continue with OFFSET \d+, or select less\.$/);
    expect(ran.byId(5)?.result?.content?.[0]?.text).toContain("Unknown parameter");
    expect(ran.byId(6)?.result?.content?.[0]?.text).toContain("expected a whole number from 1 to 1000");
  }, 300_000);

  test("answers input that is not a message with an error, and serves the next line", async () => {
    const ran = await talk([
      "junk",
      [],
      { id: 9 },
      `"${"x".repeat(70_000)}"`,
      "",
      numbered(1, legacy("ping")),
      numbered(2, legacy("no/such/method")),
    ]);
    expect(ran.code).toBe(0);
    expect(ran.answers.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
      -32700, -32600, -32600,
    ]);
    expect(ran.byId(9)?.error?.code).toBe(-32600);
    expect(ran.byId(1)?.result).toEqual({});
    expect(ran.byId(2)?.error?.code).toBe(-32601);
  });

  test("leaves nothing behind when a client disconnects without sending anything", async () => {
    expect(await talk([])).toMatchObject({ code: 0, out: "" });
  });

  test("refuses to start with a key that is malformed, unknown, revoked, expired or of a disabled user", async () => {
    const environment = { EXECCOMP_DATA_DIR: join(folder, String(++made)) };
    const runtime = testRuntime();
    const run = (...words: string[]) => cli(...words, { environment, runtime });
    const create = async (...flags: string[]) =>
      (await run("keys", "create", "--json", ...flags)).json() as { key: string; id: string };
    const revoked = await create("--user", "ann@example.com");
    await run("keys", "revoke", revoked.id);
    const expired = await create("--user", "ann@example.com", "--expires-days", "1");
    const ofDisabled = await create("--user", "bob@example.com");
    await run("users", "disable", "--user", "bob@example.com");
    const elsewhere = await cli("keys", "create", "--user", "c@example.com", "--json", {
      environment: { EXECCOMP_DATA_DIR: join(folder, String(++made)) },
      runtime,
    });
    const unknown = (elsewhere.json() as { key: string }).key;
    runtime.advance(2 * 86_400_000);
    const call = [numbered(1, compensationCall("legacy", { ticker: "AAPL" }).message)];
    for (const key of ["xc_live_bad", revoked.key, expired.key, ofDisabled.key, unknown]) {
      const ran = await talk(call, { environment: { ...environment, EXECCOMP_KEY: key }, runtime });
      expect([key, ran.code, ran.out]).toEqual([key, 1, ""]);
      expect(ran.err).toMatch(
        /^The key .* is unknown, revoked or expired\. For a new one: execcomp keys create/m,
      );
      expect(ran.err).not.toContain(key);
    }
  });

  test("reports a key that is revoked later in the result: there is no HTTP status to do so", async () => {
    const environment = { EXECCOMP_DATA_DIR: join(folder, String(++made)) };
    const created = await cli("keys", "create", "--user", "ann@example.com", "--json", { environment });
    const { key, id } = created.json() as { key: string; id: string };
    const call = numbered(1, compensationCall("legacy", { ticker: "AAPL" }).message);
    const started = Promise.withResolvers<void>();
    const input = new ReadableStream<Uint8Array>({
      async start(stream) {
        await started.promise;
        await cli("keys", "revoke", id, { environment });
        stream.enqueue(new TextEncoder().encode(`${JSON.stringify(call)}\n`));
        stream.close();
      },
    });
    // The first line of the log says that it has started.
    const ran = await talk([], {
      environment: { ...environment, EXECCOMP_KEY: key },
      input,
      onErr: () => started.resolve(),
    });
    expect(ran.code).toBe(0);
    expect(ran.byId(1)?.result).toMatchObject({ isError: true, _meta: { http_status: 401 } });
  });

  test("a key may end with a line end, as one read from a file does: its calls are charged", async () => {
    const environment = { EXECCOMP_DATA_DIR: join(folder, String(++made)) };
    const created = await cli("keys", "create", "--user", "ann@example.com", "--json", { environment });
    const { key } = created.json() as { key: string };
    const asked = [numbered(1, compensationCall("legacy", { ticker: "AAPL", limit: 2 }).message)];
    for (const [at, end] of ["", "\n", "\r\n"].entries()) {
      const ran = await talk(asked, { environment: { ...environment, EXECCOMP_KEY: key + end } });
      expect(ran.byId(1)?.result?.isError).not.toBe(true);
      const path = "/api/executive-compensation?ticker=AAPL&limit=2";
      const got = await cli("get", path, { environment: { ...environment, EXECCOMP_KEY: key + end } });
      expect([end, got.err]).toEqual([end, "200\n"]);
      const shown = await cli("credits", "show", "--user", "ann@example.com", "--json", { environment });
      expect(shown.json()).toMatchObject({ charged: 2 * (at + 1) });
    }
  });

  test("exits when told to, even with a connected client", async () => {
    const never = new ReadableStream<Uint8Array>();
    const ran = await cli("mcp", {
      environment: { EXECCOMP_DATA_DIR: join(folder, String(++made)) },
      input: never,
      stopped: Promise.resolve("SIGTERM"),
    });
    expect(ran.code).toBe(0);
  });
});
