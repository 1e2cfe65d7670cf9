import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  createIngestAdmin,
  dueInMs,
  type IngestAdmin,
  type IngestRequest,
  ingestSince,
  type ScheduledIngestDeps,
  scheduleIngests,
  writeIngestProgress,
} from "../../src/jobs/ingest.ts";
import { createLog } from "../../src/log.ts";
import { Snapshots } from "../../src/dataset/snapshots.ts";
import { cli } from "../support/cli.ts";
import { type ReplayEdgar, startReplay } from "../support/edgar.ts";
import { madeCompany, madeCorpus } from "../support/edgar-made.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const folder = tempFolder();
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 3, 3);
const NEW = { ...madeCompany(920_001, 2025, 1, 500_000), ticker: "NEWCO" };

let replay: ReplayEdgar;
beforeAll(async () => {
  replay = await startReplay(madeCorpus([NEW]));
});
afterAll(() => replay.stop());
let made = 0;

/** A server's deps on a separate data folder; its dataset knows no filing after a certain day. */
function server(settings: Partial<ScheduledIngestDeps["config"]> = {}, started = PROGRAM) {
  const dataDir = join(folder, `data-${++made}`);
  mkdirSync(dataDir);
  const lines: Record<string, unknown>[] = [];
  const clock = { ms: NOW };
  const config = {
    dataDir,
    ingestEvery: DAY_MS,
    ingestIndex: "" as const,
    ingestTicker: [],
    contact: "A Tester tester@example.com",
    offline: false,
    edgarWwwUrl: replay.wwwUrl,
    edgarDataUrl: replay.dataUrl,
    ...settings,
  };
  const snapshots = new Snapshots({ dataDir, monotonic: () => clock.ms, who: "server" });
  const until = {
    current() {
      const dataset = snapshots.current();
      return { ...dataset, info: { ...dataset.info, newestFilingDate: "2026-03-01" } };
    },
  };
  const deps: ScheduledIngestDeps = {
    config,
    ingests: createIngestAdmin(started, config, () => clock.ms),
    snapshots: until,
    runtime: { now: () => clock.ms, secret: (bytes) => new Uint8Array(bytes) },
    log: createLog({ now: () => clock.ms }, (line) => lines.push(JSON.parse(line))),
  };
  return { deps, lines, clock, snapshots, dataDir };
}

/** The same server with an ingest that only records the request. */
function wishing(settings: Partial<ScheduledIngestDeps["config"]>) {
  const { deps, ...rest } = server(settings);
  const wishes: IngestRequest[] = [];
  const ingests: IngestAdmin = {
    ...deps.ingests,
    start(wish, ended) {
      wishes.push(wish);
      ended();
    },
  };
  return { deps: { ...deps, ingests }, wishes, ...rest };
}

test("new filings are read in a separate process, and the running server answers from them", async () => {
  const { deps, lines, snapshots, clock } = server();
  expect(snapshots.current().findBySymbol("NEWCO")).toBeUndefined();
  expect(await ingestSince(deps)).toBe(true);
  expect(lines.map(({ event }) => event)).toEqual(["ingest_started", "ingest_ended"]);
  expect(lines[0]).toMatchObject({ since: "2026-03-01", companies: 0 });
  clock.ms += 1000;
  expect(snapshots.current().findByCik(NEW.cik)?.hasRows).toBe(true);
});

test("the next one begins two days before the last one, even after a restart; each is due once", async () => {
  const { deps, wishes, clock } = wishing({});
  expect(dueInMs(deps.config, clock.ms)).toBe(0);
  expect(await ingestSince(deps)).toBe(true);
  expect(dueInMs(deps.config, clock.ms)).toBe(DAY_MS);
  clock.ms += DAY_MS / 4;
  expect(dueInMs(deps.config, clock.ms)).toBe(DAY_MS * 0.75);
  clock.ms += DAY_MS;
  expect(dueInMs(deps.config, clock.ms)).toBe(0);
  await ingestSince(deps);
  expect(wishes.map((wish) => (wish.kind === "since" ? wish.since : wish.kind))).toEqual([
    "2026-03-01",
    "2026-04-01",
  ]);
});

test("only the members of an index and named companies are requested", async () => {
  const { deps, wishes } = wishing({ ingestIndex: "sp500", ingestTicker: ["F"] });
  await ingestSince(deps);
  const [wish] = wishes;
  if (wish?.kind !== "since") throw new Error("another wish");
  expect(wish.symbols).toEqual(["F"]);
  expect(wish.ciks.length).toBeGreaterThan(450);
  expect(wish.ciks).toContain("0000320193");
});

test("no ingest starts while another runs, and it is retried later", async () => {
  const { deps, wishes, lines, dataDir, clock } = wishing({});
  writeIngestProgress(dataDir, {
    pid: process.pid,
    request: "all",
    state: "running",
    startedAtMs: clock.ms,
    updatedAtMs: clock.ms,
    done: 1,
    total: 2,
    documents: 1,
    rows: 0,
    problems: 0,
    bytes: 0,
    seconds: 1,
    report: [],
    snapshot: null,
  });
  expect(await ingestSince(deps)).toBe(false);
  expect([wishes, lines.map(({ event }) => event)]).toEqual([[], ["ingest_postponed"]]);
  expect(dueInMs(deps.config, clock.ms)).toBe(0);
});

test("a failed one is reported with its reason and is still due", async () => {
  const broken = [process.execPath, "-e", "console.error('EDGAR is closed.'); process.exit(1)"];
  const { deps, lines, clock } = server({}, broken);
  expect(await ingestSince(deps)).toBe(false);
  expect(lines.at(-1)).toMatchObject({ event: "ingest_failed", level: "error", message: "EDGAR is closed." });
  expect(dueInMs(deps.config, clock.ms)).toBe(0);
});

test("one in which some filings failed is done, with a warning", async () => {
  const partly = [process.execPath, "-e", "console.error('13 loaded, 6 failed.'); process.exit(3)"];
  const { deps, lines, clock } = server({}, partly);
  expect(await ingestSince(deps)).toBe(true);
  expect(lines.slice(1)).toMatchObject([
    { event: "ingest_partly_failed", level: "warn", message: "13 loaded, 6 failed." },
    { event: "ingest_ended" },
  ]);
  expect(deps.ingests.status()).toMatchObject({ failure: null, warning: "13 loaded, 6 failed." });
  expect(dueInMs(deps.config, clock.ms)).toBe(DAY_MS);
});

test("a server that could never fetch is refused at startup with the missing setting", async () => {
  for (const [words, told] of [
    [[], /--ingest-every requires --contact/],
    [["--contact", "Ann Lee ann@example.com", "--offline"], /--offline is set/],
  ] as const) {
    const { code, err } = await cli("serve", "--port", "0", "--ingest-every", "24h", ...words, {
      environment: { EXECCOMP_DATA_DIR: join(folder, "refused") },
    });
    expect([code, told.test(err)]).toEqual([1, true]);
  }
  const { deps } = server();
  const cut = { ...deps.ingests, unavailable: "--offline is set." };
  expect(() => scheduleIngests({ ...deps, ingests: cut })).toThrow(
    "--ingest-every is set. --offline is set.",
  );
});
