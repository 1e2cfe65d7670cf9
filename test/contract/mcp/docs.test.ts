import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mcpEndpoints, createServerUrls } from "../../../src/http/base-urls.ts";
import { jsonOf, mcpUnderTest, type ToolResult } from "./support.ts";

const TEXT = readFileSync(join(import.meta.dir, "../../../docs/mcp.md"), "utf8");
const CLIENTS = [
  "Claude Code",
  "Claude Desktop",
  "claude.ai and ChatGPT",
  "VS Code",
  "Cursor",
  "Codex",
  "Gemini CLI",
  "opencode",
  "Inspector",
  "mcp-remote",
  "mcporter",
];
const ENDPOINTS = mcpEndpoints(
  createServerUrls({ host: "127.0.0.1", socket: "", tlsCert: "", publicUrl: null, mcpLegacyUrl: null }, 8402),
).map(({ url }) => url);

/** Fenced blocks of a language, with the section of each. */
function blocks(language: string): [section: string, block: string][] {
  return TEXT.split(/^## /m)
    .slice(1)
    .flatMap((section): [string, string][] => {
      const title = (section.split("\n", 1)[0] ?? "").replace(" ✓", "");
      const fenced = section.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm"));
      return [...fenced].map(([, block = ""]) => [title, block]);
    });
}

/** Every string in a JSON value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

test("there is a section for every client", () => {
  for (const client of CLIENTS) expect(TEXT).toMatch(new RegExp(`^## ${client}( ✓)?$`, "m"));
});

describe("snippets to paste", () => {
  test.each(blocks("json"))("%s: a configuration with our address or our command: %s", (_client, block) => {
    const configuration: unknown = JSON.parse(block);
    const words = stringsIn(configuration);
    const urls = words.filter((word) => word.startsWith("http:"));
    for (const url of urls) expect(ENDPOINTS).toContain(url);
    if (urls.length === 0) {
      expect(words).toContain("execcomp");
      expect(words).toContain("mcp");
    }
  });

  test.each(blocks("sh"))("%s: a command with our address or our command: %s", (_client, block) => {
    const urls = [...block.matchAll(/http:\/\/[^\s"']+/g)].map(([url]) => url.replace(/\.get_\w+$/, ""));
    for (const url of urls) expect(ENDPOINTS).toContain(url);
    if (urls.length === 0) expect(block).toContain("-- execcomp mcp");
  });

  test("the hand-written request returns rows", async () => {
    const [, body = ""] = /-d '([^']+)'/.exec(TEXT) ?? [];
    const answer = await mcpUnderTest().post(body);
    const { result } = await jsonOf<{ result: ToolResult }>(answer);
    expect(result.structuredContent?.executive_compensation).toHaveLength(3);
  });
});

test("every client marked as run appears in the script that runs them", () => {
  const script = readFileSync(join(import.meta.dir, "../../../scripts/conformance/clients.ts"), "utf8");
  const run = [...TEXT.matchAll(/^## (.+) ✓$/gm)].map(([, client = ""]) => client);
  expect(run.length).toBe(4);
  for (const client of run) expect(script).toContain(`"${client.toLowerCase().replaceAll(" ", "-")}: `);
});
