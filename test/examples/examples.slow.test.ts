/** Every file of docs/examples, run as its first lines say, against a server of the executable. */
import { afterAll, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandOutput, outputOf, runCommand } from "../../scripts/command-output.ts";
import { BrowserSession, PERSON } from "../contract/oauth/support.ts";
import { openDuckDb } from "../support/duckdb.ts";
import { startReplay } from "../support/edgar.ts";
import { madeCompany, madeCorpus } from "../support/edgar-made.ts";
import { PROGRAM } from "../support/program.ts";
import { startServerProcess } from "../support/server-process.ts";

const EXAMPLES = join(import.meta.dir, "../../docs/examples");
const folder = mkdtempSync(join(tmpdir(), "execcomp-examples-"));
const server = await startServerProcess([], { dataDir: join(folder, "data") });
const env = await environment();

/** Of a user with a key, and with `execcomp` on the path, as where a package has installed it. */
async function environment(): Promise<Record<string, string | undefined>> {
  const own = { ...process.env, EXECCOMP_DATA_DIR: server.dataDir };
  const create = ["users", "create", "--user", PERSON.email, "--password-stdin"];
  await outputOf([...PROGRAM, ...create], { env: own, stdin: PERSON.password });
  const made = await outputOf([...PROGRAM, "keys", "create", "--user", PERSON.email, "--json"], { env: own });
  mkdirSync(join(folder, "bin"));
  const words = PROGRAM.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(folder, "bin/execcomp"), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(folder, "bin/execcomp"), 0o755);
  const path = `${join(folder, "bin")}:${process.env["PATH"]}`;
  return { ...own, PATH: path, PAY_URL: server.origin, EXECCOMP_KEY: JSON.parse(made).key };
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...command: string[]): Promise<CommandOutput> => runCommand(command, { cwd: folder, env });
const file = (name: string) => join(EXAMPLES, name);

/** A test that needs programs, or packages of a registry; skipped, with the reason, where they cannot be had. */
function example(name: string, needs: readonly string[], walk: () => Promise<void>): void {
  const missing = needs.filter((command) => Bun.which(command) === null);
  if (missing.length > 0) console.log(`skipped: ${name}: ${missing.join(", ")} is not installed`);
  test.skipIf(missing.length > 0)(name, walk, 300_000);
}

test("every example has a test here, and stands in the list", () => {
  const own = readFileSync(import.meta.path, "utf8");
  const list = readFileSync(file("README.md"), "utf8");
  const names = readdirSync(EXAMPLES).filter((name) => name !== "README.md");
  expect(names.length).toBeGreaterThan(8);
  for (const name of names)
    expect([name, list.includes(`(${name}`), own.includes(`("${name}`) || name === "two-servers"]).toEqual([
      name,
      true,
      true,
    ]);
});

example("curl.sh", ["curl", "jq"], async () => {
  const { out, err, code } = await run("sh", file("curl.sh"));
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("2025\tTim Cook\t74294811");
  expect(out).toContain('"2023": 63209845');
  expect(out.split("\n").filter((line) => /^[A-Z]+\t/.test(line)).length).toBeGreaterThan(2);
});

example("client.ts", ["npm"], async () => {
  const home = join(folder, "typescript");
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), '{"private":true,"type":"module"}');
  copyFileSync(file("client.ts"), join(home, "client.ts"));
  const packages = ["openapi-typescript@7", "openapi-fetch", "typescript@5", "@types/node"];
  const installed = await runCommand(["npm", "install", "--no-audit", "--no-fund", ...packages], {
    cwd: home,
    env,
  });
  if (installed.code !== 0) return console.log("skipped: client.ts: the npm registry does not answer");
  const inHome = (...command: string[]) => outputOf(command, { cwd: home, env });
  await inHome("npx", "openapi-typescript", `${server.origin}/api/openapi.json`, "-o", "execcomp.d.ts");
  const strict = ["--strict", "--noEmit", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
  await inHome("npx", "tsc", ...strict, "--allowImportingTsExtensions", "--types", "node", "client.ts");
  const out = await inHome(process.execPath, "client.ts");
  expect(out).toContain("2025 Tim Cook 74,294,811");
  // The first user is an owner, who pays nothing.
  expect(out).toContain("credits left: not counted");
});

