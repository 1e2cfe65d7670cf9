/**
 * One dataset, published once and followed: by file, over HTTP, and through S3-compatible storage; with three servers
 * it is a slow test.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import S3rver from "s3rver";
import { look } from "../../src/operate/dataset.ts";
import { loadConfig, type SettingName } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import { startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { PROGRAM } from "../support/program.ts";
import { publishing } from "./publishing.ts";

const { folder, first, second, machine, publisher } = publishing();

const nameOf = async ({ run }: ReturnType<typeof machine>) =>
  (JSON.parse((await run("get", "/t/ACME/facts")).out) as { company_name: string }).company_name;

/** Publishes twice and follows, for any kind of address. */
async function round(address: string, settings: Partial<Record<SettingName, string>> = {}) {
  const publish = publisher(settings);
  const key = await publish(first, address);
  const stranger = machine({ ...settings, datasetUrl: address });
  const refused = await stranger.run("data", "follow");
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`--dataset-signer ${key}`)]);
  const follower = machine({ ...settings, datasetUrl: address, datasetSigner: key });
  const follow = async () => {
    const { code, out, err } = await follower.run("data", "follow");
    return [code, out.split(" ")[0]?.trim(), err];
  };
  expect(await follow()).toEqual([0, "installed", ""]);
  expect(await nameOf(follower)).toBe("Acme Corp");
  expect(await follow()).toEqual([0, "unchanged", ""]);
  await publish(second, address);
  expect(await follow()).toEqual([0, "installed", ""]);
  expect(await nameOf(follower)).toBe("Acme Corporation");
  // After an operator's rollback, the old edition stays until something new is published.
  expect((await follower.run("data", "rollback")).code).toBe(0);
  expect(await follow()).toEqual([0, "unchanged", ""]);
  expect(await nameOf(follower)).toBe("Acme Corp");
}

test("through a file that all machines see", () => round(join(folder, "shared.sqlite")));

describe("over HTTP", () => {
  let held: Uint8Array<ArrayBuffer> = new Uint8Array();
  let sent = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (request.method === "PUT") {
        held = new Uint8Array(await request.arrayBuffer());
        return new Response(null, { status: 201 });
      }
      const etag = `"${Bun.hash(held)}"`;
      if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304 });
      sent += 1;
      return new Response(held, { headers: { etag } });
    },
  });
  afterAll(() => server.stop(true));
  const address = `http://127.0.0.1:${server.port}/execcomp.sqlite`;

  test("an unchanged file is not sent again", async () => {
    await round(address);
    // Once to the unauthorized follower, and once per version to the authorized one.
    expect(sent).toBe(3);
  });

  test("a damaged, unsigned or forged file is refused, and the current dataset stays", async () => {
    const key = await publisher()(first, address);
    const follower = machine({ datasetUrl: address, datasetSigner: key });
    expect((await follower.run("data", "follow")).code).toBe(0);
    const whole = held;
    const damaged = held.slice();
    damaged[damaged.length - 2000] = (damaged[damaged.length - 2000] ?? 0) ^ 1;
    for (const [bytes, why] of [
      [damaged, /hash|seal|whole|damaged/i],
      [new Uint8Array(readFileSync(second)), /unsigned/],
      [new TextEncoder().encode("<html>"), /not|SQLite|snapshot/i],
    ] as const) {
      held = bytes;
      const { code, err } = await follower.run("data", "follow");
      expect(code).toBe(1);
      expect(err).toMatch(why);
      expect(await nameOf(follower)).toBe("Acme Corp");
    }
    held = whole;
  });

  test("--offline fetches nothing", async () => {
    const before = sent;
    const { code, err } = await machine({ datasetUrl: address, offline: "true" }).run("data", "follow");
    expect([code, err]).toEqual([1, expect.stringContaining("--offline")]);
    expect(sent).toBe(before);
  });

  test("processes started by a server with --offline fetch nothing either", async () => {
    const before = sent;
    const lines: string[] = [];
    const log = createLog({ now: () => 0 }, (line) => lines.push(line));
    const { dataDir } = machine({});
    const loaded = loadConfig({ dataDir, datasetUrl: address, offline: "true" }, undefined, {});
    await look({ loaded, program: PROGRAM, log });
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      event: "dataset_not_followed",
      message: expect.stringContaining("--offline is set"),
    });
    expect(sent).toBe(before);
  });

  test("a running server loads what its check installs, and /readyz names the edition that answers", async () => {
    const key = await publisher()(first, address);
    const server = await startTestServer();
    const { dataDir } = server.services.config;
    const lines: string[] = [];
    const log = createLog({ now: () => 0 }, (line) => lines.push(line));
    const loaded = loadConfig({ dataDir, datasetUrl: address, datasetSigner: key }, undefined, {});
    expect((await server.get("/readyz")).headers.get("dataset")).not.toStartWith("2026-01-01");
    await look({ loaded, program: PROGRAM, log });
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(["dataset_followed"]);
    await until("the server answers from it", async () => {
      server.advance(1000);
      const { headers } = await server.get("/readyz");
      return headers.get("dataset")?.startsWith("2026-01-01 ") === true;
    });
    held = new Uint8Array();
    await look({ loaded, program: PROGRAM, log });
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ event: "dataset_not_followed", level: "error" });
    expect((await server.get("/t/ACME/facts")).status).toBe(200);
    await server.stop();
  });
});

