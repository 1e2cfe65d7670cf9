/**
 * What each part of an answer from memory costs, in CPU time of all threads: the bare server, then with each thing added that
 * our answers cannot do without, then the executable without and with its log line. Needs Linux and wrk.
 *
 *     bun run build && bun run bench budget [--pairs 15] [--connections 64] [--executable FILE]
 *
 * Bursts of a second, all servers in turn. A figure is the lower quartile of a server's bursts: what else the machine does only
 * adds to it.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { LADDER } from "./bare.ts";
import type { Burst } from "./burst.ts";
import { fillStore } from "./fill.ts";
import { alternate, bare, serve, type Started } from "./servers.ts";

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "15" },
    connections: { type: "string", default: "64" },
    executable: {
      type: "string",
      default: join(dirname(dirname(import.meta.dir)), "dist", "execcomp"),
    },
  },
});

const ABOUT = {
  one: "bare server: one header, its address parsed",
  ours: "with all our headers",
  cloned: "a kept response cloned, the address not parsed",
  set: "two headers anew for each answer: its id, its window",
  read: "nine headers of the request read",
  address: "the peer's address asked for",
  quiet: "ours without its log line: key, window, plan, metrics, collector",
  whole: "its log line",
} as const;

async function ladder(
  name: string,
  burst: Burst,
  servers: { quiet: Started; whole: Started },
  folder: string,
) {
  // Who has a key is not asked for an address.
  const steps = LADDER.filter((step) => step !== "address" || burst.headers === undefined);
  const sides: { about: string; target: Started }[] = [];
  for (const whose of ["one", "ours", ...steps] as const) {
    sides.push({ about: ABOUT[whose], target: await bare(servers.whole, burst, folder, whose) });
  }
  for (const which of ["quiet", "whole"] as const) {
    sides.push({ about: ABOUT[which], target: servers[which] });
  }
  const asked = sides.map(({ target }) => ({ target, ask: () => burst }));
  const { micros, refused } = await alternate(
    asked,
    Number(values.connections),
    Number(values.pairs),
    folder,
  );
  const figures = micros.map(
    (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 4)] ?? Number.NaN,
  );
  for (const [at, { about }] of sides.entries()) {
    const [figure = Number.NaN, before = 0] = [figures[at], figures[at - 1]];
    const added = at === 0 ? "" : (figure - before).toFixed(1);
    const ofBare = ((figures[0] ?? Number.NaN) / figure).toFixed(2);
    console.log(`| ${[name, about, figure.toFixed(1), added, ofBare].join(" | ")} |`);
  }
  if (refused > 0) console.log(`${refused} NOT 2xx`);
  for (const { target } of sides.slice(0, -2)) await target.stop();
}

async function main(): Promise<void> {
  if (Bun.which("wrk") === null) throw new Error("needs wrk");
  const folder = mkdtempSync(join(tmpdir(), "execcomp-budget-"));
  const dirs = { quiet: join(folder, "quiet"), whole: join(folder, "whole") };
  mkdirSync(dirs.whole);
  const [key = ""] = fillStore(dirs.whole, 1000, 10_000);
  cpSync(dirs.whole, dirs.quiet, { recursive: true });
  const quiet = await serve(values.executable, dirs.quiet, { EXECCOMP_LOG_LEVEL: "warn" });
  const whole = await serve(values.executable, dirs.whole);
  try {
    console.log("| Row | Server | µs | Added | Of bare |\n|---|---|---|---|---|");
    await ladder("facts", { path: "/t/AAPL/facts" }, { quiet, whole }, folder);
    const path = "/api/executive-compensation?ticker=AAPL&limit=1";
    await ladder("keyed", { path, headers: { "x-api-key": key } }, { quiet, whole }, folder);
  } finally {
    await quiet.stop();
    await whole.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
