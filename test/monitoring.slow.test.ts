import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type } from "arktype";
import { startTestServer } from "./support/server.ts";
import { until } from "./support/until.ts";

const MONITORING = join(import.meta.dir, "../docs/monitoring");
const folder = mkdtempSync(join(tmpdir(), "execcomp-prometheus-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const Dashboard = type({
  panels: type({ title: "string", targets: type({ expr: "string" }).array() }).array(),
});
const dashboard = Dashboard.assert(JSON.parse(readFileSync(join(MONITORING, "dashboard.json"), "utf8")));
const rules = readFileSync(join(MONITORING, "alerts.yml"), "utf8");

const prometheus = Bun.which("prometheus");
if (prometheus === null) console.log("skipped: prometheus is not installed");

const Answer = type({ status: "string", data: "unknown" });
const Alerts = type({ alerts: type({ labels: { alertname: "string" }, state: "string" }).array() });

test.skipIf(prometheus === null)(
  "a real Prometheus scrapes the server, answers each panel of the dashboard, and reports when the server is down",
  async () => {
    const server = await startTestServer({ metricsListen: "127.0.0.1:0" });
    const line = server.lines.find((one) => one.includes('"event":"metrics"')) ?? "";
    const { address } = type({ address: "string" }).assert(JSON.parse(line));
    // In a test, no alert has to wait a minute.
    writeFileSync(join(folder, "alerts.yml"), rules.replaceAll(/^( +)for: .*$/gm, "$1for: 0s"));
    writeFileSync(
      join(folder, "prometheus.yml"),
      `global: { scrape_interval: 200ms, evaluation_interval: 200ms }\nrule_files: [alerts.yml]\nscrape_configs:\n  - job_name: execcomp\n    static_configs: [{ targets: ["${address}"] }]\n`,
    );
    const free = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const origin = `http://127.0.0.1:${free.port}`;
    free.stop();
    const child = Bun.spawn(
      [
        prometheus ?? "",
        `--config.file=${join(folder, "prometheus.yml")}`,
        `--storage.tsdb.path=${join(folder, "data")}`,
        `--web.listen-address=${new URL(origin).host}`,
      ],
      { stdout: "ignore", stderr: "ignore" },
    );
    const ask = async (query: string) => {
      const answer = await fetch(`${origin}/api/v1/query?query=${encodeURIComponent(query)}`);
      return Answer.assert(await answer.json());
    };
    const firing = async () => {
      const answer = Answer.assert(await (await fetch(`${origin}/api/v1/alerts`)).json());
      const { alerts } = Alerts.assert(answer.data);
      return alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname);
    };
    try {
      // It does not listen immediately.
      const isReady = async () => JSON.stringify(await ask("execcomp_ready")).includes('"1"');
      await until("the server is seen", () => isReady().catch(() => false));
      for (const { targets } of dashboard.panels) {
        for (const { expr } of targets) {
          const answer = await ask(expr.replaceAll("$__rate_interval", "1m"));
          expect({ expr, status: answer.status }).toEqual({ expr, status: "success" });
        }
      }
      expect(await firing()).not.toContain("ExeccompDown");
      await server.stop();
      await until("the alert fires", async () => (await firing()).includes("ExeccompDown"));
    } finally {
      child.kill();
      await child.exited;
    }
  },
  300_000,
);
