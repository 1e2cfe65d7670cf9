/** End to end with real processes: a server and `execcomp ingest` side by side, kills, and EDGAR unreachable. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyCurrent, Patch } from "../../src/dataset/patch.ts";
import { contentIn } from "../support/snapshot.ts";
import { installedPath, installFile, readInstalled } from "../../src/dataset/installed.ts";
import { type ReplayEdgar, startReplay } from "../support/edgar.ts";
import { testFolder } from "../support/edgar-client.ts";
import { type MadeCompany, madeCompany, madeCorpus } from "../support/edgar-made.ts";
import { NO_SHARED, sharedCorpus } from "../support/edgar-shared.ts";
import { PROGRAM } from "../support/program.ts";

const made = Array.from({ length: 16 }, (_, at): MadeCompany =>
  madeCompany(910_001 + at, 2025, 2, 1_000_000 + at * 10_000),
);

let replay: ReplayEdgar;
beforeAll(async () => {
  replay = await startReplay(madeCorpus(made));
});
afterAll(() => replay.stop());

const at = (edgar: ReplayEdgar) => ["--edgar-www-url", edgar.wwwUrl, "--edgar-data-url", edgar.dataUrl];
const contact = ["--contact", "A Tester tester@example.com"];

function start(...words: string[]) {
  return Bun.spawn([...PROGRAM, ...words], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env["PATH"] ?? "" },
  });
}

async function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = start(...words);
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}

interface Server extends AsyncDisposable {
  origin: string;
  pid: number;
  key: string;
  ask(path: string, key?: string): Promise<Response>;
}

async function createKey(dataDir: string, name = "road"): Promise<string> {
  const words = [
    "keys",
    "create",
    "--user",
    "road@example.com",
    "--name",
    name,
    "--data-dir",
    dataDir,
    "--json",
  ];
  const { out, err } = await run(...words);
  if (out === "") throw new Error(err);
  // As `keys create` prints it.
  return (JSON.parse(out) as { key: string }).key;
}

async function serve(dataDir: string, ...words: string[]): Promise<Server> {
  const key = await createKey(dataDir);
  const child = start("serve", "--port", "0", "--data-dir", dataDir, "--unmetered", ...words);
  void new Response(child.stderr).text();
  const reader = child.stdout.getReader();
  let told = "";
  while (!/ready (\S+)\n/.test(told)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the server ended: ${told}`);
    told += new TextDecoder().decode(value);
  }
  reader.releaseLock();
  const origin = /ready (\S+)\n/.exec(told)?.[1] ?? "";
  return {
    origin,
    pid: child.pid,
    key,
    ask: (path, other = key) => fetch(origin + path, { headers: { "x-api-key": other } }),
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

/** A snapshot in the data folder in which the company is known and has no rows. */
function withoutRows(dataDir: string, cik: string): void {
  const building = join(dataDir, "building");
  const out = join(dataDir, "out.sqlite");
  copyCurrent(dataDir, building);
  using patch = new Patch(building, out);
  const record = patch.record(cik);
  if (record === undefined) throw new Error(`${cik} is not known`);
  const filings = record.filings.map((filing) => {
    return {
      ...filing,
      status: "pending" as const,
      read: null,
      currency: null,
      regime: null,
      reason: null,
      captions: {},
    };
  });
  patch.put({ ...record, filings, observations: [], pins: [], offices: [], grids: [], problems: [] });
  patch.finish();
  installFile(dataDir, out, "2026-01-01T00:00:00Z");
  rmSync(out);
}

