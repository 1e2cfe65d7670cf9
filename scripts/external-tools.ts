/**
 * External tools that a script runs against our server but that are not dependencies: installed on demand at an exact
 * version, into a folder outside the repository.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readyOrigin } from "./bench/harness.ts";
import { type CommandOutput, outputOf } from "./command-output.ts";

const ROOT = dirname(import.meta.dir);

/** Where installed tools are kept between runs. */
export const TOOLS_FOLDER = join(tmpdir(), "execcomp-external-tools");

/**
 * Installs one package with npm, or with Bun if there is no npm, unless it is already installed.
 *
 * @param wanted name and exact version, `mcp-remote@0.15.1`
 * @returns the folder with its `node_modules`
 */
export async function installTool(wanted: string): Promise<string> {
  const folder = join(TOOLS_FOLDER, wanted.replaceAll(/[^\w.-]+/g, "_"));
  const done = join(folder, "installed");
  if (existsSync(done)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const npm = Bun.which("npm");
  const command =
    npm === null
      ? [process.execPath, "add", wanted]
      : [npm, "install", "--no-audit", "--no-fund", "--loglevel", "error", wanted];
  const child = Bun.spawn(command, { cwd: folder, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`Cannot fetch ${wanted}: ${said.trim().slice(-600)}`);
  writeFileSync(done, "");
  return folder;
}

/** A server of ours that a script talks to. */
export interface ServerUnderTest {
  origin: string;
  pid: number;
  /** Its data folder, which other commands may use too. */
  dataDir: string;
  /** Runs another command of the same program on the same data folder. */
  run(...words: string[]): Promise<CommandOutput>;
  /** The command line that starts the program, for clients that start it themselves. */
  command: string[];
  stop(): Promise<void>;
}

/**
 * Starts the server on a free port with its own data folder.
 *
 * @param executable the built one; default the sources
 * @param env variables to add to an otherwise empty environment
 */
export async function startServer(
  executable?: string,
  env: Record<string, string> = {},
): Promise<ServerUnderTest> {
  const command =
    executable === undefined ? [process.execPath, join(ROOT, "src", "main.ts")] : [resolve(executable)];
  const dataDir = mkdtempSync(join(tmpdir(), "execcomp-under-test-"));
  const all = { HOME: dataDir, EXECCOMP_DATA_DIR: dataDir, ...env };
  const child = Bun.spawn([...command, "serve", "--port", "0"], {
    cwd: dataDir,
    env: all,
    stdin: "ignore",
    stdout: "pipe",
    stderr: Bun.file(join(dataDir, "log")),
  });
  return {
    origin: await readyOrigin(child.stdout),
    pid: child.pid,
    dataDir,
    command,
    run(...words) {
      const other = Bun.spawn([...command, ...words], {
        cwd: dataDir,
        env: all,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      return outputOf(other);
    },
    async stop() {
      child.kill();
      await child.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
