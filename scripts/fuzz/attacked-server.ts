/** A server in a process of its own, for attacks over real sockets, with what the kernel says of its memory and CPU. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readyOrigin } from "../bench/starting.ts";

/** A server that is attacked. It trusts this machine as a proxy, so that requests may come from any address. */
export interface AttackedServer {
  origin: URL;
  /** A good API key. */
  key: string;
  /** Runs a command of the program on the server's data. @returns what it printed */
  run(...args: string[]): string;
  usage(): Usage;
  stop(): Promise<void>;
}

/** What a process uses. Known on Linux only. */
export interface Usage {
  memoryMb: number;
  peakMb: number;
  cpuMs: number;
}

/** Whose key the attackers have. */
export const USER = "fuzz@example.com";

/** @param executable the built program; the source when none is given */
export async function startAttackedServer(executable: string | undefined): Promise<AttackedServer> {
  const main = join(dirname(dirname(import.meta.dir)), "src", "main.ts");
  const command = executable === undefined ? [process.execPath, main] : [resolve(executable)];
  const dataDir = mkdtempSync(join(tmpdir(), "execcomp-attacked-"));
  const env = { HOME: dataDir, EXECCOMP_DATA_DIR: dataDir, EXECCOMP_TRUSTED_PROXIES: "127.0.0.1" };
  const run = (...args: string[]) => Bun.spawnSync([...command, ...args], { env }).stdout.toString();
  // The command's own JSON.
  const { key } = JSON.parse(run("keys", "create", "--user", USER, "--json")) as { key: string };
  const server = Bun.spawn([...command, "serve", "--port", "0"], {
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  return {
    origin: new URL(await readyOrigin(server.stdout)),
    key,
    run,
    usage: () => usageOf(server.pid),
    async stop() {
      server.kill();
      await server.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return {
    memoryMb: field("VmRSS"),
    peakMb: field("VmHWM"),
    cpuMs: (Number(stat[11]) + Number(stat[12])) * 10,
  };
}
