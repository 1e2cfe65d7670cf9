import { expect, test } from "bun:test";
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FORMAT } from "../../src/dataset/open.ts";
import { newerEmbedded } from "../../src/cli/dataset/data.ts";
import { installedPath, readInstalled } from "../../src/dataset/installed.ts";
import { realRuntime } from "../../src/runtime.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { testRecord } from "../support/record.ts";
import { datasetIn, writeTestSnapshot } from "../support/snapshot.ts";

const folder = tempFolder();
const file = writeTestSnapshot(folder, "carried.sqlite");
const newer = writeTestSnapshot(
  folder,
  "newer.sqlite",
  [testRecord({ name: "Acme Corporation" })],
  "2099-01-01",
);
let made = 0;
const data = () => {
  const dataDir = join(folder, `data-${++made}`);
  const run = (...words: string[]) => cli(...words, { environment: { EXECCOMP_DATA_DIR: dataDir } });
  return { dataDir, run };
};

test("data info describes the current dataset, for people and for scripts", async () => {
  const { run } = data();
  const people = await run("data", "info");
  expect(people.code).toBe(0);
  expect(people.out).toMatch(/^origin +embedded\nedition +\d{4}-\d\d-\d\d\n/);
  const { in_use: inUse, installed } = (await run("data", "info", "--json")).json() as {
    in_use: Record<string, unknown>; // as `toJson` writes it
    installed: unknown;
  };
  expect(inUse["origin"]).toBe("embedded");
  expect(inUse["content_hash"]).toMatch(/^[0-9a-f]{64}$/);
  expect(installed).toEqual({ current: null, previous: [] });
});

test("a file is installed, serves, is reported as older, and is rolled back", async () => {
  const { run } = data();
  const installed = await run("data", "install", file, "--trust");
  expect([installed.code, installed.out.split("\n")[0]]).toEqual([0, "origin        installed"]);
  expect(installed.out).toMatch(/Run `execcomp data rollback --data-dir \S+` to return/);
  expect(installed.err).toMatch(/edition 2026-01-01 is older than the previous one/);
  const info = await run("data", "info");
  expect(info.out).toContain("The dataset inside this executable is newer");
  expect((await run("coverage", "--tickers")).out).toBe("ACME\n");
  const back = await run("data", "rollback");
  expect([back.code, back.out.split("\n")[0]]).toEqual([0, "origin        embedded"]);
  const again = await run("data", "rollback");
  expect([again.code, again.out]).toEqual([1, ""]);
  expect(again.err).toContain("execcomp data info");
});

test("data verify without a file checks the current snapshot", async () => {
  const { run } = data();
  const embedded = await run("data", "verify", "--json");
  expect(embedded.code).toBe(0);
  expect(embedded.json()).toMatchObject({
    name: "the snapshot inside this executable",
    signed_by: null,
    broken: [],
  });
  await run("data", "install", file, "--trust");
  const { name, content_hash: hash } = (await run("data", "verify", "--json")).json() as Record<
    string,
    string
  >; // as `verify` prints
  expect(name).toContain(`${hash?.slice(0, 16)}.sqlite`);
});

test("data verify and data install refuse a file with one flipped byte, a truncated one and a newer format", async () => {
  const { run, dataDir } = data();
  const bytes = readFileSync(file);
  const change = (name: string, copy: Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, copy);
    return path;
  };
  const flipped = Buffer.from(bytes);
  flipped[20_000] = (flipped[20_000] ?? 0) ^ 1;
  const future = Buffer.from(bytes);
  future.writeUInt32BE(FORMAT + 1, 60);
  for (const [path, words] of [
    [change("flipped.sqlite", flipped), "is damaged"],
    [change("cut.sqlite", bytes.subarray(0, 9000)), "is truncated"],
    [change("future.sqlite", future), "Install a newer execcomp"],
    [change("text.sqlite", Buffer.from("name,total\n".repeat(50))), "is not an execcomp snapshot"],
    [join(folder, "none.sqlite"), "no such file or folder"],
  ] as const) {
    for (const verb of ["verify", "install"]) {
      const ran = await run("data", verb, path);
      expect([verb, path, ran.code, ran.out, ran.err.includes(words)]).toEqual([verb, path, 1, "", true]);
    }
  }
  expect(readInstalled(dataDir).current).toBeNull();
});

