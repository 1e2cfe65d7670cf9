/**
 * The official MCP conformance suite's `authorization` scenarios against our authorization server, without and with
 * `--resource`. The suite waits for a user with a browser; this script plays that user.
 *
 *     bun run conformance oauth [--executable dist/execcomp]
 *
 * Exits 0 if every scenario passes, except for the warning that client ID metadata documents are not advertised, which
 * an issuer on localhost rightly does not do. The suite is fetched on demand; once installed, only loopback is called.
 */
import { parseArgs } from "node:util";
import { BrowserSession, PERSON, register } from "../../test/contract/oauth/support.ts";
import { type ServerUnderTest, installSuite, startServer } from "../external-tools.ts";

const CALLBACK_PORT = 3031;
/** Time limit of one run. */
const RUN_MS = 60_000;

const { values } = parseArgs({ options: { executable: { type: "string" } } });

/** Reads the suite's output and opens the one URL of our authorization endpoint in it. */
async function followPrinted(out: ReadableStream<Uint8Array>, server: ServerUnderTest): Promise<string> {
  const decoder = new TextDecoder();
  let output = "";
  let followed = false;
  for await (const chunk of out) {
    output += decoder.decode(chunk, { stream: true });
    const url = /http:\/\/localhost:\d+\/oauth\/authorize\?\S+/.exec(Bun.stripANSI(output))?.[0];
    if (url === undefined || followed || !/\s$/.test(output)) continue;
    followed = true;
    const session = new BrowserSession({ origin: server.origin, port: Number(new URL(server.origin).port) });
    const back = await session.decide(url, "approve", PERSON);
    await fetch(back);
  }
  return output;
}

async function conform(suite: string, server: ServerUnderTest, resource: string | null): Promise<boolean> {
  const { client_id } = await register(
    { get: (path, init) => fetch(server.origin + path, init) },
    { client_name: "Conformance suite", redirect_uris: [`http://127.0.0.1:${CALLBACK_PORT}/callback`] },
  );
  const named = resource === null ? [] : ["--resource", resource];
  const words = ["authorization", "--url", server.origin, "--client-id", String(client_id), ...named];
  const child = Bun.spawn([process.execPath, "--bun", suite, ...words, "-p", String(CALLBACK_PORT)], {
    cwd: server.dataDir,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: RUN_MS,
  });
  const [out, err] = await Promise.all([
    followPrinted(child.stdout, server),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  const text = Bun.stripANSI(out + err);
  const total = /Total: .*/.exec(text)?.[0] ?? "nothing";
  const fine = total === "Total: 2 passed, 0 failed";
  console.log(`${fine ? "ok  " : "FAIL"} ${resource ?? "no resource"}: ${total}`);
  if (!fine) console.log(text.slice(-4000));
  return fine;
}

const suite = await installSuite();
const server = await startServer(values.executable, {
  EXECCOMP_OWNER_EMAIL: PERSON.email,
  EXECCOMP_OWNER_PASSWORD: PERSON.password,
});
let conforms = true;
try {
  for (const resource of [null, `${server.origin}/mcp`]) {
    conforms = (await conform(suite, server, resource)) && conforms;
  }
} finally {
  await server.stop();
}
process.exit(conforms ? 0 : 1);