test.skipIf(NO_SHARED !== null)(
  `from an empty folder: three companies are ingested, Paramount Skydance is 503 and then 200 ${NO_SHARED ?? ""}`,
  async () => {
    using folder = testFolder();
    await using real = await startReplay(sharedCorpus());
    const words = [...at(real), ...contact, "--data-dir", folder.path];
    const done = await run("ingest", "--ticker", "F,MAR,ENPH", "--years", "1", ...words, "--json");
    expect([done.code, done.err]).toEqual([0, ""]);
    expect(JSON.parse(done.out)).toMatchObject({ documents: { read: 3, refused: 0, failed: 0 }, rows: 36 });
    withoutRows(folder.path, "0002041610");
    await using server = await serve(folder.path, ...at(real), ...contact);
    const first = await server.ask("/api/executive-compensation?ticker=PSKY");
    expect(first.status).toBe(503);
    expect(Number(first.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await first.text()).toContain("Paramount Skydance");
    const statuses = new Set<number>();
    let last = first;
    for (let tries = 0; tries < 1000 && last.status === 503; tries++) {
      await Bun.sleep(100);
      last = await server.ask("/api/executive-compensation?ticker=PSKY");
      statuses.add(last.status);
      expect((await server.ask("/api/executive-compensation?ticker=F")).status).toBe(200);
    }
    expect([...statuses].filter((status) => status !== 503)).toEqual([200]);
    const { executive_compensation: rows } = (await last.json()) as {
      executive_compensation: { fiscal_year: number; source: { accession: string } }[];
    };
    expect(rows.length).toBe(5);
    expect(new Set(rows.map(({ source }) => source.accession))).toEqual(new Set(["0001140361-26-016758"]));
    expect((await run("data", "verify", "--data-dir", folder.path)).code).toBe(0);
  },
  300_000,
);

test("an ingest that is repeatedly killed ends with the same snapshot as one that was not, and repeats no request", async () => {
  using killed = testFolder();
  using whole = testFolder();
  const ciks = made.map(({ cik }) => cik).join(",");
  const words = ["ingest", "--cik", ciks, "--years", "2", ...at(replay), ...contact, "--json"];
  replay.seen.splice(0);
  for (let kills = 0; kills < 3; kills++) {
    const child = start(...words, "--data-dir", killed.path);
    await Bun.sleep(1600 + kills * 400);
    child.kill("SIGKILL");
    await child.exited;
  }
  const end = await run(...words, "--data-dir", killed.path);
  expect([end.code, JSON.parse(end.out)]).toMatchObject([0, { documents: { read: 32, refused: 0 } }]);
  const documents = replay.seen.map(({ path }) => path).filter((path) => path.includes("/Archives/"));
  // Requests in flight when the process died may be repeated: each time, at most those for the companies being read.
  expect(documents.length).toBeGreaterThanOrEqual(32);
  expect(documents.length).toBeLessThanOrEqual(32 + 3 * 16);
  expect(new Set(documents).size).toBe(32);
  await run(...words, "--data-dir", whole.path);
  expect(contentIn(inUse(killed.path))).toBe(contentIn(inUse(whole.path)));
  expect(
    readdirSync(join(killed.path, "snapshots")).filter(
      (name) => name.includes("building") || name.includes("packed"),
    ),
  ).toEqual([]);
}, 300_000);

test("10,000 requests while snapshots are swapped: none is dropped, and each is answered entirely from one of them", async () => {
  using folder = testFolder();
  const apple = "0000320193";
  const [one, two] = ["one", "two"].map((name, index) => {
    const out = join(folder.path, `${name}.sqlite`);
    copyCurrent(folder.path, `${out}.building`);
    using patch = new Patch(`${out}.building`, out);
    const record = patch.record(apple);
    if (record === undefined) throw new Error("Apple is missing");
    const observations = record.observations.map((row) => ({ ...row, role: `Officer of snapshot ${index}` }));
    patch.put({ ...record, observations });
    patch.finish();
    return out;
  });
  installFile(folder.path, one ?? "", "2026-01-01T00:00:00Z");
  // The limit is 600 a minute per key: this caller uses twenty keys.
  const keys: string[] = [];
  for (let made = 0; made < 20; made++) keys.push(await createKey(folder.path, `lane ${made}`));
  await using server = await serve(folder.path);
  const path = "/api/executive-compensation?ticker=AAPL&limit=100";
  const wholes = new Map<string, number>();
  const count = { asked: 0 };
  let swaps = 0;
  const swapping = (async () => {
    for (; count.asked < 9500; swaps++) {
      installFile(folder.path, (swaps % 2 === 0 ? two : one) ?? "", "2026-01-01T00:00:00Z");
      await Bun.sleep(1100);
    }
  })();
  const began = performance.now();
  const lane = async () => {
    while (count.asked < 10_000) {
      const answer = await server.ask(path, keys[count.asked++ % keys.length]);
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
      const body = await answer.text();
      wholes.set(body, (wholes.get(body) ?? 0) + 1);
      // Spread over several swaps, one a second.
      await Bun.sleep(Math.max(0, count.asked * 0.6 - (performance.now() - began)));
    }
  };
  await Promise.all([swapping, ...Array.from({ length: 16 }, lane)]);
  expect([...wholes.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(10_000);
  expect(wholes.size).toBe(2);
  for (const body of wholes.keys()) {
    const { executive_compensation: rows } = JSON.parse(body) as {
      executive_compensation: { executive_role: string }[];
    };
    expect(rows.length).toBeGreaterThan(25);
    expect(new Set(rows.map(({ executive_role }) => executive_role)).size).toBe(1);
  }
  expect(swaps).toBeGreaterThanOrEqual(4);
}, 300_000);

test.skipIf(!existsSync("/proc/self/net/tcp"))(
  "without a contact, or with --offline despite one, the server opens no socket but its listener",
  async () => {
    for (const words of [[], ["--offline", ...contact]]) {
      using folder = testFolder();
      await using server = await serve(folder.path, ...at(replay), ...words);
      replay.seen.splice(0);
      for (const path of ["ZTS", "MCO", "AAPL"]) {
        const answer = await server.ask(`/api/executive-compensation?ticker=${path}`);
        expect(answer.status).toBe(path === "AAPL" ? 200 : 404);
        await answer.text();
      }
      await Bun.sleep(300);
      expect(replay.seen).toEqual([]);
      const port = Number(new URL(server.origin).port);
      const sockets = socketsOf(server.pid);
      expect(sockets.length).toBeGreaterThan(0);
      for (const socket of sockets) expect(socket).toMatchObject({ localPort: port });
    }
  },
  300_000,
);

/** Every internet socket of a process, as listed by Linux. */
function socketsOf(pid: number): { protocol: string; localPort: number; remote: string }[] {
  const folder = `/proc/${pid}/fd`;
  const inodes = new Set(
    readdirSync(folder).flatMap((name) => {
      const link = readlinkOr(join(folder, name));
      return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [];
    }),
  );
  return ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"].flatMap((protocol) => {
    const file = `/proc/${pid}/net/${protocol}`;
    if (!existsSync(file)) return [];
    return readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .flatMap((line) => {
        const cells = line.trim().split(/\s+/);
        if (!inodes.has(cells[9] ?? "")) return [];
        return [
          {
            protocol,
            localPort: Number.parseInt(cells[1]?.split(":")[1] ?? "0", 16),
            remote: cells[2] ?? "",
          },
        ];
      });
  });
}

function readlinkOr(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** The path of the installed snapshot. */
function inUse(dataDir: string): string {
  const { current } = readInstalled(dataDir);
  if (current === null) throw new Error("nothing is installed");
  return installedPath(dataDir, current);
}
