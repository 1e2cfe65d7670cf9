import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const PUBLIC_URL = "http://pay.example.com";
const { host } = new URL(PUBLIC_URL);

/** Servers on Unix sockets in a separate folder, for the tests of one file. */
export function socketServers() {
  const folder = tempFolder();

  /** A server in a separate process, as a service manager starts it. */
  async function start(place: string, ...flags: string[]) {
    const words = [
      "serve",
      "--socket",
      join(folder, place, "http.sock"),
      "--public-url",
      PUBLIC_URL,
      ...flags,
    ];
    const child = Bun.spawn([...PROGRAM, ...words], {
      env: { EXECCOMP_DATA_DIR: join(folder, place), HOME: folder, PATH: process.env["PATH"] },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    const reader = child.stdout.getReader();
    let out = "";
    while (!out.includes("ready ")) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`ended with ${await child.exited}`);
      out += new TextDecoder().decode(value);
    }
    reader.releaseLock();
    return child;
  }

  function ask(place: string, path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`http://${host}${path}`, {
      ...init,
      headers: { host, connection: "close", ...init.headers },
      unix: join(folder, place, "http.sock"),
    });
  }

  return { folder, start, ask };
}
