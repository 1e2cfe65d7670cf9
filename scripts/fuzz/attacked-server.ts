/** A server in a separate process, for attacks over real sockets, with the kernel's figures of its memory and CPU. */
import { readFileSync } from "node:fs";
import { type ServerUnderTest, startServer } from "../external-tools.ts";

/** A server under attack. It trusts this machine as a proxy, so that requests may come from any address. */
export interface AttackedServer extends Pick<ServerUnderTest, "run" | "stop"> {
  origin: URL;
  /** A valid API key. */
  key: string;
  usage(): Usage;
}

/** Resource usage of a process. Linux only. */
export interface Usage {
  memoryMb: number;
  peakMb: number;
  cpuMs: number;
}

/** The user whose key the attackers have. */
export const USER = "fuzz@example.com";

/** @param executable the built program; default the sources */
export async function startAttackedServer(executable: string | undefined): Promise<AttackedServer> {
  const server = await startServer(executable, { EXECCOMP_TRUSTED_PROXIES: "127.0.0.1" });
  const { out } = await server.run("keys", "create", "--user", USER, "--json");
  // The command's own JSON.
  const { key } = JSON.parse(out) as { key: string };
  return { ...server, origin: new URL(server.origin), key, usage: () => usageOf(server.pid) };
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