describe("through S3-compatible storage", () => {
  let storage: S3rver;
  let endpoint = "";
  beforeAll(async () => {
    const options = { port: 0, address: "127.0.0.1", silent: true, directory: join(folder, "s3") };
    storage = new S3rver({ ...options, configureBuckets: [{ name: "pay" }] });
    endpoint = `http://127.0.0.1:${(await storage.run()).port}`;
  });
  // Not awaited: this storage waits for the answer that a follower broke off at the unknown signer.
  afterAll(() => void storage.close());

  test("an object is published and followed with the configured credentials", async () => {
    const secrets = { s3Endpoint: endpoint, s3AccessKeyId: "S3RVER", s3SecretAccessKey: "S3RVER" };
    await round("s3://pay/editions/execcomp.sqlite", secrets);
  });

  test("wrong credentials publish nothing, and appear in no message", async () => {
    // The test's storage knows one account, and does not check version 4 signatures.
    const secrets = { s3Endpoint: endpoint, s3AccessKeyId: "STRANGER", s3SecretAccessKey: "wrong-secret" };
    const { code, err } = await machine(secrets).run("data", "publish", "s3://pay/other.sqlite");
    expect([code, err]).toEqual([1, expect.stringContaining("403")]);
    expect(err).not.toMatch(/wrong-secret|X-Amz-Signature/);
    const none = await machine().run("data", "publish", "s3://pay/other.sqlite");
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("EXECCOMP_S3_SECRET_ACCESS_KEY")]);
  });
});

test("a password in an address is sent, but appears in no log, message or audit entry", async () => {
  const credentials = `Basic ${btoa("ann:a-secret-of-ann")}`;
  let held: Uint8Array<ArrayBuffer> = new Uint8Array();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (request.headers.get("authorization") !== credentials) return new Response(null, { status: 401 });
      if (request.method === "PUT") held = new Uint8Array(await request.arrayBuffer());
      return new Response(held, { headers: { etag: `"${Bun.hash(held)}"` } });
    },
  });
  const address = `http://ann:a-secret-of-ann@127.0.0.1:${server.port}/execcomp.sqlite`;
  const key = await publisher()(first, address);
  const follower = machine({ datasetUrl: address, datasetSigner: key });
  await follower.run("keys", "create", "--user", "ann@example.com");
  const followed = await follower.run("data", "follow");
  expect([followed.code, followed.err]).toEqual([0, ""]);
  const audit = await follower.run("audit", "--json");
  expect(audit.out).toContain(`http://127.0.0.1:${server.port}/execcomp.sqlite`);
  expect(audit.out).not.toContain("a-secret");
  const lines: string[] = [];
  const log = createLog({ now: () => 0 }, (line) => lines.push(line));
  const settings = { dataDir: follower.dataDir, datasetUrl: address.replace("ann:", "bob:") };
  await look({ loaded: loadConfig(settings, undefined, {}), program: PROGRAM, log });
  expect(lines.at(-1)).toContain("dataset_not_followed");
  expect(lines.join()).not.toContain("a-secret");
  await server.stop(true);
});

