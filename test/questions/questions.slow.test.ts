/**
 * The questions over MCP with the 2025 protocol versions, over standard input and output, and on the command
 * line.
 */
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";
import { askedServer, askOn, playOn } from "./asked.ts";
import { readFacts } from "./facts.ts";
import { commandSurface, mcpSurface } from "./surfaces.ts";

const asked = askedServer();
const folder = tempFolder();
const environment = { EXECCOMP_DATA_DIR: folder };

const overMcp = {
  "MCP 2025-11-25": () => mcpSurface("MCP 2025-11-25", asked().mcp(), "legacy"),
  stdio: () =>
    mcpSurface("stdio", { command: [...PROGRAM, "mcp"], env: { ...environment, HOME: folder } }, "auto"),
};

playOn(readFacts(), overMcp);
askOn(readFacts(), {
  ...overMcp,
  "command line": () =>
    Promise.resolve(
      commandSurface(async (words) => {
        const { code, out, err } = await cli(...words, { environment });
        if (code !== 0) throw new Error(err);
        return out;
      }),
    ),
});
