import { dlopen, ptr } from "bun:ffi";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readSupervision } from "../../src/config.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
const isLinux = process.platform === "linux";

/** A datagram socket as systemd has one. */
function receiver(path: string) {
  const { symbols } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    recv: { args: ["i32", "ptr", "usize", "i32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });
  const address = Buffer.alloc(110);
  address.writeUInt16LE(1, 0);
  Buffer.from(path).copy(address, 2);
  const socket = symbols.socket(1, 2, 0);
  expect(symbols.bind(socket, ptr(address), 2 + Buffer.byteLength(path) + 1)).toBe(0);
  const received: string[] = [];
  const DONT_WAIT = 0x40;
  const buffer = Buffer.alloc(1000);
  const read = () => {
    for (;;) {
      const size = Number(symbols.recv(socket, ptr(buffer), buffer.length, DONT_WAIT));
      if (size < 0) return received;
      received.push(buffer.toString("utf8", 0, size));
    }
  };
  return { read, close: () => symbols.close(socket) };
}

/** Serves until it has said enough. */
async function serveUnder(
  environment: Record<string, string>,
  read: () => string[],
  isEnough: () => boolean,
) {
  const stopped = Promise.withResolvers<string>();
  const ended = cli("serve", "--port", "0", {
    environment: { EXECCOMP_DATA_DIR: join(folder, String(Math.floor(performance.now()))), ...environment },
    stopped: stopped.promise,
  });
  while (!isEnough()) await Bun.sleep(5);
  stopped.resolve("SIGTERM");
  expect((await ended).code).toBe(0);
  return read();
}

describe.skipIf(!isLinux)("under systemd", () => {
  test("the server says when it answers, that it is alive, and that it ends", async () => {
    const path = join(folder, "notify");
    const manager = receiver(path);
    const environment = { NOTIFY_SOCKET: path, WATCHDOG_USEC: "20000" };
    const heard = await serveUnder(environment, manager.read, () => manager.read().includes("WATCHDOG=1"));
    manager.close();
    expect(heard[0]).toBe("READY=1");
    expect(heard.filter((text) => text === "WATCHDOG=1").length).toBeGreaterThan(0);
    expect(heard.at(-1)).toBe("STOPPING=1");
  });

  test("without a watchdog it says no more than that it answers and that it ends", async () => {
    const path = join(folder, "notify-plain");
    const manager = receiver(path);
    const heard = await serveUnder({ NOTIFY_SOCKET: path }, manager.read, () => manager.read().length > 0);
    manager.close();
    expect(heard).toEqual(["READY=1", "STOPPING=1"]);
  });

  test("a manager that does not listen keeps no server from serving", async () => {
    const ran = await cli("serve", "--port", "0", {
      environment: { EXECCOMP_DATA_DIR: join(folder, "deaf"), NOTIFY_SOCKET: join(folder, "nobody") },
    });
    expect(ran.code).toBe(0);
  });
});

test("what the environment says of a manager is read, and what is none is passed over", () => {
  expect(readSupervision({ NOTIFY_SOCKET: "@abstract", WATCHDOG_USEC: "30000000" })).toEqual({
    notifySocket: "@abstract",
    watchdogMs: 30_000,
    sockets: 0,
  });
  expect(readSupervision({ NOTIFY_SOCKET: "vsock:2:1", WATCHDOG_USEC: "soon" })).toEqual({
    notifySocket: null,
    watchdogMs: null,
    sockets: 0,
  });
  expect(readSupervision({})).toEqual({ notifySocket: null, watchdogMs: null, sockets: 0 });
});
