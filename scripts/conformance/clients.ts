/**
 * Real MCP clients against our server. They are not dependencies: they are fetched on demand into a folder outside the
 * repository, and those that require Node 22 run under Bun. Once installed, they call only loopback.
 *
 *     bun run conformance clients [NAME…] [--executable dist/execcomp]
 *
 * NAME selects clients by the beginning of their names. Exits 0 if all of them behave as expected. Needs Linux: an
 * `xdg-open` that signs in and approves replaces the browser.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { PERSON } from "../../test/contract/oauth/support.ts";
import { runCommand } from "../command-output.ts";
import { type ServerUnderTest, installTool, startServer } from "../external-tools.ts";
import { currentMajor, overStdio, previousMajor } from "./sdk.ts";

const VERSIONS = {
  inspector: "@modelcontextprotocol/inspector@2.12.0",
  mcpRemote: "mcp-remote@0.15.1",
  codex: "@openai/codex@0.169.0",
  claudeCode: "@anthropic-ai/claude-code@2.1.329",
} as const;
/** Time limit of one action of a client. */
const STEP_MS = 60_000;
const TOOL = "get_executive_compensation";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { executable: { type: "string" } },
});

const scratch = mkdtempSync(join(tmpdir(), "execcomp-clients-"));
const home = join(scratch, "home");
const bin = join(scratch, "bin");
const env = {
  HOME: home,
  PATH: [bin, process.env["PATH"] ?? ""].join(delimiter),
  BROWSER: join(bin, "xdg-open"),
  MCP_AUTO_OPEN_ENABLED: "true",
  MCP_INSPECTOR_SECRET_STORE: "memory",
  NO_COLOR: "1",
};

interface Ran {
  code: number;
  out: string;
}

async function run(command: string[], cwd = scratch): Promise<Ran> {
  const { out, err, code } = await runCommand(command, { cwd, env, timeout: STEP_MS });
  return { code, out: Bun.stripANSI(out + err) };
}

/** Like `run`, for a client that prints the page to open and looks for a browser only in system folders. */
async function runOpening(command: string[]): Promise<Ran> {
  const child = Bun.spawn(command, {
    cwd: scratch,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: STEP_MS,
  });
  let err = "";
  let opened: Promise<void> | undefined;
  const watch = async () => {
    for await (const chunk of child.stderr) {
      err += new TextDecoder().decode(chunk);
      const page = /^(http\S+\/oauth\/authorize\?\S+)\s*$/m.exec(err)?.[1];
      // It prints the page before it listens for the redirect.
      if (page !== undefined && err.includes("Waiting for authorization")) opened ??= openPage(page);
    }
  };
  const [out, , code] = await Promise.all([new Response(child.stdout).text(), watch(), child.exited]);
  await opened;
  return { code, out: Bun.stripANSI(out + err) };
}

function expectThat(fact: boolean, what: string, { out }: Ran = { code: 0, out: "" }): void {
  if (!fact) throw new Error(`${what}\n${out.slice(-1500)}`);
}

/** The number of fiscal years in a client's output. */
function yearsIn({ out }: Ran): number {
  return new Set([...out.matchAll(/"fiscal_year":\s*(\d{4})/g)].map(([, year]) => year)).size;
}

async function program(which: keyof typeof VERSIONS, name: string, underBun: boolean): Promise<string[]> {
  const path = join(await installTool(VERSIONS[which]), "node_modules", ".bin", name);
  return underBun ? [process.execPath, "--bun", path] : [path];
}

/** Opens an authorization request like the fake `xdg-open`. */
async function openPage(url: string): Promise<void> {
  await run([env.BROWSER, url]);
}

type Client = (server: ServerUnderTest, key: string) => Promise<string>;

