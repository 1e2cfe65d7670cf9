import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BackgroundServer, startBackgroundServer } from "./background-server.ts";

const SITE = join(import.meta.dir, "../../docs/examples/two-servers/nginx.conf");
/** Paths that nginx writes to while it runs; the defaults belong to root. */
const TEMPORARY = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

/** Whether nginx can be started here. */
export const hasNginx = Bun.which("nginx") !== null;

/** An nginx in front of several servers. */
export interface TestNginx extends BackgroundServer {
  /** The requests logged so far, in the order in which they ended. */
  answered(): Answered[];
}

/** A request that went through nginx. */
export interface Answered {
  /** Address and port of the server that answered; several, comma-separated, if it was retried. */
  by: string;
  path: string;
}

/**
 * Starts one with a site configuration from the documentation and one worker, so that servers are strictly round-robin.
 *
 * @param folder the caller's, in which it may create a folder
 * @param hosts addresses on this machine that replace the site's hosts
 * @param text the site configuration, without TLS
 */
export async function startNginx(
  folder: string,
  hosts: Readonly<Record<string, string>>,
  text = readFileSync(SITE, "utf8"),
): Promise<TestNginx> {
  const home = join(folder, "nginx");
  mkdirSync(home);
  chmodSync(folder, 0o755);
  chmodSync(home, 0o777);
  const accessLog = join(home, "access.log");
  const site = Object.entries(hosts).reduce((conf, [host, address]) => conf.replaceAll(host, address), text);
  const temporary = TEMPORARY.map((name) => `${name}_temp_path ${join(home, name)};`).join(" ");
  const server = await startBackgroundServer({
    command(port) {
      const file = join(home, `${port}.conf`);
      writeFileSync(
        file,
        `daemon off; worker_processes 1; pid ${join(home, "nginx.pid")}; error_log ${join(home, "error.log")};
         events { worker_connections 512; }
         http { log_format by '$uri $upstream_addr'; access_log ${accessLog} by;
         ${temporary} ${site.replace("listen 80;", `listen 127.0.0.1:${port};`)} }`,
      );
      // Regardless of the umask left by an earlier test of this process: it runs as nobody.
      chmodSync(file, 0o644);
      return ["nginx", "-c", file, "-e", join(home, "error.log")];
    },
    isReady: (port) =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      ),
    stopSignal: "SIGQUIT",
    killSignal: "SIGTERM",
  });
  const answered = () =>
    readFileSync(accessLog, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => ({ path: line.slice(0, line.indexOf(" ")), by: line.slice(line.indexOf(" ") + 1) }));
  return Object.assign(server, { answered });
}
