/**
 * The card that hosts of MCP Apps show with a result: a company's pay over the years. A single HTML document; its
 * policy allows only its own script and style, by hash.
 * @see MCP Apps (SEP-1865), revision 2026-01-26
 */
import chartStyle from "../../../charts/charts.css" with { type: "text" };
import cardStyle from "./card.css" with { type: "text" };
import { bundleScript } from "./script.ts" with { type: "macro" };

const SCRIPT: string = bundleScript();
const STYLE = cardStyle + chartStyle;

/** Builds the document. */
export function cardDocument(): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Executive pay over the years</title>
<style>${STYLE}</style>
</head>
<body>
<main><p class="note">Waiting for the answer.</p></main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;
}
