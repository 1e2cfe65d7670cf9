import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readSupervision } from "../../src/config.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { openNotifySocket } from "../support/notify-socket.ts";
import { until } from "../support/until.ts";

const folder = tempFolder();
const isLinux = process.platform === "linux";

/** Serves until it has sent enough messages. */
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
  await until("it has sent enough", isEnough);
  stopped.resolve("SIGTERM");
  expect((await ended).code).toBe(0);
  return read();
}

describe.skipIf(!isLinux)("under systemd", () => {
  test("the server reports that it is ready, that it is alive, and that it is stopping", async () => {
    const path = join(folder, "notify");
    const manager = openNotifySocket(path);
    const environment = { NOTIFY_SOCKET: path, WATCHDOG_USEC: "20000" };
    const heard = await serveUnder(environment, manager.read, () => manager.read().includes("WATCHDOG=1"));
    manager.close();
    expect(heard[0]).toBe("READY=1");
    expect(heard.filter((text) => text === "WATCHDOG=1").length).toBeGreaterThan(0);
    expect(heard.at(-1)).toBe("STOPPING=1");
  });

  test("without a watchdog it reports only that it is ready and that it is stopping", async () => {
    const path = join(folder, "notify-plain");
    const manager = openNotifySocket(path);
    const heard = await serveUnder({ NOTIFY_SOCKET: path }, manager.read, () => manager.read().length > 0);
    manager.close();
    expect(heard).toEqual(["READY=1", "STOPPING=1"]);
  });

  test("a manager that does not listen does not stop the server", async () => {
    const ran = await cli("serve", "--port", "0", {
      environment: { EXECCOMP_DATA_DIR: join(folder, "deaf"), NOTIFY_SOCKET: join(folder, "nobody") },
    });
    expect(ran.code).toBe(0);
  });
});

test("a service manager's environment is read, and anything else is ignored", () => {
  expect(readSupervision({ NOTIFY_SOCKET: "@abstract", WATCHDOG_USEC: "30000000" })).toEqual({
    notifySocket: "@abstract",
    watchdogMs: 30_000,
  });
  expect(readSupervision({ NOTIFY_SOCKET: "vsock:2:1", WATCHDOG_USEC: "soon" })).toEqual({
    notifySocket: null,
    watchdogMs: null,
  });
  expect(readSupervision({})).toEqual({ notifySocket: null, watchdogMs: null });
});
