/**
 * The official MCP conformance suite against our server, both revisions, with the failures that we expect.
 *
 *     bun run conformance mcp [--executable dist/execcomp] [--url http://localhost:8402/mcp]
 *
 * Exits 0 if every scenario passes or is listed in `test/contract/mcp/expected-failures-*.yml`, and no listed one
 * passes. The suite is fetched on demand; it requires Node 22 and runs under Bun.
 */
import { join, dirname } from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "../command-output.ts";
import { installSuite, startServer, TOOLS_FOLDER } from "../external-tools.ts";

const REVISIONS = ["2025-11-25", "2026-07-28"];
const ROOT = dirname(dirname(import.meta.dir));
/** Time limit of one revision. */
const SUITE_MS = 180_000;

const { values } = parseArgs({ options: { executable: { type: "string" }, url: { type: "string" } } });

async function conform(suite: string, url: string, revision: string): Promise<boolean> {
  const server = [process.execPath, "--bun", suite, "server", "--url", url, "--requirements", revision];
  const expected = join(ROOT, "test", "contract", "mcp", `expected-failures-${revision}.yml`);
  const files = ["--expected-failures", expected, "-o", join(TOOLS_FOLDER, `conformance-${revision}`)];
  const { out, err, code } = await runCommand([...server, ...files], { timeout: SUITE_MS });
  const last = out.trimEnd().split("\n").at(-1) ?? "";
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${revision}: ${Bun.stripANSI(last)}`);
  if (code !== 0) console.log(out.slice(-4000), err.slice(-2000));
  return code === 0;
}

const suite = await installSuite();
const server =
  values.url === undefined
    ? await startServer(values.executable, { EXECCOMP_RATE_ANONYMOUS: "100000" })
    : undefined;
const url = values.url ?? `${server?.origin}/mcp`;
let conforms = true;
try {
  for (const revision of REVISIONS) conforms = (await conform(suite, url, revision)) && conforms;
} finally {
  await server?.stop();
}
process.exitCode = conforms ? 0 : 1;