test.each([
  ["cut short", (path: string) => truncateSync(path, 5000)],
  [
    "with one flipped byte",
    (path: string) => {
      const bytes = readFileSync(path);
      bytes[20_000] = (bytes[20_000] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    },
  ],
])("an installed snapshot %s stops commands with instructions to recover, which work", async (_, spoil) => {
  const { run, dataDir } = data();
  await run("data", "install", file, "--trust");
  const { current } = readInstalled(dataDir);
  if (current === null) throw new Error("nothing installed");
  spoil(installedPath(dataDir, current));
  for (const words of [["coverage"], ["data", "verify"]]) {
    const refused = await run(...words);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("execcomp data rollback");
  }
  expect((await run("data", "install", newer, "--trust")).code).toBe(0);
  expect((await run("coverage", "--tickers")).out).toBe("ACME\n");
});

test("control characters of a file never reach the terminal", async () => {
  const { run } = data();
  const named = writeTestSnapshot(folder, "escapes.sqlite", [
    testRecord({ name: "Acme\u001b]0;owned\u0007 \u009b31m" }),
  ]);
  const told = await run("data", "diff", file, named);
  expect(told.out).toContain("Acme\ufffd]0;owned\ufffd \ufffd31m");
  const json = await run("data", "diff", file, named, "--json");
  for (const text of [told.out, told.err, json.out, (await run("data", "verify", "/\u001b[31mx")).err]) {
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  }
  expect(JSON.stringify(json.json())).toContain("\u009b31m");
});

test.each([[["verify", "none.sqlite"]], [["install", "none.sqlite"]], [["diff", "current", "none.sqlite"]]])(
  "data %j says that the named file does not exist, and mentions no rollback",
  async (words) => {
    const { code, err } = await data().run("data", ...words);
    expect([code, err]).toEqual([1, "Cannot read none.sqlite: no such file or folder.\n"]);
  },
);

test("data diff prints the differences in every format, and none if there are none", async () => {
  const { run } = data();
  const ran = await run("data", "diff", file, newer);
  expect(ran.code).toBe(0);
  expect(ran.out).toMatch(
    /changed +company +0000000042 +Acme Corporation +Acme Corporation +name Acme Corp → Acme Corporation/,
  );
  expect(ran.err).toContain("1 company changed, 2 rows changed");
  const csv = (await run("data", "diff", file, newer, "--format", "csv")).out.split("\n");
  expect(csv[0]).toBe("kind,change,cik,company,key,field,before,after");
  expect(csv[1]).toBe(
    '"company","changed","0000000042","Acme Corporation","Acme Corporation","name","Acme Corp","Acme Corporation"',
  );
  const lines = (await run("data", "diff", file, newer, "--format", "jsonl")).out.trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(["company", "row", "row"]);
  const same = await run("data", "diff", "embedded", "current");
  expect([same.code, same.out, same.err]).toEqual([0, "No differences.\n", ""]);
  // What reads the file every night finds its columns on a day without changes.
  const out = join(folder, "same.csv");
  expect((await run("data", "diff", "Embedded", "current", "--out", out)).code).toBe(0);
  expect(readFileSync(out, "utf8")).toBe(`${csv[0]}\n`);
  expect((await run("data", "diff", "embedded", "current", "--out", join(folder, "same.jsonl"))).code).toBe(
    0,
  );
  expect(readFileSync(join(folder, "same.jsonl"), "utf8")).toBe("");
});

test("data install takes an address: its signer is checked before the file is downloaded", async () => {
  const publisher = data();
  const published = join(folder, "published.sqlite");
  await publisher.run("data", "install", file, "--trust");
  expect((await publisher.run("data", "export", "--format", "sqlite", "--out", published)).code).toBe(0);
  const forged = readFileSync(published);
  forged[forged.length - 20_000] = (forged[forged.length - 20_000] ?? 0) ^ 1;
  using server = Bun.serve({
    port: 0,
    fetch: ({ url }) => new Response(url.endsWith("forged") ? forged : Bun.file(published)),
  });
  const { dataDir } = data();
  const runtime = realRuntime();
  const run = (...words: string[]) => cli(...words, { environment: { EXECCOMP_DATA_DIR: dataDir }, runtime });
  const unknown = await run("data", "install", `${server.url}x?signature=a-secret`);
  expect([unknown.code, unknown.out]).toEqual([1, ""]);
  expect(unknown.err).toMatch(
    /is not installed: its signer [0-9a-f ]{19} is unknown\. .*data install http\S+ --trust/s,
  );
  // Followed as it stands, it installs into this folder.
  expect(unknown.err).toContain(` --trust --data-dir ${dataDir}\`.`);
  expect(unknown.err).not.toContain("a-secret");
  const offline = await run("data", "install", String(server.url), "--offline", "--trust");
  expect([offline.code, offline.err]).toEqual([1, "--offline is set, so nothing can be downloaded.\n"]);
  expect(readInstalled(dataDir).current).toBeNull();
  expect((await run("data", "install", String(server.url), "--trust")).code).toBe(0);
  expect((await run("show", "ACME")).out).toContain("Acme Corp");
  // Trusted from now on, but every byte is checked.
  const damaged = await run("data", "install", `${server.url}forged`);
  expect([damaged.code, damaged.err]).toEqual([1, expect.stringContaining("is damaged")]);
  expect((await run("data", "install", String(server.url))).code).toBe(0);
  expect(readdirSync(dataDir).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("the embedded dataset is reported as newer only if it is", () => {
  const old = datasetIn(file).info;
  const embedded = { ...datasetIn(newer).info, origin: "embedded" as const };
  expect(newerEmbedded(old, embedded)).toContain("execcomp data rollback");
  expect(newerEmbedded({ ...old, edition: "2099-01-01" }, embedded)).toBeNull();
  expect(newerEmbedded({ ...old, origin: "embedded" }, embedded)).toBeNull();
});
