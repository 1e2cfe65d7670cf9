/** The CPU time of our own functions: samples of the server's profiler during a burst, by part of the program. */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Burst, burn } from "./burst.ts";
import { NO_LIMITS } from "./servers.ts";
import { readyOrigin } from "./starting.ts";

const ROOT = dirname(dirname(import.meta.dir));
const SAMPLED_EVERY_US = 200;

/**
 * Parts of the program, by their files; a sample belongs to the first part that contains its innermost function of
 * ours.
 */
const PARTS: readonly (readonly [part: string, files: RegExp])[] = [
  ["charge: rules and statements", /^(accounts\/(books|credits|sqlite-charges)|operations\/price)/],
  ["commits: batching, locks, flushing", /^store\/(commit|flush|open|work|write-behind)/],
  ["rate limit window and journal", /^accounts\/rate-limits/],
  ["caller lookup", /^(accounts|store\/cache|operations\/admit|server\/compose)/],
  ["answer selection and receipt", /^(operations|domain|dataset|analysis)/],
  ["response and its headers", /^(rest|http\/re)/],
  ["MCP: message, call, answer", /^mcp/],
  ["edge: address, peer, id, requests in flight", /^(server\/(edge|app)|http|trace-context|runtime)/],
  ["metrics", /^(server\/)?metrics/],
];
const ELSEWHERE = "not in our code: promises, timers, turns";

/** Functions that the bare server also uses: not counted again. */
const NATIVE_OF_BARE = new Set(["clone", "requestIP", "fdatasync", "run", "hash"]);

/** The fields of the file written by `--cpu-prof` that are read here. */
interface Profile {
  nodes: readonly {
    id: number;
    callFrame: { functionName: string; url: string };
    children?: readonly number[];
  }[];
  samples: readonly number[];
}

/** Shares of the samples by part, adding up to 1. The server runs from its sources, without its log line. */
export async function sharesOf(
  dataDir: string,
  ask: (round: number) => Burst,
  connections: number,
  rounds: number,
  folder: string,
): Promise<ReadonlyMap<string, number>> {
  const profiles = mkdtempSync(join(folder, "profile-"));
  const flags = ["--cpu-prof", "--cpu-prof-dir", profiles, "--cpu-prof-interval", String(SAMPLED_EVERY_US)];
  const child = Bun.spawn(
    [process.execPath, ...flags, join(ROOT, "src", "main.ts"), "serve", "--port", "0"],
    {
      cwd: ROOT,
      env: { ...NO_LIMITS, EXECCOMP_LOG_LEVEL: "warn", EXECCOMP_DATA_DIR: dataDir },
      stdout: "pipe",
      stderr: Bun.file("/dev/null"),
    },
  );
  const target = { origin: await readyOrigin(child.stdout), pid: child.pid };
  for (let round = 0; round < rounds; round += 1) await burn(target, ask(round), connections, folder);
  child.kill("SIGINT");
  await child.exited;
  const [name = ""] = readdirSync(profiles);
  // Written by Bun.
  return shares(JSON.parse(readFileSync(join(profiles, name), "utf8")) as Profile);
}

function shares({ nodes, samples }: Profile): ReadonlyMap<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const partOf = (leaf: number): string | null => {
    if (NATIVE_OF_BARE.has(byId.get(leaf)?.callFrame.functionName ?? "")) return null;
    let isStart = true;
    let inner: string | undefined;
    for (let at: number | undefined = leaf; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      const file = /\/src\/(.*)\.ts/.exec(frame?.url ?? "")?.[1];
      inner ??= file;
      // Work during a request or a commit; the start is excluded.
      if (file !== undefined && !/^(cli|main|config)/.test(file)) isStart = false;
    }
    if (isStart && inner !== undefined) return null;
    return PARTS.find(([, files]) => files.test(inner ?? ""))?.[0] ?? ELSEWHERE;
  };
  const parts = new Map(nodes.map(({ id }) => [id, partOf(id)]));
  const counts = new Map<string, number>();
  for (const sample of samples) {
    const part = parts.get(sample) ?? null;
    if (part !== null) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return new Map([...counts].map(([part, count]) => [part, count / all]));
}
