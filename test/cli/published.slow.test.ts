import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import S3rver from "s3rver";
import { loadConfig, type SettingName, variableOf } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import { look } from "../../src/operate/dataset.ts";
import { PROGRAM } from "../support/program.ts";
import { startTestServer } from "../support/server.ts";
import { startServerProcess } from "../support/server-process.ts";
import { until } from "../support/until.ts";
import { publishing } from "./publishing.ts";

const { folder, first, second, machine, publisher, nameOf, round } = publishing();

test("three servers follow what is published in storage, and swap without failing a request", async () => {
  const options = { port: 0, address: "127.0.0.1", silent: true, directory: join(folder, "s3-three") };
  const storage = new S3rver({ ...options, configureBuckets: [{ name: "pay" }] });
  const s3Endpoint = `http://127.0.0.1:${(await storage.run()).port}`;
  const address = "s3://pay/execcomp.sqlite";
  const secrets = { s3Endpoint, s3AccessKeyId: "S3RVER", s3SecretAccessKey: "S3RVER" };
  const publish = publisher(secrets);
  const key = await publish(first, address);
  const environment = Object.fromEntries(
    Object.entries(secrets).map(([name, text]) => [variableOf(name as SettingName), text]),
  );
  const flags = ["--dataset-url", address, "--dataset-signer", key, "--rate-anonymous", "1000000"];
  const servers = await Promise.all([1, 2, 3].map(() => startServerProcess(flags, { environment })));
  const editions = () =>
    Promise.all(
      servers.map(async ({ origin }) => {
        const { headers } = await fetch(`${origin}/readyz`);
        return headers.get("dataset")?.split(" ")[0];
      }),
    );
  const all = async (edition: string) => (await editions()).every((one) => one === edition);
  await until("all have the first edition", () => all("2026-01-01"));

  const names = new Map<string, number>();
  const over = new AbortController();
  const asking = servers.map(async ({ origin }) => {
    while (!over.signal.aborted) {
      const answer = await fetch(`${origin}/t/ACME/facts`);
      const { company_name } = (await answer.json()) as { company_name?: string };
      const seen = `${answer.status} ${company_name}`;
      names.set(seen, (names.get(seen) ?? 0) + 1);
    }
  });
  await publish(second, address);
  for (const { pid } of servers) process.kill(pid, "SIGHUP");
  await until("all have the second edition", () => all("2026-02-01"));
  over.abort();
  await Promise.all(asking);
  expect([...names.keys()].toSorted()).toEqual(["200 Acme Corp", "200 Acme Corporation"]);
  await Promise.all(servers.map((server) => server.stop()));
  await storage.close();
});

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

test("an older edition is refused though correctly signed, also after a rollback; --allow-older accepts it once", async () => {
  const shared = join(folder, "older.sqlite");
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
