/** The MCP bundle, which Claude Desktop installs with a click. @see the MCPB manifest, version 0.3 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type } from "arktype";
import { runCommand } from "../../command-output.ts";
import { bytesOf, type Entry, zip } from "../archives.ts";
import type { Built, ReleaseFile } from "../contents.ts";
import { ROOT } from "../source.ts";

/** The bundle of one system; undefined if the format does not support it. */
export async function mcpBundle(built: Built): Promise<ReleaseFile | undefined> {
  const { platform, source, contents, executable, deflate } = built;
  if (platform.mcpb === null) return undefined;
  const entries: Entry[] = [
    { path: "manifest.json", content: mcpbManifest(built), mode: 0o644 },
    { path: `server/${platform.executable}`, content: executable, mode: 0o755 },
    { path: "LICENSE", content: bytesOf(contents.licence), mode: 0o644 },
    { path: "THIRD-PARTY-NOTICES.txt", content: bytesOf(contents.notices), mode: 0o644 },
  ];
  return {
    name: `execcomp-${source.version}-${platform.name}.mcpb`,
    bytes: await zip(entries, source.date, deflate),
  };
}

/** `manifest.json` of the bundle. */
function mcpbManifest({ platform, source, tools }: Pick<Built, "platform" | "source" | "tools">): string {
  const manifest = {
    manifest_version: "0.3",
    name: "execcomp",
    display_name: "Executive compensation",
    version: source.version,
    description:
      "What US public companies paid their named executive officers, each row with its SEC filing.",
    long_description:
      "Answers from a dataset inside the bundle: it needs no network and no account. Amounts are those of the Summary Compensation Tables of proxy statements; each row names its filing.",
    author: { name: "execcomp" },
    license: "Apache-2.0",
    keywords: ["compensation", "proxy statement", "SEC", "DEF 14A"],
    server: {
      type: "binary",
      entry_point: `server/${platform.executable}`,
      mcp_config: {
        command: `\${__dirname}/server/${platform.executable}`,
        args: ["mcp"],
        env: {
          EXECCOMP_DATA_DIR: "${user_config.data_folder}",
          EXECCOMP_KEY: "${user_config.api_key}",
        },
      },
    },
    tools,
    // Empty values count as not set: the user's own data folder, and no key.
    user_config: {
      data_folder: {
        type: "directory",
        title: "Data folder",
        description: "Folder for newer datasets. Leave it empty for the default location.",
        required: false,
        default: "",
      },
      api_key: {
        type: "string",
        title: "API key",
        description:
          "Counts and charges calls to this key. Leave it empty: on one's own machine nothing is charged.",
        sensitive: true,
        required: false,
        default: "",
      },
    },
    compatibility: { platforms: [platform.mcpb] },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

const Listed = type({
  id: "number",
  result: { tools: type({ name: "string", description: "string" }).array() },
});

/** The tools that `execcomp mcp` lists, requested as a client would. */
export async function listTools(): Promise<Built["tools"]> {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-tools-"));
  try {
    const { out } = await runCommand([process.execPath, "src/main.ts", "mcp", "--data-dir", folder], {
      cwd: ROOT,
      stdin: mcpSession("tools/list"),
    });
    const lines = out.split("\n").filter((line) => line !== "");
    const answers = lines.map((line) => Listed(JSON.parse(line)));
    const answer = answers.find((one) => !(one instanceof type.errors));
    if (answer === undefined || answer instanceof type.errors) throw new Error("execcomp mcp lists no tools");
    return answer.result.tools.map(({ name, description }) => ({
      name,
      description: firstSentence(description),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a client writes to standard input to call one method. */
export function mcpSession(method: string, params: object = {}): string {
  const clientInfo = { name: "release", version: "1" };
  const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: initialize },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method, params },
  ];
  return messages.map((one) => `${JSON.stringify(one)}\n`).join("");
}

function firstSentence(text: string): string {
  return /^[^]*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}
