/** `npm start` in a fresh clone installs what serving needs, and nothing else is needed to answer. */
import { expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROUTE_NAMES, ROUTES, type RouteName } from "../../src/http/routes.ts";
import { afterAllTests } from "../support/background-server.ts";
import { submitForm } from "../support/form.ts";
import { startServerProcess } from "../support/server-process.ts";

const ROOT = join(import.meta.dir, "../..");
const PASSWORD = "four unrelated words here";
const SEGMENTS: Readonly<Record<string, string>> = {
  ticker: "AAPL",
  cik: "0000320193",
  year: "2024",
  executive: "timothy-d-cook",
  field: "salary",
  id: "1",
};
/** What makes a route do its work; the others are asked without a query. */
const QUERIES: Partial<Record<RouteName, string[]>> = {
  compensation: ["?ticker=AAPL"],
  query: ["?ticker=AAPL&limit=3", "?fiscal_year=2024&sort=-total_compensation"],
  statistics: ["?group_by=sector&fiscal_year=2024"],
  export: ["?format=csv"],
  rankings: ["?fiscal_year=2024"],
  compare: ["?ticker=AAPL&ticker=MSFT"],
  companyDownload: ["?format=xlsx", "?format=csv"],
  search: ["?q=cook"],
};

/** A copy of the committed and new files, installed as `prestart` does; undefined, with the reason, if no registry answers. */
async function install(): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-production-"));
  afterAllTests(() => rmSync(folder, { recursive: true, force: true }));
  const listed = await Bun.$`git ls-files -co --exclude-standard -- :!test`.cwd(ROOT).text();
  for (const file of listed
    .trim()
    .split("\n")
    .filter((one) => existsSync(join(ROOT, one)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const words = /bun@[\d.]+ (install .*?) &&/.exec(String(scripts.prestart))?.[1]?.split(" ") ?? [];
  expect(words).toContain("--production");
  const done = await Bun.$`${process.execPath} ${words}`.cwd(folder).quiet().nothrow();
  if (done.exitCode === 0) return folder;
  console.warn(`skipped: nothing could be installed: ${done.stderr.toString().trim().slice(0, 300)}`);
  return undefined;
}

/** Bytes on the disk below a folder; a file with several names counts once. */
function sizeOf(path: string, seen = new Set<number>()): number {
  const { ino, size } = lstatSync(path);
  if (seen.has(ino)) return 0;
  seen.add(ino);
  if (!lstatSync(path).isDirectory()) return size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name), seen), 0);
}

test("a production install is under 300 MB and answers on every route, signed in and not", async () => {
  const folder = await install();
  if (folder === undefined) return;
  expect(sizeOf(join(folder, "node_modules")) / 1e6).toBeLessThan(300);
  for (const absent of ["oidc-provider", "@duckdb/node-api", "@modelcontextprotocol/client", "oxlint"])
    expect([absent, existsSync(join(folder, "node_modules", absent))]).toEqual([absent, false]);

  const program = [join(folder, "node_modules/.bin/bun"), join(folder, "src/main.ts")];
  await Bun.$`${program[0]} scripts/compile-data.ts --if-stale`.cwd(folder).quiet();
  const dataDir = join(folder, "store");
  const asInput = new Response(`${PASSWORD}\n`);
  await Bun.$`${program} users create --user ann@example.com --password-stdin --data-dir ${dataDir} < ${asInput}`.quiet();
  const server = await startServerProcess([], { dataDir, program });
  const { origin } = server;
  const get = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { redirect: "manual", ...init });
  const entered = await submitForm({ origin, get }, "/sign-in", {
    email: "ann@example.com",
    password: PASSWORD,
  });
  const cookie = entered.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  expect([entered.status, cookie]).toEqual([303, expect.stringContaining("=")]);

  const wrong: string[] = [];
  const accepted = new Map<string, number>();
  for (const name of ROUTE_NAMES.filter((one) => !one.startsWith("signOut"))) {
    const { path, methods } = ROUTES[name];
    const filled = path
      .replace("*", "oauth-authorization-server")
      .replaceAll(/:(\w+)/g, (_, segment: string) => SEGMENTS[segment] ?? "");
    for (const query of QUERIES[name] ?? [""]) {
      for (const method of methods) {
        for (const headers of [{}, { cookie, origin }]) {
          const answer = await get(filled + query, {
            method,
            headers,
            ...(method === "POST" ? { body: "" } : {}),
          });
          await answer.bytes();
          if (answer.status >= 500) wrong.push(`${method} ${filled}${query}: ${answer.status}`);
          accepted.set(name, Math.min(accepted.get(name) ?? 599, answer.status));
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  // Those that load most: plugin and reference, charts, spreadsheets, the protocol library.
  for (const name of [
    "home",
    "docs",
    "docsScript",
    "openapi",
    "linkPicture",
    "companyChart",
    "companyDownload",
    "admin",
    "rankings",
  ])
    expect([name, accepted.get(name)]).toEqual([name, 200]);
  const initialize = await get("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    }),
  });
  expect([initialize.status, await initialize.text()]).toEqual([200, expect.stringContaining("execcomp")]);
  expect(await server.stop()).toBe(0);
});