test("publishing and exporting are in the audit log, with the address but not its password", async () => {
  const { run } = machine();
  await run("keys", "create", "--user", "ann@example.com");
  await run("data", "publish", join(folder, "audited.sqlite"));
  await run("data", "export", "--format", "csv", "--out", join(folder, "audited.csv"));
  await run("data", "export", "--format", "csv", "--out", "-");
  const { out } = await run("audit", "--json");
  const acts = (JSON.parse(out) as { act: string; after: { to?: string } | null }[]).filter(({ act }) =>
    /^dataset_(published|exported)$/.test(act),
  );
  expect(acts.map(({ act, after }) => [act, after?.to]).toSorted()).toEqual([
    ["dataset_exported", "-"],
    ["dataset_exported", join(folder, "audited.csv")],
    ["dataset_published", join(folder, "audited.sqlite")],
  ]);
});

describe("an older edition", () => {
  const shared = join(folder, "older.sqlite");

  test("is refused though correctly signed, also after a rollback; --allow-older accepts it once", async () => {
    const publish = publisher();
    const key = await publish(second, shared);
    const follower = machine({ datasetUrl: shared, datasetSigner: key });
    expect((await follower.run("data", "follow")).code).toBe(0);
    await publish(first, shared);
    for (const before of [[], ["data", "rollback"]]) {
      if (before.length > 0) await follower.run(...before);
      const { code, err } = await follower.run("data", "follow");
      expect([code, err]).toEqual([1, expect.stringContaining("2026-01-01 is older than 2026-02-01")]);
    }
    const allowed = await follower.run("data", "follow", "--allow-older");
    expect([allowed.code, allowed.err]).toEqual([0, ""]);
    expect(await nameOf(follower)).toBe("Acme Corp");
    expect((await follower.run("data", "follow")).out).toBe("unchanged\n");
  });

  test("cannot be made newer: the signature covers the edition", async () => {
    const key = await publisher()(first, shared);
    const bytes = readFileSync(shared);
    bytes.write("2026-09-09", bytes.indexOf("execcomp-seal-2:") + 16, "latin1");
    writeFileSync(shared, bytes);
    const { code, err } = await machine({ datasetUrl: shared, datasetSigner: key }).run("data", "follow");
    expect(code).toBe(1);
    expect(err).toMatch(/does not match its content|is not the sealed one/);
  });
});

test("plain http to another machine is neither followed nor published to", async () => {
  const s3 = { s3Endpoint: "http://s3.example.com", s3AccessKeyId: "a", s3SecretAccessKey: "b" };
  const { run } = machine({ datasetUrl: "s3://pay/x.sqlite", ...s3 });
  for (const words of [["follow"], ["publish", "s3://pay/x"], ["publish", "http://data.example.com/x"]]) {
    const { code, err } = await run("data", ...words);
    expect([code, err]).toEqual([1, expect.stringContaining("does not use https")]);
    expect(err).not.toContain("Signature");
  }
});

test("an incomplete file is refused, and accepted once it is complete", async () => {
  const shared = join(folder, "slow.sqlite");
  const key = await publisher()(first, shared);
  const whole = readFileSync(shared);
  writeFileSync(shared, whole.subarray(0, whole.length / 2));
  const follower = machine({ datasetUrl: shared, datasetSigner: key });
  expect((await follower.run("data", "follow")).code).toBe(1);
  writeFileSync(shared, whole);
  expect((await follower.run("data", "follow")).code).toBe(0);
});

test("an unreadable address is named without its password", async () => {
  const { err } = await machine({ datasetUrl: "ftp://ann:a-secret-of-ann@127.0.0.1/x" }).run(
    "data",
    "follow",
  );
  expect(err).toContain('EXECCOMP_DATASET_URL "ftp://********@127.0.0.1/x"');
  const wrong = await machine({ windows: "valkey:/:a-secret-of-ann@" }).run("config", "print");
  expect(wrong.err).toContain('EXECCOMP_WINDOWS "********"');
  const signed = machine({ datasetUrl: "https://h/x?X-Amz-Signature=a-secret&b=1" });
  expect((await signed.run("config", "print")).out).toContain("https://h/x?********  (environment)");
  expect((await signed.run("config", "print", "--json")).out).not.toContain("a-secret");
  const secret = machine({ datasetUrl: "https://ann:a-secret-of-ann@h/x", windows: "valkey://:a-secret@h" });
  const printed = await secret.run("config", "print");
  expect(printed.out).not.toContain("a-secret");
  expect(printed.out).toContain("https://********@h/x");
});
