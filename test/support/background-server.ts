import { afterAll } from "bun:test";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The user `nobody` of every Linux, for servers that refuse to run as root. */
const NOBODY = 65_534;

const isRoot = process.getuid?.() === 0;

/** A third-party server that a test runs, on a port that stays the same across restarts. */
export interface BackgroundServer {
  port: number;
  /** Restarts it on the same data. */
  start(): Promise<void>;
  /** Stops it gracefully. Does nothing if it is not running. */
  stop(): Promise<void>;
  /** Kills it as a crash would: nothing is flushed, no connection is notified. */
  kill(): Promise<void>;
  /** Pauses or resumes it: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How to run such a server. */
export interface BackgroundProgram {
  /** Its command, given a port. */
  command(port: number): string[];
  /** Resolves to false until it answers. */
  isReady(port: number): Promise<boolean>;
  /** Signals for a graceful stop and for a kill, sent to it and its children. */
  stopSignal: NodeJS.Signals;
  killSignal: NodeJS.Signals;
}

/** A new folder that such a server may write to; removed after the tests of this file. */
export function serverFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `execcomp-${name}-`));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  afterAllTests(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The command run as a non-root user, ended with the process that started it, however that ends. */
export function asNobody(command: readonly string[], killSignal: NodeJS.Signals = "SIGKILL"): string[] {
  if (Bun.which("setpriv") === null) return [...command];
  const user = isRoot ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];
  return ["setpriv", `--pdeathsig=${killSignal.slice(3)}`, ...user, "--", ...command];
}

/** Starts it and waits until it answers; it is stopped after the tests of this file at the latest. */
export async function startBackgroundServer(program: BackgroundProgram): Promise<BackgroundServer> {
  let child: Bun.Subprocess | undefined;
  let port = freePort();
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals) => {
    if (!isRunning()) return;
    child?.kill("SIGCONT");
    child?.kill(signal);
    await child?.exited;
  };
  /** Whether it answers; false if it ended instead, for example because the port was taken. */
  const begin = async () => {
    const command = asNobody(program.command(port), program.killSignal);
    child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "ignore", cwd: tmpdir() });
    while (isRunning()) {
      if (await program.isReady(port)) return true;
      await Bun.sleep(20);
    }
    return false;
  };
  for (let tries = 0; !(await begin()); tries += 1) {
    if (tries === 5) throw new Error(`does not start: ${program.command(port).join(" ")}`);
    port = freePort();
  }
  afterAllTests(() => end(program.killSignal));
  return {
    get port() {
      return port;
    },
    async start() {
      if (isRunning()) return;
      if (!(await begin())) throw new Error(`does not start again: ${program.command(port).join(" ")}`);
    },
    stop: () => end(program.stopSignal),
    kill: () => end(program.killSignal),
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    [Symbol.asyncDispose]: () => end(program.killSignal),
  };
}

/** A port that is currently free. */
export function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

/** Cleanup after the tests of this file. Scripts start these servers too; there it runs when the process exits. */
export function afterAllTests(work: () => void | Promise<void>): void {
  try {
    afterAll(work);
  } catch {
    process.on("exit", () => void work());
  }
}