/** An interpreter with a package. Undefined, with the reason printed, where it cannot be had. */
async function pythonWith(library: string): Promise<string | undefined> {
  const home = join(folder, `venv-${library}`);
  const python = join(home, "bin", "python");
  const made = await run("python3", "-m", "venv", home);
  const installed =
    made.code === 0 && (await run(python, "-m", "pip", "install", "--quiet", library)).code === 0;
  if (!installed) console.log(`skipped: pip cannot fetch ${library}`);
  return installed ? python : undefined;
}

example("history.py", ["python3"], async () => {
  const python = await pythonWith("requests");
  if (python === undefined) return;
  const { out, err, code } = await run(python, file("history.py"), "energy");
  expect([code, err]).toEqual([0, ""]);
  const totals = out
    .trim()
    .split("\n")
    .map((line) => Number(line.split(" ").at(-2)?.replaceAll(",", "")));
  expect(totals.length).toBeGreaterThan(2);
  expect(totals).toEqual(totals.toSorted((a, b) => b - a));
  expect((await run(python, file("history.py"), "nonsense")).err).toContain("400: ");

  // It waits where a server says so, and asks again.
  let asked = 0;
  const answers = [
    new Response(null, { status: 429, headers: { "retry-after": "1" } }),
    Response.json({ executive_compensation: [], next_cursor: null }),
  ];
  using busy = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => answers[asked++] ?? new Response() });
  const later = { cwd: folder, env: { ...env, PAY_URL: busy.url.origin } };
  expect(await runCommand([python, file("history.py"), "energy"], later)).toMatchObject({ code: 0, err: "" });
  expect(asked).toBe(2);
});

example("frames.py", ["python3"], async () => {
  const python = await pythonWith("pandas");
  if (python === undefined) return;
  expect((await run("execcomp", "data", "export", "--format", "csv", "--out", "pay.csv")).code).toBe(0);
  const { out, err, code } = await run(python, file("frames.py"), "pay.csv");
  expect([code, err, out]).toEqual([0, "", "{2023: 2.35, 2024: 2.75, 2025: 3.31}\n"]);
});

test("duckdb.sql", async () => {
  const query = await openDuckDb();
  if (query === undefined) return;
  const sql = readFileSync(file("duckdb.sql"), "utf8");
  const [, words = ""] = /execcomp (data export .*)/.exec(sql) ?? [];
  expect((await run("execcomp", ...words.split(" "))).code).toBe(0);
  const rows = await query(sql.replaceAll("'pay/", `'${join(folder, "pay")}/`));
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) expect(Number(row["median_total"])).toBeGreaterThan(100_000);
}, 120_000);

test("mcp-client.ts", async () => {
  const { out, err, code } = await run(process.execPath, file("mcp-client.ts"));
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^tools: .*query_executive_compensation/);
  expect(out).toContain("| XOM | ");
}, 60_000);

test("oauth-application.ts", async () => {
  const child = Bun.spawn([process.execPath, file("oauth-application.ts")], {
    env,
    stdout: "pipe",
    stderr: "inherit",
  });
  let out = "";
  for await (const chunk of child.stdout) {
    out += new TextDecoder().decode(chunk);
    const [, page] = /^open (\S+)\n$/.exec(out) ?? [];
    if (page === undefined) continue;
    const browser = new BrowserSession({ origin: server.origin, port: Number(new URL(server.origin).port) });
    await fetch(await browser.decide(page, "approve", PERSON));
  }
  expect(await child.exited).toBe(0);
  expect(out).toContain("\n200 ");
}, 60_000);

test("nightly.sh", async () => {
  await using edgar = await startReplay(madeCorpus([madeCompany(9_000_001, 2025, 2)]));
  const settings = { EXECCOMP_EDGAR_WWW_URL: edgar.wwwUrl, EXECCOMP_EDGAR_DATA_URL: edgar.dataUrl };
  const contact = { EXECCOMP_CONTACT: "Example Inc data@example.com" };
  const out = join(folder, "nightly");
  const data = { EXECCOMP_DATA_DIR: join(folder, "nightly-data") };
  const ran = await runCommand(["sh", file("nightly.sh"), "MC9000001", out], {
    cwd: folder,
    env: { ...env, ...settings, ...contact, ...data },
  });
  if (ran.code !== 0) throw new Error(ran.err);
  expect(readdirSync(out)).toEqual(["pay.parquet"]);
  const query = await openDuckDb();
  const rows = await query?.(`SELECT count(*) AS n FROM '${out}/pay.parquet' WHERE ticker = 'MC9000001'`);
  if (rows !== undefined) expect(Number(rows[0]?.["n"])).toBeGreaterThan(0);
}, 120_000);
