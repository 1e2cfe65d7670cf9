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

async function step(name: string, walk: () => Promise<unknown>): Promise<void> {
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

/** Runs a command that must end with a code and print a text. @returns its standard output */
async function says(code: number, text: string | RegExp, ...words: string[]): Promise<string> {
  const ran = await run(...words);
  const out = ran.out + ran.err;
  const isSaid = typeof text === "string" ? out.includes(text) : text.test(out);
  expectThat(ran.code === code && isSaid, `${words.join(" ")} ended with ${ran.code}: ${out.slice(0, 400)}`);
  return ran.out;
}

async function commands(): Promise<void> {
  await step("version, help, config print, the OpenAPI document", async () => {
    await says(0, /^\d+\.\d+\.\d+\n$/, "version");
    await says(0, "execcomp show AAPL", "help");
    await says(0, '"host"', "config", "print", "--json");
    expectThat(
      at(JSON.parse(await says(0, "{", "get", "/api/openapi.json")), "info", "version") === "1.0.0",
      "no description",
    );
  });
  await step("show AAPL as a table and as JSON", async () => {
    await says(0, "74,294,811", "show", "AAPL");
    apple(JSON.parse(await says(0, "{", "show", "AAPL", "--years", "1", "--json")));
  });
  await step("get as the local operator, and anonymously", async () => {
    const path = "/api/executive-compensation?ticker=AAPL";
    apple(JSON.parse(await says(0, "200", "get", path)));
    await says(1, "401", "get", path, "--anonymous");
  });
  await step("tickers", () => says(0, /^AAPL$/m, "coverage", "--tickers"));
  await step("data info and data verify", async () => {
    await says(0, /^\{/, "data", "info", "--json");
    await says(0, "", "data", "verify");
  });
  await step("sql answers from a separate process, which ends at its limit", async () => {
    const question =
      "SELECT total_compensation AS t FROM compensation WHERE ticker = 'AAPL' AND is_peo AND fiscal_year = 2025";
    await says(0, "74294811", "sql", question, "--json");
    const endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t";
    await says(1, "was stopped", "sql", endless, "--max-seconds", "1");
  });
  await step("a wrong flag is refused with a suggestion", () =>
    says(2, "--years", "show", "AAPL", "--yeras", "1"),
  );
}

async function serving(origin: string, key: string): Promise<void> {
  const api = `${origin}/api/executive-compensation`;
  /** An answer that must have a status. */
  const get = async (status: number, url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, { headers, redirect: "manual" });
    const text = await answer.text();
    expectThat(
      answer.status === status,
      `${answer.status} instead of ${status} at ${url}: ${text.slice(0, 200)}`,
    );
    return { headers: answer.headers, text };
  };
  const withKey = { "x-api-key": key };
  await step("facts without a credential", async () => {
    apple(JSON.parse((await get(200, `${origin}/t/AAPL/facts`)).text));
  });
  await step("a chart is drawn as a picture", async () => {
    const answer = await fetch(`${origin}/t/AAPL/chart?chart=officers&format=png`);
    const bytes = await answer.bytes();
    expectThat(answer.status === 200 && bytes.length > 10_000, `${answer.status}, ${bytes.length} bytes`);
    expectThat(bytes.subarray(1, 4).toString() === "80,78,71", "not a PNG");
  });
  await step("a keyed query gives fiscal years 2025 to 2022 in order", async () => {
    const answer = await get(200, `${api}?ticker=AAPL`, withKey);
    const rows = at(JSON.parse(answer.text), "executive_compensation");
    expectThat(Array.isArray(rows), "no rows");
    const years = [...new Set(rows.map((row: unknown) => at(row, "fiscal_year")))];
    expectThat(years.join() === "2025,2024,2023,2022", `years ${years.join()}`);
    apple(JSON.parse(answer.text));
    const tag = answer.headers.get("etag") ?? "";
    const again = await get(304, `${api}?ticker=AAPL`, { ...withKey, "if-none-match": tag });
    expectThat(again.text === "", "a body for the same tag");
  });
  await step("tickers with a key", async () => {
    const tickers = at(JSON.parse((await get(200, `${api}/tickers`, withKey)).text), "tickers");
    expectThat(Array.isArray(tickers) && tickers.includes("AAPL"), "no AAPL");
  });
  await step("401, 404 and 400 in the flat envelope", async () => {
    for (const [status, url, headers] of [
      [401, `${api}?ticker=AAPL`, {}],
      [401, `${api}?ticker=AAPL`, { "x-api-key": "xc_live_nonsense" }],
      [404, `${api}?ticker=NOSUCHTICKER`, withKey],
      [400, `${api}?ticker=AAPL&limit=x`, withKey],
      [404, `${origin}/api/nothing`, {}],
    ] as const) {
      const names = Object.keys(JSON.parse((await get(status, url, headers)).text))
        .sort()
        .join();
      expectThat(names === "error,message", `envelope has ${names}`);
    }
  });
  await step("company page, OpenAPI document and its reference page", async () => {
    const html = { accept: "text/html" };
    expectThat((await get(200, `${origin}/t/AAPL`, html)).text.includes("74,294,811"), "no page");
    const { text } = await get(200, `${origin}/api/openapi.json`);
    expectThat(at(JSON.parse(text), "info", "version") === "1.0.0", "no description");
    const page = await get(200, `${origin}/api/docs`, html);
    const script = /<script[^>]* src="([^"]+)"/.exec(page.text)?.[1] ?? "";
    expectThat(script.startsWith("/"), `the reference page loads ${script}`);
    await get(200, origin + script);
  });
  await step("health, and a foreign host refused", async () => {
    await get(200, `${origin}/livez`);
    await get(200, `${origin}/readyz`);
    await get(403, `${origin}/t/AAPL/facts`, { host: "evil.example" });
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
    const json = await says(0, "{", "keys", "create", "--user", "smoke@example.com", "--json");
    key = String(at(JSON.parse(json), "key"));
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
    await step("a port in use is refused with the flag to change", () =>
      says(1, "--port", "serve", "--port", new URL(origin).port, "--data-dir", join(folder, "other")),
    );
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
