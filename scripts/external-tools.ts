/**
 * External tools that a script runs against our server but that are not dependencies: installed on demand at an exact
 * version, into a folder outside the repository.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SOURCES } from "../test/support/program.ts";
import { type ServerProcess, startServerProcess } from "../test/support/server-process.ts";
import { type CommandOutput, outputOf, runCommand } from "./command-output.ts";

/** Where installed tools are kept between runs. */
export const TOOLS_FOLDER = join(tmpdir(), "execcomp-external-tools");

/**
 * Installs packages with npm, or with Bun if there is no npm, unless they are already installed.
 *
 * @param wanted names and exact versions, `mcp-remote@0.15.1`
 * @returns the folder with its `node_modules`
 */
export async function installTool(...wanted: readonly string[]): Promise<string> {
  const folder = join(TOOLS_FOLDER, wanted.join(" ").replaceAll(/[^\w.-]+/g, "_"));
  const done = join(folder, "installed");
  if (existsSync(done)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const npm = Bun.which("npm");
  const command =
    npm === null
      ? [process.execPath, "add", ...wanted]
      : [npm, "install", "--no-audit", "--no-fund", "--loglevel", "error", ...wanted];
  await outputOf(command, { cwd: folder });
  writeFileSync(done, "");
  return folder;
}

/** The program of the official MCP conformance suite. It requires Node 22 and runs under Bun. */
export async function installSuite(): Promise<string> {
  const folder = await installTool("@modelcontextprotocol/conformance@0.2.0-alpha.12");
  return join(folder, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
}

/** A server of ours that a script talks to. */
export interface ServerUnderTest extends ServerProcess {
  /** Runs another command of the same program on the same data folder. */
  run(...words: string[]): Promise<CommandOutput>;
  /** The command line that starts the program, for clients that start it themselves. */
  command: string[];
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
  const command = executable === undefined ? SOURCES : [resolve(executable)];
  const server = await startServerProcess([], { environment: env, program: command });
  const { dataDir: cwd } = server;
  const all = { HOME: cwd, EXECCOMP_DATA_DIR: cwd, ...env };
  return { ...server, command, run: (...words) => runCommand([...command, ...words], { cwd, env: all }) };
}