const CLIENTS: Readonly<Record<string, Client>> = {
  "inspector: lists, anonymous, key, lazy and eager sign-in, both protocol families": async (
    { origin },
    key,
  ) => {
    const inspector = await program("inspector", "inspector", true);
    for (const era of ["legacy", "modern"]) {
      const ask = (path: string, method: string, ...words: string[]) => {
        const options = ["--transport", "http", "--protocol-era", era, "--method", method];
        return run([...inspector, "--cli", `${origin}${path}`, ...options, ...words]);
      };
      const call = (path: string, given: object, ...words: string[]) =>
        ask(path, "tools/call", "--tool-name", TOOL, "--tool-args-json", JSON.stringify(given), ...words);
      const list = await ask("/mcp", "tools/list", "--strict");
      expectThat(list.code === 0 && list.out.includes("list_available_tickers"), `${era}: tools/list`, list);
      const expectYears = (ran: Ran, years: number, what: string) =>
        expectThat(ran.code === 0 && yearsIn(ran) === years, `${era}: ${what}`, ran);
      expectYears(await call("/mcp", { ticker: "AAPL" }), 1, "latest year without a credential");
      const four = { ticker: "AAPL", limit: 4 };
      const withKey = ["--header", `X-API-KEY: ${key}`];
      expectYears(await call("/mcp", four, ...withKey), 4, "four years with a key");
      expectYears(await call("/mcp", four), 4, "challenged, signed in, four years");
      expectYears(await call("/mcp/private", four), 4, "signed in on connecting");
      const across = await ask("/mcp/analyst", "tools/list", "--strict", ...withKey);
      const isListed = across.code === 0 && across.out.includes("fetch");
      expectThat(isListed, `${era}: the six tools, strictly`, across);
      expectYears(await call("/mcp/analyst", four), 4, "signed in at /mcp/analyst");
      const wrong = await call("/mcp", { ticker: "NOSUCH" });
      expectThat(wrong.code === 5, `${era}: a tool's error has exit code 5`, wrong);
    }
    return "legacy and modern";
  },
  "sdk 1.x client": ({ origin }) => previousMajor(`${origin}/mcp`, openPage),
  "sdk 2.x client, legacy": ({ origin }) => currentMajor(`${origin}/mcp`, "legacy", openPage),
  "sdk 2.x client, auto": ({ origin }) => currentMajor(`${origin}/mcp`, "auto", openPage),
  "sdk clients over stdio": ({ command }) => {
    const folder = join(scratch, "stdio");
    mkdirSync(folder);
    return overStdio(command, folder);
  },
  "mcp-remote: connects, and signs in on connecting": async ({ origin }) => {
    const remote = await program("mcpRemote", "mcp-remote-client", true);
    for (const path of ["/mcp", "/mcp/private", "/mcp/analyst"]) {
      const ran = await runOpening([...remote, `${origin}${path}`, "--allow-http"]);
      expectThat(ran.out.includes("Connected successfully"), path, ran);
    }
    return "/mcp, /mcp/private and /mcp/analyst";
  },
  "codex: adds, signs in": async ({ origin }) => {
    const codex = await program("codex", "codex", false);
    const added = await run([...codex, "mcp", "add", "pay", "--url", `${origin}/mcp`]);
    expectThat(added.out.includes("Successfully logged in"), "add", added);
    const list = await run([...codex, "mcp", "list"]);
    expectThat(/pay\s+http:\S+\s+-\s+enabled\s+OAuth/.test(list.out), "list", list);
    return "OAuth";
  },
  "claude-code: connection states, sign-in": async ({ origin, command }, key) => {
    const claude = await program("claudeCode", "claude", false);
    const folder = join(scratch, "claude");
    mkdirSync(folder);
    const add = (...words: string[]) => run([...claude, "mcp", "add", ...words], folder);
    await add("--transport", "http", "open", `${origin}/mcp`);
    await add("--transport", "http", "private", `${origin}/mcp/private`);
    await add("--transport", "http", "keyed", `${origin}/mcp`, "--header", `X-API-KEY: ${key}`);
    await add("local", "--", ...command, "mcp", "--data-dir", join(folder, "data"));
    const before = await run([...claude, "mcp", "list"], folder);
    for (const name of ["open", "keyed", "local"]) {
      expectThat(new RegExp(`^${name}: .*Connected`, "m").test(before.out), name, before);
    }
    expectThat(/^private: .*Needs authentication/m.test(before.out), "private before", before);
    if (Bun.which("script") === null)
      return "connected, needs authentication (no `script`, so no terminal to sign in)";
    await run(["script", "-qfc", `${claude.join(" ")} mcp login private`, "/dev/null"], folder);
    const after = await run([...claude, "mcp", "list"], folder);
    expectThat(/^private: .*Connected/m.test(after.out), "private after", after);
    return "connected, needs authentication, connected after sign-in, key, local";
  },
};

mkdirSync(home);
mkdirSync(bin);
const browser = join(import.meta.dir, "browser.ts");
const opener = `exec '${process.execPath}' '${browser}' "$1" >> '${join(scratch, "opened")}' 2>&1`;
writeFileSync(env.BROWSER, `#!/bin/sh\n${opener}\n`, { mode: 0o755 });
const server = await startServer(values.executable, {
  EXECCOMP_RATE_ANONYMOUS: "100000",
  EXECCOMP_RATE_KEY: "100000",
  EXECCOMP_OWNER_EMAIL: PERSON.email,
  EXECCOMP_OWNER_PASSWORD: PERSON.password,
});
let failed = 0;
try {
  const created = await server.run("keys", "create", "--user", PERSON.email, "--json");
  const key = String(JSON.parse(created.out).key);
  for (const [name, client] of Object.entries(CLIENTS)) {
    if (positionals.length > 0 && !positionals.some((wanted) => name.startsWith(wanted))) continue;
    try {
      console.log(`ok    ${name}: ${await client(server, key)}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
} finally {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
