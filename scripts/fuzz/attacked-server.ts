/** A server in a separate process, for attacks over real sockets, with the kernel's figures of its memory and CPU. */
import { readFileSync } from "node:fs";
import { cpuSeconds } from "../bench/harness.ts";
import { startServer } from "../external-tools.ts";

/** The user whose key the attackers have. */
export const USER = "fuzz@example.com";

/**
 * It trusts this machine as a proxy, so that requests may come from any address. @param executable the built program;
 * default the sources
 */
export async function startAttackedServer(executable: string | undefined) {
  const server = await startServer(executable, { EXECCOMP_TRUSTED_PROXIES: "127.0.0.1" });
  const { out } = await server.run("keys", "create", "--user", USER, "--json");
  // The command's own JSON.
  const { key } = JSON.parse(out) as { key: string };
  const usage = () => {
    const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
    const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { memoryMb: field("VmRSS"), peakMb: field("VmHWM"), cpuMs: cpuSeconds(server.pid) * 1000 };
  };
  return { ...server, origin: new URL(server.origin), key, usage };
}
