/** One dataset, published once and followed by file; over HTTP and through S3-compatible storage it is a slow test. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publishing } from "./publishing.ts";

const { folder, first, machine, publisher, round } = publishing();

test("through a file that all machines see", () => round(join(folder, "shared.sqlite")));

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

test("an edition cannot be made newer: the signature covers it", async () => {
  const shared = join(folder, "newer.sqlite");
  const key = await publisher()(first, shared);
  const bytes = readFileSync(shared);
  bytes.write("2026-09-09", bytes.indexOf("execcomp-seal-2:") + 16, "latin1");
  writeFileSync(shared, bytes);
  const { code, err } = await machine({ datasetUrl: shared, datasetSigner: key }).run("data", "follow");
  expect(code).toBe(1);
  expect(err).toMatch(/does not match its content|is not the sealed one/);
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
