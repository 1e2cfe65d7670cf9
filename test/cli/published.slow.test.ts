import { expect, test } from "bun:test";
import { join } from "node:path";
import S3rver from "s3rver";
import { type SettingName, variableOf } from "../../src/config.ts";
import { startServerProcess } from "../support/server-process.ts";
import { until } from "../support/until.ts";
import { publishing } from "./publishing.ts";

const { folder, first, second, publisher } = publishing();

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
