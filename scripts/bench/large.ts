/**
 * The built executable with half a million rows: cold companies, the coverage page, and memory after queries over
 * everything and after an export of everything. Needs Linux and wrk.
 *
 *     bun run bench dataset --keep FILE
 *     bun run build && bun run bench large [cold|coverage|wide|export|budget…] --file FILE [--executable FILE]
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { burn, cpuNanos, median } from "./burst.ts";
import { figure } from "./figures.ts";
import { coldParts, columnParts } from "./large-budget.ts";
import { mainThreadMs, type Memory, memoryOf } from "./process.ts";
import { installLarge, type Started, started } from "./servers.ts";

const ROOT = dirname(dirname(import.meta.dir));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: "string" },
    executable: { type: "string", default: join(ROOT, "dist", "execcomp") },
    rounds: { type: "string", default: "5" },
  },
});
const { file, executable } = values;
if (file === undefined)
  throw new Error("--file FILE: a snapshot that `bun run bench dataset --keep FILE` made");
const CONNECTIONS = 16;
/** Companies requested in one burst: more than any cache of the server holds. */
const COMPANIES = 5000;

const say = (name: string, figure: string) => console.log(`  ${name.padEnd(52)} ${figure}`);

/** CIKs with rows, shuffled so that neighbors in the file are not requested in sequence. */
function shuffledCiks(path: string): string[] {
  using database = new Database(path, { readonly: true });
  const ciks = database
    .query<{ cik: number }, []>("select cik from companies where row_count > 0 order by cik")
    .all()
    .map(({ cik }) => String(cik));
  return ciks.map((_, place) => ciks[(place * 7919) % ciks.length] ?? "");
}

