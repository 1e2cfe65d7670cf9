import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createIngestAdmin,
  type IngestProgress,
  type IngestRequest,
  writeIngestProgress,
} from "../../src/jobs/ingest.ts";
import { temporaryFolder } from "../support/accounts.ts";
import { until } from "../support/until.ts";

const MINUTE_MS = 60_000;

/**
 * Ingests into a folder by a program of the test's. @param source what the program does once its arguments are in
 * `words.json`
 */
function ingests(folder: string, source: string, settings: { contact?: string; offline?: boolean } = {}) {
  const [file, words] = [join(folder, "program.ts"), join(folder, "words.json")];
  writeFileSync(
    file,
    // Renamed once whole: a file that exists may still be empty.
    `import { renameSync, writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(`${words}.part`)}, JSON.stringify(process.argv.slice(2)));
renameSync(${JSON.stringify(`${words}.part`)}, ${JSON.stringify(words)});
${source}`,
  );
  const clock = { ms: Date.UTC(2026, 0, 1) };
  const admin = createIngestAdmin(
    [process.execPath, file],
    {
      dataDir: folder,
      contact: "Ann Lee ann@example.com",
      offline: false,
      edgarWwwUrl: "http://127.0.0.1:1",
      edgarDataUrl: "http://127.0.0.1:2",
      ...settings,
    },
    () => clock.ms,
  );
  const started = () => existsSync(words);
  const asked = (): string[] => JSON.parse(readFileSync(words, "utf8"));
  return { admin, clock, started, asked };
}

const WISH: IngestRequest = { kind: "companies", symbols: ["AAPL", "F"], years: 3 };

test("only one runs at a time, and the user who started it can stop it", async () => {
  using folder = temporaryFolder();
  const { admin, started, asked } = ingests(folder.path, "setInterval(() => {}, 1000);");
  let isOver = false;
  admin.start(WISH, () => (isOver = true));
  expect(admin.status().running).toBe("own");
  expect(() => admin.start(WISH, () => {})).toThrow("An ingest is running");
  await until("it runs", started);
  expect(asked().slice(0, 6)).toEqual(["ingest", "--ticker", "AAPL,F", "--years", "3", "--by-server"]);
  expect(admin.stop()).toBe(true);
  await until("it has ended", () => isOver);
  // Who stopped it knows why it ended.
  expect(admin.status()).toMatchObject({ running: "no", failure: null });
  expect(admin.stop()).toBe(false);
});

test.each([
  [
    'console.error("a line"); console.error("EDGAR blocks this address."); process.exit(1);',
    "EDGAR blocks this address.",
  ],
  ["process.exit(1);", "It failed."],
  ["", null],
])("its last output is the reason for its failure: %j", async (source, failure) => {
  using folder = temporaryFolder();
  const { admin } = ingests(folder.path, source);
  const ended = Promise.withResolvers<void>();
  admin.start(WISH, ended.resolve);
  await ended.promise;
  expect(admin.status()).toMatchObject({ running: "no", failure });
});

test("another process's ingest is shown while it is alive and reports progress", () => {
  using folder = temporaryFolder();
  const { admin, clock } = ingests(folder.path, "");
  const progress: IngestProgress = {
    pid: process.pid,
    request: "all known filings",
    state: "running",
    startedAtMs: clock.ms,
    updatedAtMs: clock.ms,
    done: 1,
    total: 2,
    documents: 1,
    rows: 5,
    problems: 0,
    bytes: 1000,
    seconds: 1,
    report: [],
    snapshot: null,
  };
  const runningWith = (change: Partial<IngestProgress>) => {
    writeIngestProgress(folder.path, { ...progress, ...change });
    return admin.status().running;
  };
  const ended = Bun.spawnSync([process.execPath, "-e", ""]);
  expect(runningWith({})).toBe("another");
  expect(() => admin.start(WISH, () => {})).toThrow("An ingest is running");
  expect(runningWith({ state: "ended" })).toBe("no");
  expect(runningWith({ pid: ended.pid })).toBe("no");
  clock.ms += 11 * MINUTE_MS;
  // By now its process id may belong to another program.
  expect(runningWith({})).toBe("no");
});

test("a note that is not as defined counts as none", () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "reports"));
  for (const note of ["", "{}", '{"request":"ticker F","state":"ended"}']) {
    writeFileSync(join(folder.path, "reports", "ingest-progress.json"), note);
    expect(ingests(folder.path, "").admin.status().progress).toBeNull();
  }
});

test("without a contact, and offline, nothing is started", () => {
  using folder = temporaryFolder();
  for (const settings of [{ contact: "" }, { offline: true }]) {
    const { admin, started } = ingests(folder.path, "", settings);
    expect(() => admin.start(WISH, () => {})).toThrow(admin.unavailable ?? "it was started");
    expect(started()).toBe(false);
  }
});
