/**
 * Writes README.md of this folder: the acceptance list with the tests for each line.
 *
 *     bun test/contract/oauth/table.ts
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REQUIREMENTS } from "./requirements.ts";

/** The expected README. */
export function readme(): string {
  const held = heldBy();
  const rows = REQUIREMENTS.map(({ id, text, revision, source }) => {
    const files = [...(held.get(id) ?? [])].map(([file, count]) => `[${file}](${file}) (${count})`);
    return `| ${id} | ${text} | ${revision} | ${source} | ${files.join(", ")} |`;
  });
  return `# The authorization server, from outside

Every test here talks to a real server over HTTP, with a real database and a clock that it moves. Each line of the
acceptance list of \`test/contract/protocols.md\`, 3, names the tests that check it, with their number in brackets.
Test 5, path issuers, is left out: our issuer is an origin. See also: [\`DIFFERENCES.md\`](DIFFERENCES.md) explains
where node-oidc-provider answers differently, \`bun run conformance oauth\` runs the official suite's authorization
scenarios, \`bun run conformance clients\` drives real clients, \`bun run fuzz oauth\` sends the whole 100,000 mutated
requests of which the suite sends a sample, and \`test/journeys/connect-application.test.ts\` uses a real browser.

This file is written by \`bun test/contract/oauth/table.ts\`; a test fails when it is stale.

<!-- prettier-ignore -->
| Nr | Requirement | Asked by | Source | Tests |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}

/** The files with tests for a line of the list, and their number. */
export function heldBy(): Map<number, Map<string, number>> {
  const held = new Map<number, Map<string, number>>();
  for (const file of readdirSync(import.meta.dir).toSorted()) {
    if (!file.endsWith(".test.ts")) continue;
    const text = readFileSync(join(import.meta.dir, file), "utf8");
    // The number of a line, or the first numbers of the rows in a table of cases.
    const ids = [
      ...[...text.matchAll(/\brequirement\(\s*(\d+)\s*,/g)].map((match) => Number(match[1])),
      ...[...text.matchAll(/^\s*\[(\d+), "/gm)].map((match) => Number(match[1])),
    ];
    for (const id of ids) {
      const files = held.get(id) ?? new Map<string, number>();
      files.set(file, (files.get(file) ?? 0) + 1);
      held.set(id, files);
    }
  }
  return held;
}

if (import.meta.main) writeFileSync(join(import.meta.dir, "README.md"), readme());