/** Requests each path once. @returns microseconds of the server's CPU, all threads, per request */
async function ask({ origin, pid }: Started, key: string, paths: readonly string[]): Promise<number> {
  const before = cpuNanos(pid);
  let at = 0;
  const one = async () => {
    for (let path = paths[at++]; path !== undefined; path = paths[at++]) {
      const answer = await fetch(origin + path, {
        headers: { "x-api-key": key, "accept-encoding": "identity" },
      });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return (cpuNanos(pid) - before) / 1000 / paths.length;
}

/**
 * CPU of an answer for a company that is not in memory, and for one of a hundred that are; the ratios of the rounds.
 */
async function coldAndHot(server: Started, key: string, ciks: readonly string[]) {
  // Twice as many as are requested at once, so that none is repeated in the next round.
  const count = Math.min(COMPANIES, Math.floor((ciks.length - 100) / 2));
  const path = (cik: string) => `/api/executive-compensation?cik=${cik}`;
  const hot = Array.from({ length: count }, (_, place) => path(ciks[place % 100] ?? ""));
  const ratios: number[] = [];
  const micros: number[] = [];
  const hotMicros: number[] = [];
  for (let round = 0; round <= Number(values.rounds); round++) {
    const from = 100 + ((round * count) % (ciks.length - count - 100));
    const often = await ask(server, key, hot);
    const cold = await ask(server, key, ciks.slice(from, from + count).map(path));
    if (round === 0) continue;
    ratios.push(cold / often);
    micros.push(cold);
    hotMicros.push(often);
  }
  return { ratio: median(ratios), micros: median(micros), hotMicros: median(hotMicros) };
}

async function coldCompanies(server: Started, key: string, ciks: readonly string[]): Promise<void> {
  const { ratio, micros } = await coldAndHot(server, key, ciks);
  figure("cold company", ratio, `${micros.toFixed(0)} µs`);
  say("a company not asked for lately, to one of a hundred", `${ratio.toFixed(2)}, ${micros.toFixed(0)} us`);
}

/** The parts of a cold company and of the memory, in lines as `budget.ts` prints them. */
async function budget(server: Started, key: string, path: string, ciks: readonly string[]): Promise<void> {
  const line = (row: string, part: string, value: string) => console.log(`| ${row} | ${part} | ${value} |`);
  const idle = memoryOf(server.pid);
  const { micros, hotMicros } = await coldAndHot(server, key, ciks);
  const parts = coldParts(path, ciks.toReversed());
  line("cold", "one of a hundred warm companies, total", hotMicros.toFixed(1));
  for (const [about, each] of parts) line("cold", about, each.toFixed(1));
  const rest = micros - parts.reduce((sum, [, each]) => sum + each, hotMicros);
  line("cold", "result cached for the next time, and evictions", rest.toFixed(1));
  line("cold", "**total**", `**${micros.toFixed(1)}**`);
  await warmedUp(server, key, `${WIDE}/query?fiscal_year_gte=1990&max_rows=1`);
  // By then the garbage from reading the columns has been collected.
  await Bun.sleep(SETTLED_MS);
  const asked = memoryOf(server.pid);
  line("memory", "at idle, resident", `${idle.resident.toFixed(0)} MB`);
  for (const [about, size] of columnParts(path)) line("memory", about, `${size.toFixed(0)} MB`);
  line(
    "memory",
    "private with the column thread, less that at idle",
    `${(asked.private - idle.private).toFixed(0)} MB`,
  );
  const { peak } = await peakOf(server, key, "csv");
  line(
    "memory",
    "in addition, at most, during a CSV export of every row",
    `${(peak.resident - asked.resident).toFixed(0)} MB`,
  );
}

const WIDE = "/api/executive-compensation";
const SETTLED_MS = 5000;

async function coverage(server: Started): Promise<void> {
  const page = async (path: string) => {
    const before = mainThreadMs(server.pid);
    const answer = await fetch(server.origin + path, { headers: { accept: "text/html" } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return mainThreadMs(server.pid) - before;
  };
  const first = await page("/coverage");
  // Both are cached bytes: only sending remains.
  const headers = { accept: "text/html" };
  const kept = await burn(server, { path: "/coverage", headers }, 4, folder);
  const asset = await burn(server, { path: "/assets/style.css" }, 4, folder);
  figure("coverage", kept.micros / 1000, `first ${first.toFixed(0)} ms of the answering thread, in pieces`);
  const figures = `${kept.micros.toFixed(0)} us of CPU, the stylesheet ${asset.micros.toFixed(0)}`;
  say("/coverage", `first ${first.toFixed(0)} ms of the answering thread in all; later ${figures}`);
}

/** Queries over every row, in sequence. */
async function wideQueries(server: Started, key: string): Promise<void> {
  const orders = ["total_compensation", "stock_awards", "salary", "executive_name"];
  const paths = [
    ...orders.map((order) => `${WIDE}/query?fiscal_year_gte=1990&sort=${order}&max_rows=100`),
    `${WIDE}/statistics?fiscal_year_gte=1990`,
    `${WIDE}/statistics?fiscal_year_gte=1990&group_by=fiscal_year`,
    "/api/companies?q=apple",
  ];
  await warmedUp(server, key, paths[0] ?? "");
  for (const path of paths) {
    const answer = await fetch(server.origin + path, { headers: { "x-api-key": key } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 200)}`);
  }
  const { private: own, resident } = memory(server, "after questions over every row");
  figure("wide queries", own, `${resident.toFixed(0)} MB resident`);
}

/** The first query reads the columns: on a busy machine that takes longer than a connection is kept open. */
async function warmedUp({ origin }: Started, key: string, path: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await (await fetch(origin + path, { headers: { "x-api-key": key } })).arrayBuffer();
      return;
    } catch (cause) {
      if (tries === 10) throw cause;
    }
  }
}

async function exported(server: Started, key: string): Promise<void> {
  await warmedUp(server, key, "/api/executive-compensation/query?fiscal_year_gte=1990&max_rows=1");
  const before = memory(server, "before an export");
  for (const format of ["csv", "jsonl"]) {
    const { peak, bytes } = await peakOf(server, key, format);
    figure(`export ${format}`, peak.resident, `${before.resident.toFixed(0)} MB before it`);
    say(
      `export of every row as ${format}, ${(bytes / 1e6).toFixed(0)} MB`,
      `peak ${peak.resident.toFixed(0)} MB resident, ${peak.private.toFixed(0)} private`,
    );
  }
}

/** Peak memory during an export of every row in a format, and the number of bytes. */
async function peakOf(
  server: Started,
  key: string,
  format: string,
): Promise<{ peak: Memory; bytes: number }> {
  const answer = await fetch(`${server.origin}${WIDE}/export?fiscal_year_gte=1990&format=${format}`, {
    headers: { "x-api-key": key, "accept-encoding": "identity" },
  });
  if (!answer.ok || answer.body === null) throw new Error(`the export answered ${answer.status}`);
  let peak = memoryOf(server.pid);
  let bytes = 0;
  let seen = 0;
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    if (bytes - seen < 1 << 22) continue;
    seen = bytes;
    const now = memoryOf(server.pid);
    peak = {
      resident: Math.max(peak.resident, now.resident),
      private: Math.max(peak.private, now.private),
    };
  }
  return { peak, bytes };
}

function memory({ pid }: Started, when: string): Memory {
  const now = memoryOf(pid);
  say(`memory ${when}`, `${now.resident.toFixed(0)} MB resident, ${now.private.toFixed(0)} private`);
  return now;
}

const folder = mkdtempSync(join(tmpdir(), "execcomp-large-"));
try {
  const { env, key } = await installLarge(executable, folder, file);
  const ciks = shuffledCiks(file);
  // Each on a separate server, so that one does not affect the memory of the next.
  const measures = {
    cold: (server: Started) => coldCompanies(server, key, ciks),
    coverage,
    wide: (server: Started) => wideQueries(server, key),
    export: (server: Started) => exported(server, key),
    budget: (server: Started) => budget(server, key, file, ciks),
  };
  for (const [name, measure] of Object.entries(measures)) {
    // Run only if named, as by `bench budget --file`.
    if (positionals.length > 0 ? !positionals.includes(name) : name === "budget") continue;
    const server = await started([executable, "serve", "--port", "0"], env);
    try {
      await measure(server);
    } finally {
      await server.stop();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
