import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { median } from "./burst.ts";
import { figure } from "./figures.ts";
import { readyOrigin } from "./starting.ts";
import type { Bench, BenchGiven, Load, Shot, Target } from "./types.ts";

const ROUNDS = 3;
const TOOL = "get_executive_compensation";

/**
 * `tools/call` relative to the REST query for the same rows: the latest year anonymously (REST with a key, because it
 * has no anonymous form), and charged history with a key, in both protocol families. Target: 0.5.
 */
export const bench: Bench = {
  name: "mcp",
  async run(given) {
    const { server, key } = given;
    await share(given, "latest year, anonymous", server, rest(key, 1), { limit: 1 }, {});
    const metered = await startMetered(given);
    try {
      const headers = { "x-api-key": metered.key };
      await share(given, "four years, charged", metered, rest(metered.key, 4), { limit: 4 }, headers);
    } finally {
      await metered.stop();
    }
  },
};

function rest(key: string, limit: number): Shot {
  return {
    path: `/api/executive-compensation?ticker=AAPL&limit=${limit}`,
    headers: { "x-api-key": key },
  };
}

/** A call of the tool that returns rows, in either protocol family. */
export function toolCall(
  family: "legacy" | "modern",
  given: object,
  headers: Readonly<Record<string, string>>,
): Shot {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  };
  const params = { name: TOOL, arguments: { ticker: "AAPL", ...given } };
  const modern = family === "modern";
  return {
    path: "/mcp",
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": modern ? "2026-07-28" : "2025-11-25",
      ...(modern ? { "mcp-method": "tools/call", "mcp-name": TOOL } : {}),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: modern ? { ...params, _meta: envelope } : params,
    }),
  };
}

async function share(
  { load, say }: BenchGiven,
  name: string,
  target: Target,
  restShot: Shot,
  given: object,
  headers: Record<string, string>,
): Promise<void> {
  const shots = {
    rest: restShot,
    legacy: toolCall("legacy", given, headers),
    modern: toolCall("modern", given, headers),
  };
  const loads: Record<keyof typeof shots, Load[]> = { rest: [], legacy: [], modern: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const path of ["rest", "legacy", "modern"] as const) {
      loads[path].push(await load(target, shots[path]));
    }
  }
  const best = (of: Load[]) => Math.max(...of.map(({ requestsPerSecond }) => requestsPerSecond));
  const cpu = (of: Load[]) => Math.min(...of.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest));
  for (const family of ["legacy", "modern"] as const) {
    const refused = [...loads[family], ...loads.rest].reduce((sum, one) => sum + one.refused, 0);
    const ofRest = median(
      loads.rest.map(
        (each, round) => each.cpuMicrosPerRequest / (loads[family][round]?.cpuMicrosPerRequest ?? Number.NaN),
      ),
    );
    if (refused === 0)
      figure(
        `mcp ${name}, ${family}`,
        ofRest,
        `${cpu(loads[family]).toFixed(1)} to ${cpu(loads.rest).toFixed(1)} µs`,
      );
    say(
      `${name}, ${family}`,
      `${(best(loads[family]) / best(loads.rest)).toFixed(2)} of REST; CPU ${(cpu(loads.rest) / cpu(loads[family])).toFixed(2)} of REST ` +
        `(${cpu(loads[family]).toFixed(1)} against ${cpu(loads.rest).toFixed(1)} us)${refused === 0 ? "" : `; ${refused} NOT 2xx`}`,
    );
  }
}

/** A server that charges, and a key with more credits than the bench can use. */
async function startMetered({ executable, folder }: BenchGiven) {
  const dataDir = join(folder, "metered");
  mkdirSync(dataDir);
  const env = { EXECCOMP_DATA_DIR: dataDir, EXECCOMP_RATE_KEY: "100000000" };
  const email = "bench-mcp@example.com";
  const made = await Bun.$`${executable} keys create --user ${email} --json`.env(env).json();
  await Bun.$`${executable} credits grant --user ${email} --amount 100000000`.env(env).quiet();
  const child = Bun.spawn([executable, "serve", "--port", "0"], {
    cwd: dataDir,
    env,
    stdout: "pipe",
    stderr: Bun.file("/dev/null"),
  });
  return {
    origin: await readyOrigin(child.stdout),
    pid: child.pid,
    key: String(made.key),
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}
