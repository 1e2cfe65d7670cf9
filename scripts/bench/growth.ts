/**
 * What grows with rows, users and ledger entries, on this machine as it is: CPU seconds of the server with its threads and children, the
 * peak of its resident memory, and the longest wait of a caller who asks 200 times a second meanwhile; the start up to the first answers; and
 * what callers feel of a disk with slow flushes. DuckDB answers and writes the same rows. Needs Linux; the disk wrk and strace. Half an hour on two idle cores.
 *
 *     bun run build && bun run bench growth [PART…] [--rows 500000] [--large 2000000] [--users 1000000] [--entries 1000000]
 *         [--quick] [--executable FILE] [--folder DIR] [--keep]
 *
 * PART is compile, query, ceo-pay, home, pages, search, coverage, warm, exports, companies, large, start, disk, admin, check or rollup: each can be asked alone;
 * default all. DIR (default: a new folder in the temporary one) needs 8 GB, and 8 more for the large dataset; with `--keep` datasets and
 * stores stay there for the next run, which is shorter by ten minutes. `--quick` uses 40,000 rows, no large dataset, 10,000 users and
 * 100,000 entries: it shows that everything runs.
 */
import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { STORE_FILE } from "../../src/store/folder.ts";
import { fillStore } from "./fill.ts";
import {
  cpuSeconds,
  createKey,
  EXECUTABLE,
  installLarge,
  mainThreadMs,
  median,
  memoryOf,
  NO_LIMITS,
  serve,
  type Started,
  started,
  type Target,
} from "./harness.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: "string", default: "500000" },
    large: { type: "string", default: "2000000" },
    users: { type: "string", default: "1000000" },
    entries: { type: "string", default: "1000000" },
    quick: { type: "boolean", default: false },
    executable: { type: "string", default: EXECUTABLE },
    folder: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const SIZES = values.quick
  ? { rows: 40_000, large: 0, users: 10_000, entries: 100_000 }
  : {
      rows: Number(values.rows),
      large: Number(values.large),
      users: Number(values.users),
      entries: Number(values.entries),
    };
const { executable } = values;
const folder = values.folder ?? mkdtempSync(join(tmpdir(), "execcomp-growth-"));
const API = "/api/executive-compensation";
const SCRIPTS = import.meta.dir;

/** What some work cost. */
interface Cost {
  /** CPU seconds of the server, its threads and the children that have ended. */
  cpu: number;
  /** Peak resident memory, MB. */
  peak: number;
  /** The longest wait of the probe, ms. */
  stall: number;
  /** The longest time for which the probe itself did not run, ms. */
  own: number;
  /** How long the work took, s. */
  wall: number;
}

/** Prints a line of the table. @param wanted bounds; absent where none is asked for */
function line(what: string, cost: Partial<Cost>, wanted: Partial<Cost>, about = ""): void {
  const digits = { cpu: 2, peak: 0, stall: 0, wall: 2 };
  const names = ["cpu", "peak", "stall", "wall"] as const;
  const cells = names.map((name) => {
    const [value, bound] = [cost[name], wanted[name]];
    if (value === undefined) return "";
    const isProbe = name === "stall" && (cost.own ?? 0) > value / 2;
    const text = value.toFixed(digits[name]) + (isProbe ? ", of the probe itself" : "");
    return bound === undefined
      ? text
      : `${text} (≤ ${bound})${value > bound && !isProbe ? " **missed**" : ""}`;
  });
  console.log(`| ${[what, ...cells, about].join(" | ")} |`);
}

