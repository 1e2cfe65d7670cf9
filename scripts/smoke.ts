/**
 * Tries the main paths of the built executable as a new user would: from an empty folder, with an empty environment, on
 * a free port. `bun scripts/smoke.ts [FILE]`; the default FILE is `dist/execcomp`. Prints every failure and exits 1 if
 * there are any.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readyOrigin } from "./bench/harness.ts";
import { type CommandOutput, runCommand } from "./command-output.ts";

const ROOT = dirname(import.meta.dir);
const NAME = process.platform === "win32" ? "execcomp.exe" : "execcomp";
/** Time limit of a step; the run ends there. */
const STEP_MS = 20_000;

const misses: string[] = [];
let steps = 0;

async function step(name: string, walk: () => Promise<void>): Promise<void> {
  steps += 1;
  const late = Bun.sleep(STEP_MS).then(() => Promise.reject(new Error(`took longer than ${STEP_MS} ms`)));
  try {
    await Promise.race([walk(), late]);
    console.log(`ok    ${name}`);
  } catch (error) {
    misses.push(name);
    console.log(`MISS  ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function expectThat(fact: unknown, message: string): asserts fact {
  if (fact === undefined || fact === null || fact === false || fact === "") throw new Error(message);
}

/** A value in an answer, by path: `at(body, "executive_compensation", 0, "ticker")`. */
function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    // Any object can be indexed by any key: a missing value is undefined.
    (from, key) =>
      typeof from === "object" && from !== null ? (from as Record<string, unknown>)[key] : undefined,
    value,
  );
}

const folder = mkdtempSync(join(tmpdir(), "execcomp-smoke-"));
const home = join(folder, "home");
mkdirSync(home);
const executable = join(folder, NAME);

function run(...words: string[]): Promise<CommandOutput> {
  return runCommand([executable, ...words], { cwd: folder, env: { HOME: home } });
}

function apple(body: unknown): void {
  const rows = at(body, "executive_compensation");
  expectThat(Array.isArray(rows), "no rows");
  const cook = rows.find((row: unknown) => at(row, "executive_id") === "tim-cook");
  expectThat(at(cook, "fiscal_year") === 2025, "the first row of Tim Cook is not for 2025");
  expectThat(
    at(cook, "total_compensation") === 74_294_811,
    `total is ${String(at(cook, "total_compensation"))}`,
  );
  expectThat(at(cook, "source", "accession") === "0001308179-26-000008", "another accession");
}

async function commands(): Promise<void> {
  await step("version, help, config print, openapi", async () => {
    expectThat(/^\d+\.\d+\.\d+\n$/.test((await run("version")).out), "no version");
    expectThat((await run("help")).out.includes("execcomp show AAPL"), "no help");
    expectThat((await run("config", "print", "--json")).out.includes('"host"'), "no configuration");
    expectThat(at(JSON.parse((await run("openapi")).out), "info", "version") === "1.0.0", "no description");
  });
  await step("show AAPL as a table and as JSON", async () => {
    const table = await run("show", "AAPL");
    expectThat(table.code === 0 && table.out.includes("74,294,811"), `no table: ${table.err}`);
    apple(JSON.parse((await run("show", "AAPL", "--years", "1", "--json")).out));
  });
  await step("get as the local operator, and anonymously", async () => {
    const asked = await run("get", "/api/executive-compensation?ticker=AAPL");
    expectThat(asked.code === 0 && asked.err.includes("200"), `${asked.code} ${asked.err}`);
    apple(JSON.parse(asked.out));
    const refused = await run("get", "/api/executive-compensation?ticker=AAPL", "--anonymous");
    expectThat(refused.code === 1 && refused.err.includes("401"), `${refused.code} ${refused.err}`);
  });
  await step("tickers", async () => {
    expectThat((await run("tickers")).out.split("\n").includes("AAPL"), "no AAPL");
  });
  await step("data info and data verify", async () => {
    const info = await run("data", "info", "--json");
    expectThat(info.code === 0 && info.out.startsWith("{"), `${info.code} ${info.err}`);
    const verified = await run("data", "verify");
    expectThat(verified.code === 0, `${verified.code} ${verified.err}`);
  });
  await step("sql answers from a separate process, which ends at its limit", async () => {
    const asked = await run(
      "sql",
      "SELECT total_compensation AS t FROM compensation WHERE ticker = 'AAPL' AND is_peo AND fiscal_year = 2025",
      "--json",
    );
    expectThat(at(JSON.parse(asked.out), "rows", 0, 0) === 74_294_811, `${asked.out} ${asked.err}`);
    const endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t";
    const stopped = await run("sql", endless, "--max-seconds", "1");
    expectThat(stopped.code === 1 && stopped.err.includes("was stopped"), `${stopped.code} ${stopped.err}`);
  });
  await step("a wrong flag is refused with a suggestion", async () => {
    const refused = await run("show", "AAPL", "--yeras", "1");
    expectThat(refused.code === 2 && refused.err.includes("--years"), `${refused.code} ${refused.err}`);
  });
}

async function serving(origin: string, key: string): Promise<void> {
  const api = `${origin}/api/executive-compensation`;
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, { headers, redirect: "manual" });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  await step("facts without a credential", async () => {
    const answer = await get(`${origin}/t/AAPL/facts`);
    expectThat(answer.status === 200, `status ${answer.status}`);
    apple(JSON.parse(answer.text));
  });
  await step("the link preview picture is drawn", async () => {
    const answer = await fetch(`${origin}/t/AAPL/preview.png`);
    const bytes = await answer.bytes();
    expectThat(answer.status === 200 && bytes.length > 10_000, `${answer.status}, ${bytes.length} bytes`);
    expectThat(bytes.subarray(1, 4).toString() === "80,78,71", "not a PNG");
  });
  await step("a keyed query gives fiscal years 2025 to 2022 in order", async () => {
    const answer = await get(`${api}?ticker=AAPL`, { "x-api-key": key });
    expectThat(answer.status === 200, `status ${answer.status}: ${answer.text.slice(0, 200)}`);
    const rows = at(JSON.parse(answer.text), "executive_compensation");
    expectThat(Array.isArray(rows), "no rows");
    const years = [...new Set(rows.map((row: unknown) => at(row, "fiscal_year")))];
    expectThat(years.join() === "2025,2024,2023,2022", `years ${years.join()}`);
    apple(JSON.parse(answer.text));
    const tag = answer.headers.get("etag") ?? "";
    const again = await get(`${api}?ticker=AAPL`, { "x-api-key": key, "if-none-match": tag });
    expectThat(again.status === 304 && again.text === "", `status ${again.status} for the same tag`);
  });
  await step("tickers with a key", async () => {
    const answer = await get(`${api}/tickers`, { "x-api-key": key });
    const tickers = at(JSON.parse(answer.text), "tickers");
    expectThat(Array.isArray(tickers) && tickers.includes("AAPL"), "no AAPL");
  });
  await step("401, 404 and 400 in the flat envelope", async () => {
    for (const [url, headers, status] of [
      [`${api}?ticker=AAPL`, {}, 401],
      [`${api}?ticker=AAPL`, { "x-api-key": "xc_live_nonsense" }, 401],
      [`${api}?ticker=NOSUCHTICKER`, { "x-api-key": key }, 404],
      [`${api}?ticker=AAPL&limit=x`, { "x-api-key": key }, 400],
      [`${origin}/api/nothing`, {}, 404],
    ] as const) {
      const answer = await get(url, headers);
      expectThat(answer.status === status, `${answer.status} instead of ${status} at ${url}`);
      const names = Object.keys(JSON.parse(answer.text)).sort().join();
      expectThat(names === "error,message", `envelope has ${names}`);
    }
  });
  await step("company page, OpenAPI document and its reference page", async () => {
    const html = { accept: "text/html" };
    expectThat((await get(`${origin}/t/AAPL`, html)).text.includes("74,294,811"), "no page");
    expectThat(
      at(JSON.parse((await get(`${origin}/api/openapi.json`)).text), "info", "version") === "1.0.0",
      "no description",
    );
    const page = await get(`${origin}/api/docs`, html);
    const script = /<script[^>]* src="([^"]+)"/.exec(page.text)?.[1] ?? "";
    expectThat(script.startsWith("/"), `the reference page loads ${script}`);
    expectThat((await get(origin + script)).status === 200, "its script is not served");
  });
  await step("health, and a foreign host refused", async () => {
    expectThat((await get(`${origin}/livez`)).status === 200, "not alive");
    expectThat((await get(`${origin}/readyz`)).status === 200, "not ready");
    expectThat(
      (await get(`${origin}/t/AAPL/facts`, { host: "evil.example" })).status === 403,
      "any Host is accepted",
    );
  });
  await step("MCP lists its tools and answers the latest year anonymously", async () => {
    const call = async (method: string, params: object) => {
      const answer = await fetch(`${origin}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-11-25",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
      return answer.text();
    };
    expectThat((await call("tools/list", {})).includes("get_executive_compensation"), "no tools");
    const params = { name: "get_executive_compensation", arguments: { ticker: "AAPL" } };
    expectThat((await call("tools/call", params)).includes("74294811"), "no rows");
  });
}

