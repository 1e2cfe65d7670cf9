import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type } from "arktype";
import { startTestServer } from "./support/server.ts";

const MONITORING = join(import.meta.dir, "../docs/monitoring");

const Dashboard = type({
  panels: type({ title: "string", targets: type({ expr: "string" }).array() }).array(),
});
const dashboard = Dashboard.assert(JSON.parse(readFileSync(join(MONITORING, "dashboard.json"), "utf8")));
const rules = readFileSync(join(MONITORING, "alerts.yml"), "utf8");

test("every metric used by dashboard and rules is exported by the server", async () => {
  const server = await startTestServer({ metricsListen: "127.0.0.1:0" });
  const line = server.lines.find((one) => one.includes('"event":"metrics"')) ?? "";
  const { address } = type({ address: "string" }).assert(JSON.parse(line));
  const text = await (await fetch(`http://${address}/metrics`)).text();
  await server.stop();
  const known = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name));
  const queries = [...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), rules];
  const asked = queries.flatMap((query) => query.match(/\b(?:execcomp|process)_\w+/g) ?? []);
  expect(asked.length).toBeGreaterThan(20);
  for (const name of asked)
    expect(known).toContain(name.replace(/_(bucket|count|sum)$/, known.has(name) ? "$&" : ""));
});

const promtool = Bun.which("promtool");
if (promtool === null) console.log("skipped: promtool is not installed, so it does not test the alerts");

test.skipIf(promtool === null)("each alert fires when it should and not before", () => {
  const child = Bun.spawnSync([promtool ?? "", "test", "rules", "alerts.test.yml"], { cwd: MONITORING });
  expect(child.stderr.toString() + child.stdout.toString()).toContain("SUCCESS");
  const tested = readFileSync(join(MONITORING, "alerts.test.yml"), "utf8");
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = ""]) => name);
  expect(alerts).toContain("ExeccompDown");
  for (const name of alerts) expect(tested).toContain(`alertname: ${name}`);
});
