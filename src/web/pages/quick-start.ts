import { type Html, html } from "../../lib/html.ts";
import type { BaseUrls } from "../../http/base-urls.ts";

/** Placeholder for the key where the page does not have a fresh one. */
const PLACEHOLDER = "YOUR_API_KEY";

const SIGN_IN = "Interactive clients sign in through the browser, so there is no key to paste.";
const WITH_KEY =
  "With your key in the header, clients need not sign in; without it, they sign in through the browser.";

/** Examples to copy, filled in with the fresh key when there is one. */
export function quickStart(baseUrls: BaseUrls, secret: string | null): Html {
  return html`<section aria-labelledby="start">
    <h2 id="start">Quick start</h2>
    ${secret === null && html`<p class="soft">Replace <code>${PLACEHOLDER}</code> with your key.</p>`}
    <h3>Programs</h3>
    ${programs(baseUrls, secret ?? PLACEHOLDER).map(block)}
    <h3>AI clients (MCP)</h3>
    <p>
      The endpoint is <code>${baseUrls.mcp}</code>. ${secret === null ? SIGN_IN : WITH_KEY} Two tools:
      <code>get_executive_compensation</code> and <code>list_available_tickers</code>.
    </p>
    <p>
      For rankings, medians and search across companies, and for ChatGPT's company knowledge, use
      <code>${baseUrls.mcp}/analyst</code> instead: seven tools, which need sign-in or a key from the first
      message on.
    </p>
    ${clients(baseUrls, secret).map(block)}
  </section>`;
}

/** An example to copy, with one sentence on what it does or where it goes. @param href opens the program */
type Snippet = readonly [id: string, title: string, about: string, code: string, href?: string];

function block([id, title, about, code, href]: Snippet, index: number): Html {
  return html`<details${index === 0 && html` open`}>
    <summary>${title}</summary>
    <p>${about}</p>
    ${href !== undefined && html`<p><a class="button" href="${href}">Add to ${title}</a></p>`}
    <pre id="snippet-${id}" tabindex="0">${code}</pre>
    <button type="button" class="quiet" data-copy-from="snippet-${id}">Copy</button>
  </details>`;
}

/** Examples for programs; each prints the latest years of Apple. */
function programs({ api }: BaseUrls, key: string): Snippet[] {
  const url = `${api}/executive-compensation?ticker=AAPL`;
  const typescript = `const answer = await fetch("${url}", {
  headers: { "X-API-KEY": "${key}" },
});
if (!answer.ok) throw new Error((await answer.json()).message);
const { executive_compensation: rows } = await answer.json();
for (const row of rows) console.log(row.fiscal_year, row.executive_name, row.total_compensation);`;
  const python = `import json, urllib.request

request = urllib.request.Request("${url}", headers={"X-API-KEY": "${key}"})
rows = json.load(urllib.request.urlopen(request))["executive_compensation"]
for row in rows:
    print(row["fiscal_year"], row["executive_name"], row["total_compensation"])`;
  const excel = `let
  Answer = Json.Document(Web.Contents("${api}/executive-compensation",
    [Query = [ticker = "AAPL"], Headers = [#"X-API-KEY" = "${key}"]])),
  Rows = Table.FromRecords(Answer[executive_compensation])
in
  Table.RemoveColumns(Rows, {"source"})`;
  const inExcel =
    "Data, Get Data, From Other Sources, Blank Query, Advanced Editor: paste the query, then choose Anonymous access.";
  return [
    ["curl", "curl", "Run in a terminal.", `curl -H "X-API-KEY: ${key}" "${url}"`],
    ["typescript", "TypeScript", "Node 18 or newer, Bun or Deno; nothing to install.", typescript],
    ["python", "Python", "Standard library only.", python],
    ["excel", "Excel", inExcel, excel],
  ];
}

/** Examples for MCP clients: OAuth, or the key where there is one. Claude Desktop starts the executable itself. */
function clients({ mcp }: BaseUrls, secret: string | null): Snippet[] {
  const add = `claude mcp add --transport http execcomp ${mcp}`;
  const vscode = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "execcomp", type: "http", url: mcp }))}`;
  const config = encodeURIComponent(btoa(JSON.stringify({ url: mcp })));
  const cursor = `cursor://anysphere.cursor-deeplink/mcp/install?name=execcomp&config=${config}`;
  const headers = secret === null ? {} : { headers: { "X-API-KEY": secret } };
  const json = (value: object) => JSON.stringify(value, null, 2);
  const button = "The button adds the server after confirmation, then signs in. Or add this to";
  const [claudeCode, codex] =
    secret === null
      ? ([
          ["Run in a terminal, then /mcp in Claude Code to sign in.", add],
          ["Codex opens the browser to sign in.", `codex mcp add execcomp --url ${mcp}`],
        ] as const)
      : ([
          ["Run in a terminal.", `${add} --header "X-API-KEY: ${secret}"`],
          [
            "Add to ~/.codex/config.toml.",
            `[mcp_servers.execcomp]\nurl = "${mcp}"\nhttp_headers = { "X-API-KEY" = "${secret}" }`,
          ],
        ] as const);
  return [
    ["claude-code", "Claude Code", ...claudeCode],
    [
      "claude-desktop",
      "Claude Desktop",
      "In claude_desktop_config.json, with the path of the executable on your machine; needs no key and no network.",
      json({ mcpServers: { execcomp: { command: "/path/to/execcomp", args: ["mcp"] } } }),
    ],
    [
      "vscode",
      "VS Code",
      `${button} .vscode/mcp.json.`,
      json({ servers: { execcomp: { type: "http", url: mcp, ...headers } } }),
      vscode,
    ],
    [
      "cursor",
      "Cursor",
      `${button} .cursor/mcp.json.`,
      json({ mcpServers: { execcomp: { url: mcp, ...headers } } }),
      cursor,
    ],
    ["codex", "Codex", ...codex],
  ];
}