/** Does some work while the probe asks. */
async function felt<Of>({ origin, pid }: Target, work: () => Promise<Of>): Promise<Cost & { value: Of }> {
  const probe = Bun.spawn([process.execPath, join(SCRIPTS, "probe.ts"), origin], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = probe.stdout.getReader();
  await output.read();
  // Forgets the peak so far. @see proc(5), /proc/pid/clear_refs
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const [before, began] = [cpuSeconds(pid), performance.now()];
  const value = await work();
  const wall = (performance.now() - began) / 1000;
  const cpu = cpuSeconds(pid) - before;
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  probe.kill("SIGTERM");
  let text = "";
  for (let part = await output.read(); !part.done; part = await output.read())
    text += new TextDecoder().decode(part.value);
  // Printed by `probe.ts`.
  const { longestMs, failed, ownMs } = JSON.parse(text) as Record<"longestMs" | "failed" | "ownMs", number>;
  if (failed > 0) console.log(`${failed} of the probe's requests failed`);
  return { cpu, peak, stall: longestMs, own: ownMs, wall, value };
}

/** Asks, and says what came: a status other than 200 or a closed connection is a finding. */
async function ask(
  server: Target,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: string; text: string }> {
  try {
    const answer = await fetch(server.origin + path, {
      headers: { "accept-encoding": "identity", ...headers },
      signal: AbortSignal.timeout(300_000),
    });
    return { status: answer.status === 200 ? "" : String(answer.status), text: await answer.text() };
  } catch (error) {
    return { status: `no answer: ${String(error)}`, text: "" };
  }
}

type Installed = Awaited<ReturnType<typeof install>>;
const installs = new Map<number, Installed>();

/** A dataset, made once, and installed in a data folder of its own. */
async function installed(rows: number): Promise<Installed> {
  const server = installs.get(rows) ?? (await install(rows));
  installs.set(rows, server);
  return server;
}

async function install(rows: number) {
  const file = join(folder, `rows-${rows}.sqlite`);
  let cost: Partial<Cost> = {};
  if (!existsSync(file)) {
    const child = Bun.spawn([process.execPath, join(SCRIPTS, "dataset.ts"), file, "--rows", String(rows)], {
      stderr: "inherit",
    });
    const began = performance.now();
    const [, making] = /makingCpuSeconds: ([\d.]+)/.exec(await child.stdout.text()) ?? [];
    if ((await child.exited) !== 0) throw new Error("the dataset could not be made");
    const usage = child.resourceUsage();
    cost = {
      cpu: Number(usage?.cpuTime.total ?? 0n) / 1e6 - Number(making),
      peak: (usage?.maxRSS ?? Number.NaN) / 2 ** 20,
      wall: (performance.now() - began) / 1000,
    };
  }
  const dataDir = join(folder, `data-${rows}`);
  const { env, key } = await installLarge(executable, dataDir, file);
  return { file, env, headers: { "x-api-key": key }, cost };
}

/** A server on a dataset that is idle again: it has verified every byte of it, which takes seconds of the answering thread. */
async function settled(env: Record<string, string>): Promise<Started> {
  const server = await started([executable, "serve", "--port", "0"], env);
  for (let before = -1; cpuSeconds(server.pid) - before > 0.05;) {
    before = cpuSeconds(server.pid);
    await Bun.sleep(2000);
  }
  return server;
}

const thousand = (rows: number) => rows.toLocaleString("en-US");

/** What a request costs that is the first of its kind on a server. */
async function first(rows: number, what: string, path: string, wanted: Partial<Cost>): Promise<void> {
  const { env, headers } = await installed(rows);
  const server = await settled(env);
  const idle = memoryOf(server.pid).resident;
  const { value, ...cost } = await felt(server, () => ask(server, path, headers));
  await server.stop();
  line(`${what}, ${thousand(rows)} rows`, cost, wanted, `${value.status} idle ${idle.toFixed(0)} MB`.trim());
}

const query = (rows: number, wanted: Partial<Cost>) =>
  first(
    rows,
    "first question across companies",
    `${API}/query?fiscal_year=2024&sort=-total_compensation`,
    wanted,
  );
const search = (rows: number) =>
  first(rows, "first name search", "/search?q=jamie%20dimon", { cpu: 0.1, stall: 50 });

async function pages(rows: number): Promise<void> {
  const { env, headers } = await installed(rows);
  const server = await settled(env);
  const path = `${API}/query?fiscal_year_gte=1990&max_rows=100`;
  await ask(server, path, headers);
  const before = memoryOf(server.pid).private;
  const { value: count, ...cost } = await felt(server, async () => {
    let cursor = "";
    for (let page = 1; page <= 300; page++) {
      const { text, status } = await ask(server, cursor === "" ? path : `${path}&cursor=${cursor}`, headers);
      if (status !== "") return page;
      // An answer of ours.
      cursor = (JSON.parse(text) as { next_cursor?: string | null }).next_cursor ?? "";
      if (cursor === "") return page;
    }
    return 300;
  });
  const after = memoryOf(server.pid).private;
  await server.stop();
  const about = `private ${before.toFixed(0)} to ${after.toFixed(0)} MB`;
  line(`${count} cursor pages, ${thousand(rows)} rows`, cost, { stall: 50 }, about);
}

/** Our rows as DuckDB's table `r`, from a CSV export. */
async function duckdb(csv: string) {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(
    `create table r as select * from read_csv_auto('${csv}', header = true, types = {'cik': 'VARCHAR'})`,
  );
  return connection;
}

/** Questions that have been asked before, of us and as SQL of DuckDB: those that a page of rankings and its statistics need. */
const WARM = {
  "query?fiscal_year=2024&sort=-total_compensation&max_rows=25":
    "select * from r where fiscal_year = 2024 order by total_compensation desc limit 25",
  "query?fiscal_year_gte=1990&salary_gte=1000000&max_rows=25":
    "select * from r where salary >= 1000000 order by total_compensation desc limit 25",
  "query?fiscal_year_gte=1990&executive=cook&max_rows=25":
    "select * from r where executive_name ilike '%cook%' order by total_compensation desc limit 25",
  "statistics?fiscal_year_gte=1990&group_by=fiscal_year":
    "select fiscal_year, count(*), avg(total_compensation), quantile_cont(total_compensation, [0.1, 0.25, 0.5, 0.75, 0.9]) from r group by 1",
};

async function warm(rows: number): Promise<void> {
  const { env, headers } = await installed(rows);
  const csv = join(folder, "warm.csv");
  await Bun.$`${executable} data export --format csv --out ${csv}`.env(env).quiet();
  const connection = await duckdb(csv);
  const server = await settled(env);
  for (const [path, sql] of Object.entries(WARM)) {
    await ask(server, `${API}/${path}`, headers);
    const cost = await felt(server, async () => {
      for (let round = 0; round < 15; round++) await ask(server, `${API}/${path}`, headers);
    });
    const before = process.cpuUsage();
    for (let round = 0; round < 15; round++) await connection.runAndReadAll(sql);
    const { user, system } = process.cpuUsage(before);
    const [ours, theirs] = [(cost.cpu / 15) * 1000, (user + system) / 15_000];
    line(
      `\`${path}\`, asked again, ${thousand(rows)} rows`,
      { stall: cost.stall },
      { stall: 50 },
      `${ours.toFixed(1)} ms of CPU each, ${(ours / theirs).toFixed(2)} × DuckDB's ${theirs.toFixed(1)}`,
    );
  }
  connection.closeSync();
  await server.stop();
}

/** CPU seconds of DuckDB to write the rows of a CSV file in each format. */
async function duckdbWrites(csv: string): Promise<Record<string, number>> {
  const connection = await duckdb(csv);
  const cost: Record<string, number> = {};
  for (const [format, options] of Object.entries({ csv: "csv", jsonl: "json", parquet: "parquet" })) {
    const before = process.cpuUsage();
    await connection.run(`copy r to '${join(folder, `duckdb.${format}`)}' (format ${options})`);
    const { user, system } = process.cpuUsage(before);
    cost[format] = (user + system) / 1e6;
  }
  connection.closeSync();
  return cost;
}

async function exports(rows: number): Promise<void> {
  const { env, headers } = await installed(rows);
  const ours: Record<string, Cost & { idle: number; bytes: number }> = {};
  for (const format of ["csv", "jsonl", "parquet"]) {
    const server = await settled(env);
    const idle = memoryOf(server.pid).resident;
    // What the first question reads is its own row.
    await ask(server, `${API}/query?fiscal_year_gte=1990&max_rows=1`, headers);
    const file = join(folder, `export.${format}`);
    const { value: bytes, ...cost } = await felt(server, async () => {
      const answer = await fetch(`${server.origin}/export?fiscal_year_gte=1990&format=${format}`, {
        headers: { ...headers, "accept-encoding": "identity" },
      });
      if (answer.status !== 200) throw new Error(`the export answered ${answer.status}`);
      return Bun.write(file, answer);
    });
    ours[format] = { ...cost, idle, bytes };
    await server.stop();
  }
  const theirs = await duckdbWrites(join(folder, "export.csv")).catch((error: unknown) => {
    console.log(`without DuckDB: ${String(error)}`);
    return {} as Record<string, number>;
  });
  for (const [format, { idle, bytes, ...cost }] of Object.entries(ours)) {
    const duckdb = theirs[format];
    const beside =
      duckdb === undefined ? "" : `; ${(cost.cpu / duckdb).toFixed(1)} × DuckDB's ${duckdb.toFixed(2)} s`;
    line(
      `${format} of ${thousand(rows)} rows`,
      cost,
      {
        ...(duckdb === undefined ? {} : { cpu: Math.round(duckdb * 300) / 100 }),
        peak: Math.round(idle + 150),
        stall: 50,
      },
      `${(bytes / 1e6).toFixed(0)} MB${beside}; idle ${idle.toFixed(0)} MB`,
    );
  }
}

/** CPU microseconds a request, each path asked once, over sixteen connections. */
async function perRequest(
  { origin, pid }: Target,
  paths: readonly string[],
  headers: Record<string, string>,
): Promise<number> {
  const before = cpuSeconds(pid);
  let at = 0;
  const one = async () => {
    for (let path = paths[at++]; path !== undefined; path = paths[at++]) {
      const answer = await fetch(origin + path, { headers });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, one));
  return ((cpuSeconds(pid) - before) * 1e6) / paths.length;
}

async function companies(rows: number): Promise<void> {
  const { env, headers: keyed, file } = await installed(rows);
  const headers = { ...keyed, "accept-encoding": "identity" };
  using snapshot = new Database(file, { readonly: true });
  const all = snapshot
    .query<{ cik: number }, []>("select cik from companies where row_count > 0 order by cik")
    .all();
  const paths = all.map((_, place) => {
    const cik = String(all[(place * 7919) % all.length]?.cik).padStart(10, "0");
    return `${API}?cik=${cik}&limit=100`;
  });
  const count = Math.min(5000, Math.floor((paths.length - 100) / 6));
  const often = Array.from({ length: count }, (_, at) => paths[at % 100] ?? "");
  const [cold, hot]: [number[], number[]] = [[], []];
  const server = await settled(env);
  for (let round = 0; round < 6; round++) {
    const some = paths.slice(100 + round * count, 100 + (round + 1) * count);
    const [each, again] = [await perRequest(server, some, headers), await perRequest(server, often, headers)];
    if (round > 1) cold.push(each);
    if (round > 1) hot.push(again);
  }
  await server.stop();
  const about = `${median(cold).toFixed(0)} µs, ${(median(cold) / median(hot)).toFixed(2)} × a hot one (≤ 2.6)`;
  line(`a company not asked for before, ${thousand(rows)} rows`, {}, {}, about);
}

/** A store with users or entries, made once. An owner can sign in. */
async function filled(name: string, users: number, entries: number, days = 0): Promise<string> {
  const dataDir = join(folder, `store-${name}`);
  if (existsSync(join(dataDir, "filled"))) return dataDir;
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir);
  await fillStore(dataDir, users, entries, 1, 1, days);
  await Bun.$`${executable} users create --user owner@example.com --password-stdin < ${Buffer.from(PASSWORD)}`
    .env({ EXECCOMP_DATA_DIR: dataDir })
    .quiet();
  using database = new Database(join(dataDir, STORE_FILE), { readwrite: true });
  database.run("UPDATE users SET role = 'owner' WHERE email = 'owner@example.com'");
  writeFileSync(join(dataDir, "filled"), "");
  return dataDir;
}
const PASSWORD = "four unrelated words here";