async function walk(source: string): Promise<void> {
  copyFileSync(source, executable);
  await commands();
  let key = "";
  await step("keys create", async () => {
    const made = await run("keys", "create", "--user", "smoke@example.com", "--json");
    expectThat(made.code === 0, `${made.code} ${made.err}`);
    key = String(at(JSON.parse(made.out), "key"));
    expectThat(/^xc_live_[0-9A-Za-z]{38}$/.test(key), "the key has another format");
  });
  const server = Bun.spawn([executable, "serve", "--port", "0"], {
    cwd: folder,
    env: { HOME: home },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const log = new Response(server.stderr).text();
  let origin = "";
  await step("serve prints its address", async () => {
    origin = await readyOrigin(server.stdout);
    expectThat(/^http:\/\/localhost:\d+$/.test(origin), origin);
  });
  if (origin !== "") {
    await serving(origin, key);
    await step("a port in use is refused with the flag to change", async () => {
      const second = await run("serve", "--port", new URL(origin).port, "--data-dir", join(folder, "other"));
      expectThat(second.code === 1 && second.err.includes("--port"), `${second.code} ${second.err}`);
    });
  }
  await step("SIGTERM stops it with exit code 0", async () => {
    server.kill("SIGTERM");
    expectThat((await server.exited) === 0, `exit code ${server.exitCode}`);
  });
  server.kill("SIGKILL");
  await step("its log has one JSON line per request, without the key", async () => {
    const lines = (await log)
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    const events = lines.map((line): unknown => JSON.parse(line));
    expectThat(
      events.some((event) => at(event, "event") === "request"),
      "no request in the log",
    );
    expectThat(key === "" || !(await log).includes(key), "the key is in the log");
  });
}

const source = process.argv[2] ?? join(ROOT, "dist", NAME);
if (!existsSync(source)) {
  console.error(`${source} is missing: bun run build`);
  process.exit(1);
}
try {
  await walk(source);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `smoke: ${steps - misses.length} of ${steps} steps${misses.length === 0 ? "" : `; missed: ${misses.join("; ")}`}`,
);
process.exit(misses.length === 0 ? 0 : 1);
