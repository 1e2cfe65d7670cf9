import { connect } from "node:net";
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readSupervision } from "../../src/config.ts";
import { tempFolder } from "../support/folder.ts";
import { type ListeningSocket, openListeningSocket } from "../support/listening-socket.ts";
import { PROGRAM } from "../support/program.ts";

const folder = tempFolder();

/** A server that inherits a socket as from systemd: descriptor 3, and its own process id in LISTEN_PID. */
async function start(socket: ListeningSocket, place: string, ...flags: string[]) {
  const serve = [...PROGRAM, "serve", ...flags];
  const child = Bun.spawn(["sh", "-c", 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', "sh", ...serve], {
    env: { EXECCOMP_DATA_DIR: join(folder, place), HOME: folder, PATH: process.env["PATH"] },
    stdio: ["ignore", "pipe", "pipe", socket.fd],
  });
  const reader = child.stdout.getReader();
  let out = "";
  while (!out.includes("ready ")) {
    const { value, done } = await reader.read();
    if (done) {
      throw new Error(`ended with ${await child.exited}: ${await new Response(child.stderr).text()}`);
    }
    out += new TextDecoder().decode(value);
  }
  reader.releaseLock();
  return { child, out };
}

const facts = (port: number, from?: string) =>
  fetch(`http://localhost:${port}/t/AAPL/facts`, {
    headers: { connection: "close", ...(from === undefined ? {} : { "x-forwarded-for": from }) },
  });

/** Ports that a process listens on, from /proc. */
async function innerPort(pid: number, not: number): Promise<number> {
  const inodes = new Set<string>();
  for await (const fd of new Bun.Glob("*").scan({ cwd: `/proc/${pid}/fd`, onlyFiles: false })) {
    const [, inode] = /socket:\[(\d+)\]/.exec(await linkOf(`/proc/${pid}/fd/${fd}`)) ?? [];
    if (inode !== undefined) inodes.add(inode);
  }
  const lines = (await Bun.file("/proc/net/tcp").text()).split("\n").slice(1);
  const listening = lines.map((line) => line.trim().split(/\s+/)).filter(([, , , state]) => state === "0A");
  const ports = listening.flatMap(([, local = "", , , , , , , , inode = ""]) =>
    inodes.has(inode) ? [Number.parseInt(local.split(":")[1] ?? "", 16)] : [],
  );
  return ports.find((port) => port !== not) ?? 0;
}
const linkOf = (path: string) => Bun.$`readlink ${path}`.nothrow().quiet().text();

describe.skipIf(process.platform !== "linux")("a socket passed by the service manager", () => {
  const socket = openListeningSocket();
  afterAll(() => socket[Symbol.dispose]());

  test("is answered on, with the client's address, and the port behind it is not for callers", async () => {
    const { child, out } = await start(
      socket,
      "one",
      "--rate-anonymous",
      "2",
      "--trusted-proxies",
      "127.0.0.1",
    );
    expect(out).toContain(`ready http://localhost:${socket.port}`);
    // A proxy on this machine is trusted: the relay passed on the address that it came from.
    const statuses = [];
    for (const from of ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"])
      statuses.push((await facts(socket.port, from)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
    const behind = await innerPort(child.pid, socket.port);
    expect(behind).toBeGreaterThan(0);
    const answer = await fetch(`http://127.0.0.1:${behind}/t/AAPL/facts`, {
      headers: { host: `localhost:${socket.port}` },
    });
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining("not for callers")]);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("no request fails while servers replace each other: the kernel queues connections in between", async () => {
    let { child } = await start(socket, "two", "--rate-anonymous", "1000000");
    const going = { on: true };
    const seen: Record<string, number> = {};
    const caller = async () => {
      while (going.on) {
        const said = await facts(socket.port).then(
          async (answer) => `${answer.status} ${(await answer.text()).slice(0, 16)}`,
          (error) => `failed: ${String(error)}`,
        );
        seen[said] = (seen[said] ?? 0) + 1;
      }
    };
    const callers = Array.from({ length: 4 }, caller);
    for (let restarts = 0; restarts < 3; restarts++) {
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
      ({ child } = await start(socket, "two", "--rate-anonymous", "1000000"));
    }
    going.on = false;
    await Promise.all(callers);
    child.kill("SIGTERM");
    await child.exited;
    expect(Object.keys(seen)).toEqual(['200 {"ticker":"AAPL"']);
  }, 300_000);

  test("an answer that its client reads slowly arrives complete", async () => {
    const { child } = await start(socket, "three");
    const { promise, resolve } = Promise.withResolvers<void>();
    let bytes = 0;
    const client = connect(socket.port, "127.0.0.1", () =>
      client.write(
        `GET /api/docs/reference.js HTTP/1.1\r\nHost: localhost:${socket.port}\r\nConnection: close\r\n\r\n`,
      ),
    );
    client.on("data", (chunk) => {
      bytes += chunk.length;
      client.pause();
      setTimeout(() => client.resume(), 1);
    });
    client.on("close", () => resolve());
    await promise;
    const whole = await fetch(`http://localhost:${socket.port}/api/docs/reference.js`, {
      method: "HEAD",
      decompress: false,
    });
    expect(bytes).toBeGreaterThan(Number(whole.headers.get("content-length")));
    child.kill("SIGTERM");
    await child.exited;
  });

  test("may be a Unix socket, for a trusted proxy", async () => {
    const path = join(folder, "handed.sock");
    using handed = openListeningSocket(path);
    const flags = ["--public-url", "http://pay.example.com", "--rate-anonymous", "1"];
    const { child, out } = await start(handed, "five", ...flags);
    expect(out).toContain(`ready unix:${path}`);
    const ask = (from: string) =>
      fetch("http://pay.example.com/t/AAPL/facts", {
        unix: path,
        headers: { "x-forwarded-for": from, connection: "close" },
      });
    const statuses = [];
    for (const from of ["192.0.2.1", "192.0.2.1", "192.0.2.2"]) statuses.push((await ask(from)).status);
    expect(statuses).toEqual([200, 429, 200]);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("is refused together with --socket", async () => {
    const starting = start(socket, "four", "--socket", join(folder, "four.sock"));
    await expect(starting).rejects.toThrow(/ended with 1: [^]*Remove --socket/);
  });
});

test("sockets passed to another process are ignored", () => {
  const of = (LISTEN_PID: string) => readSupervision({ LISTEN_PID, LISTEN_FDS: "1" }).sockets;
  expect([of(String(process.pid)), of("1"), of(""), readSupervision({}).sockets]).toEqual([1, 0, 0, 0]);
});
