import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/background-server.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const folder = tempFolder();
const SOCKET = join(folder, "http.sock");
const environment = { EXECCOMP_DATA_DIR: join(folder, "data"), HOME: folder, PATH: process.env["PATH"] };
const execcomp = (...words: string[]) => [...PROGRAM, ...words];

async function start(...flags: string[]) {
  const words = [
    "serve",
    "--socket",
    SOCKET,
    "--public-url",
    "http://localhost",
    "--rate-key",
    "1000000",
    ...flags,
  ];
  const child = Bun.spawn(execcomp(...words, "--unmetered"), {
    env: environment,
    stdout: "pipe",
    stderr: "ignore",
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  if (!new TextDecoder().decode(value).startsWith("ready "))
    throw new Error(`ended with ${await child.exited}`);
  reader.releaseLock();
  return child;
}

/** nginx in front of the socket, with everything that it writes in a folder of the test. */
function startNginx(port: number) {
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temporary = places.map((name) => `${name}_temp_path ${join(folder, name)};`).join(" ");
  const user = process.getuid?.() === 0 ? "user root;" : "";
  mkdirSync(join(folder, "nginx"), { recursive: true });
  writeFileSync(
    join(folder, "nginx.conf"),
    `${user} daemon off; worker_processes 1; pid ${join(folder, "nginx.pid")}; error_log ${join(folder, "nginx.log")};
     events { worker_connections 4096; }
     http { access_log off; ${temporary}
       server { listen 127.0.0.1:${port}; location / {
         proxy_pass http://unix:${SOCKET};
         proxy_set_header Host $host;
         proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; } } }`,
  );
  return Bun.spawn(["nginx", "-c", join(folder, "nginx.conf")], { stdout: "ignore", stderr: "ignore" });
}

const hasNginx = Bun.which("nginx") !== null;
if (!hasNginx) console.log("skipped: nginx is not installed, so restarts behind it are not tested");

test.skipIf(!hasNginx)(
  "behind nginx, 200 POSTs a second over four restarts, and none fails",
  async () => {
    let server = await start();
    const made = Bun.spawnSync(execcomp("keys", "create", "--user", "a@example.com", "--json"), {
      env: environment,
    });
    const { key } = JSON.parse(made.stdout.toString());
    const port = freePort();
    const nginx = startNginx(port);
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/mcp`, {
        method: "POST",
        headers: {
          host: "localhost",
          "x-api-key": key,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-11-25",
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_executive_compensation","arguments":{"ticker":"AAPL"}}}',
      }).then(
        (answer) =>
          answer
            .text()
            .then((text) =>
              text.includes("74294811") ? String(answer.status) : `${answer.status}: ${text.slice(0, 300)}`,
            ),
        (error) => String(error),
      );
    try {
      while ((await ask()) !== "200") await Bun.sleep(50);
      const outcomes = new Map<string, number>();
      const flying = new Set<Promise<void>>();
      const timer = setInterval(() => {
        const one: Promise<void> = ask()
          .then((outcome) => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1))
          .finally(() => flying.delete(one));
        flying.add(one);
      }, 5);
      for (let restarts = 0; restarts < 4; restarts++) {
        const next = await start("--take-over");
        expect(await server.exited).toBe(0);
        server = next;
      }
      while (outcomes.size < 2 && (outcomes.get("200") ?? 0) <= 200) await Bun.sleep(20);
      clearInterval(timer);
      await Promise.all(flying);
      expect([...outcomes.keys()]).toEqual(["200"]);
      expect(outcomes.get("200")).toBeGreaterThan(200);
    } finally {
      nginx.kill();
      server.kill("SIGTERM");
      await Promise.all([nginx.exited, server.exited]);
    }
  },
  300_000,
);