/** The start up to the first answers of a used data folder, what the first `tools/list` takes, and the idle server's memory after the answers. */
async function start(): Promise<void> {
  const dirs = {
    "a user": await filled("small", 1, 1),
    [`${thousand(SIZES.users)} users`]: await filled("users", SIZES.users, SIZES.users),
  };
  const measured: Record<string, { facts: number; keyed: number; idle: number; list: number }[]> = {};
  for (let round = 0; round < 9; round++) {
    for (const [name, dataDir] of Object.entries(dirs)) {
      const key = await createKey(executable, { EXECCOMP_DATA_DIR: dataDir });
      const began = performance.now();
      const server = await serve(executable, dataDir);
      await ask(server, "/t/AAPL/facts");
      const facts = performance.now() - began;
      const { status } = await ask(server, `${API}?ticker=AAPL`, { "x-api-key": key });
      if (status !== "") throw new Error(`a key was answered with ${status}`);
      const keyed = performance.now() - began;
      await Bun.sleep(1500);
      const idle = memoryOf(server.pid).resident;
      const before = mainThreadMs(server.pid);
      await fetch(`${server.origin}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      }).then((answer) => answer.text());
      (measured[name] ??= []).push({ facts, keyed, idle, list: mainThreadMs(server.pid) - before });
      await server.stop();
    }
  }
  for (const [name, runs] of Object.entries(measured)) {
    const of = (part: keyof (typeof runs)[number]) => median(runs.map((run) => run[part]));
    line(`start to the first facts with ${name}`, { wall: of("facts") / 1000 }, { wall: 0.06 });
    const about = `first \`tools/list\` ${of("list").toFixed(0)} ms`;
    const cost = { wall: of("keyed") / 1000, peak: of("idle") };
    line(`and to an answer with parameters, then idle`, cost, { wall: 0.16, peak: 95 }, about);
  }
}

/** A disk whose flushes take 10 ms: what it does to facts beside charges, and how many charges fit on it. */
async function disk(): Promise<void> {
  const dataDir = join(folder, "disk");
  mkdirSync(dataDir);
  const [key = ""] = await fillStore(dataDir, 10, 2);
  const inject = ["-e", "trace=fdatasync,fsync", "-e", "inject=fdatasync,fsync:delay_enter=10000"];
  const strace = ["strace", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", ...inject];
  const words = [...strace, executable, "serve", "--port", "0"];
  const server = await started(words, { ...NO_LIMITS, EXECCOMP_DATA_DIR: dataDir });
  const wrk = (seconds: number, connections: number, ...more: string[]) =>
    Bun.$`wrk -t1 -c${connections} -d${seconds}s --latency ${more}`.quiet().text();
  const facts = async () => {
    const [, value = "", unit = ""] =
      /50%\s+([\d.]+)(us|ms|s)/.exec(await wrk(2, 4, `${server.origin}/t/AAPL/facts`)) ?? [];
    return Number(value) * (unit === "us" ? 0.001 : unit === "ms" ? 1 : 1000);
  };
  const history = ["-H", `X-API-KEY: ${key}`, `${server.origin}${API}?ticker=AAPL`];
  try {
    await facts();
    const ratios: number[] = [];
    for (let pair = 0; pair < 5; pair++) {
      const alone = await facts();
      const [beside] = await Promise.all([facts(), wrk(2, 8, ...history)]);
      ratios.push(beside / alone);
    }
    const fit = /Requests\/sec:\s+([\d.]+)/.exec(await wrk(3, 256, ...history))?.[1] ?? "none";
    const about = `facts beside charges ${median(ratios).toFixed(2)} × alone, p50; ${fit} charges a second (≥ 5000)`;
    line("a disk whose flushes take 10 ms", {}, {}, about);
  } finally {
    const child = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8")
      .trim()
      .split(" ")[0];
    process.kill(Number(child), "SIGKILL");
    await server.stop();
  }
}

/** The cookies of a signed-in owner. */
async function signIn({ origin }: Target): Promise<string> {
  const page = await fetch(`${origin}/sign-in`);
  const cookies = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ");
  const hidden = [...(await page.text()).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
    ([, name = "", value = ""]) => [name, value],
  );
  const body = new URLSearchParams({
    ...Object.fromEntries(hidden),
    email: "owner@example.com",
    password: PASSWORD,
  });
  const entered = await fetch(`${origin}/sign-in`, {
    method: "POST",
    body,
    headers: { cookie: cookies(page), origin },
    redirect: "manual",
  });
  if (entered.status !== 303) throw new Error(`signing in answered ${entered.status}`);
  return cookies(entered);
}

/** The owners' pages: what a request costs the answering thread, and what others feel meanwhile. */
async function admin(): Promise<void> {
  const entries = Math.min(1_000_000, SIZES.entries);
  const stores = [
    {
      what: `${thousand(SIZES.users)} users`,
      dataDir: await filled("users", SIZES.users, SIZES.users),
      paths: [
        "/admin",
        "/admin?q=bench-77",
        "/admin?q=b",
        "/admin/keys",
        "/admin/keys?q=bench-77",
        "/admin/audit",
      ],
      bounds: { thread: 20, stall: 20 },
    },
    {
      what: `${thousand(entries)} entries of 10,000 users`,
      dataDir: await filled("usage", 10_000, entries, 29),
      paths: ["/admin/usage", "/admin/usage?by=month", "/admin/usage/download"],
      bounds: { thread: Number.POSITIVE_INFINITY, stall: 50 },
    },
  ];
  for (const { what, dataDir, paths, bounds } of stores) {
    const server = await serve(executable, dataDir);
    try {
      const cookie = await signIn(server);
      for (const path of paths) {
        const threads: number[] = [];
        const { value: statuses, ...cost } = await felt(server, async () => {
          const found = new Set<string>();
          for (let round = 0; round < 5; round++) {
            const before = mainThreadMs(server.pid);
            found.add((await ask(server, path, { cookie, accept: "text/html" })).status);
            threads.push(mainThreadMs(server.pid) - before);
          }
          return [...found].join("");
        });
        const bound = Number.isFinite(bounds.thread) ? ` (≤ ${bounds.thread})` : "";
        line(
          `\`${path}\`, ${what}`,
          { cpu: cost.cpu / 5, peak: cost.peak, stall: cost.stall, wall: cost.wall / 5 },
          { stall: bounds.stall },
          `${statuses} answering thread ${median(threads).toFixed(0)} ms${bound}`.trim(),
        );
      }
    } finally {
      await server.stop();
    }
  }
}

/** The hourly self-check, which begins near the newest entry, and the whole of it: a process of its own, of which callers feel what they feel. */
async function check(): Promise<void> {
  for (const entries of new Set([Math.min(1_000_000, SIZES.entries), SIZES.entries])) {
    const dataDir = await filled(`entries-${entries}`, 10_000, entries);
    const server = await serve(executable, dataDir);
    for (const [what, more, wanted] of [
      ["hourly self-check", ["--since", String(Number.MAX_SAFE_INTEGER)], { wall: 60, stall: 50 }],
      ["`doctor`", [], { stall: 50 }],
    ] as const) {
      const { value, ...cost } = await felt(server, async () => {
        const words = [executable, "doctor", "--json", "--data-dir", dataDir, ...more];
        const child = Bun.spawn(words, { stdout: "ignore", stderr: "ignore", timeout: 600_000 });
        setPriority(child.pid, constants.priority.PRIORITY_LOW);
        const code = await child.exited;
        const usage = child.resourceUsage();
        const [cpu, peak] = [
          Number(usage?.cpuTime.total ?? 0n) / 1e6,
          (usage?.maxRSS ?? Number.NaN) / 2 ** 20,
        ];
        return { code, cpu, peak };
      });
      const { code, cpu, peak } = value;
      line(`${what}, ${thousand(entries)} entries`, { ...cost, cpu, peak }, wanted, `exit ${code}`);
    }
    await server.stop();
  }
}

async function rollup(): Promise<void> {
  const entries = Math.min(1_000_000, SIZES.entries);
  const dataDir = await filled("rollup", 10_000, entries);
  const size = () => {
    using database = new Database(join(dataDir, STORE_FILE), { readonly: true });
    const count = (table: string) =>
      database.query<{ n: number }, []>(`select count(*) as n from ${table}`).get()?.n ?? 0;
    return { ledger: count("ledger"), rolled: count("rolled_ledger") };
  };
  const server = await serve(executable, dataDir, { EXECCOMP_LEDGER_RETENTION: "1" });
  const { value, ...cost } = await felt(server, async () => {
    // It begins a minute after the start.
    let before = size();
    for (let round = 0; round < 120; round++) {
      await Bun.sleep(5000);
      const now = size();
      if (now.ledger === before.ledger && now.rolled > 0) break;
      before = now;
    }
    return before;
  });
  await server.stop();
  rmSync(dataDir, { recursive: true });
  line(
    `roll-up of ${thousand(entries)} entries of 10,000 users`,
    cost,
    { stall: 50 },
    `${thousand(value.ledger)} entries and ${thousand(value.rolled)} lines are left (one a user and day: 10,000)`,
  );
}

async function main(): Promise<void> {
  const bounds = { cpu: 0.5, peak: 250, stall: 50 };
  const work: Record<string, () => Promise<void>> = {
    compile: async () => {
      rmSync(join(folder, `rows-${SIZES.rows}.sqlite`), { force: true });
      const { cost, file } = await installed(SIZES.rows);
      line(
        `compile of ${thousand(SIZES.rows)} rows`,
        cost,
        { cpu: 30, peak: 400 },
        `${(statSync(file).size / 1e6).toFixed(0)} MB`,
      );
    },
    query: () => query(SIZES.rows, bounds),
    "ceo-pay": () => first(SIZES.rows, "first CEO pay", "/api/ceo-pay?max_rows=25", bounds),
    home: () => first(SIZES.rows, "first home page", "/", bounds),
    pages: () => pages(SIZES.rows),
    search: () => search(SIZES.rows),
    coverage: () => first(SIZES.rows, "first `/coverage`", "/coverage", { cpu: 0.2, stall: 50 }),
    warm: () => warm(SIZES.rows),
    exports: () => exports(SIZES.rows),
    companies: () => companies(SIZES.rows),
    large: async () => {
      if (SIZES.large === 0) return;
      await query(SIZES.large, { stall: 50 });
      await search(SIZES.large);
    },
    start,
    disk,
    admin,
    check,
    rollup,
  };
  const parts = Object.keys(work);
  const unknown = positionals.filter((name) => !parts.includes(name));
  if (unknown.length > 0) throw new Error(`no part ${unknown.join(", ")}; there is ${parts.join(", ")}`);
  mkdirSync(folder, { recursive: true });
  console.log("| What | CPU, s | Peak, MB | Longest stall, ms | Elapsed, s | |\n|---|---|---|---|---|---|");
  try {
    for (const [part, measure] of Object.entries(work)) {
      if (positionals.length > 0 && !positionals.includes(part)) continue;
      // One part that fails takes no other with it.
      await measure().catch((error: unknown) => console.log(`${part} failed: ${Bun.inspect(error)}`));
    }
  } finally {
    if (!values.keep) rmSync(folder, { recursive: true, force: true });
  }
}

await main();
