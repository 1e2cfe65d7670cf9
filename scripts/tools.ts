/**
 * Long runs by hand, each a program of its own: `bun run bench|conformance|fuzz NAME [FLAGS]`. The comment at the head of each file
 * of `scripts/GROUP/` lists its flags. Benches measure the built executable, and pass or fail nothing: they compare alternating runs in
 * CPU time, since absolute figures say more about the machine. The others exit 1 if something was wrong.
 */
const TOOLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bench: {
    rows: "what a request costs, for every kind of caller; beside a bare server, what one would write instead, or another commit",
    growth: "the start, a slow disk, and what grows with rows, users and ledger entries; beside DuckDB",
    dataset: "makes a dataset of half a million rows",
  },
  conformance: {
    mcp: "the official MCP conformance suite, both protocol revisions",
    oauth: "the suite's authorization scenarios",
    openapi: "requests that Schemathesis generates from the OpenAPI document",
    clients: "real MCP clients, from SDKs to desktop programs",
  },
  fuzz: {
    requests: "random and mutated requests against the whole server",
    edge: "hostile requests over real sockets: responses, CPU and memory of a separate server process",
    readers: "clients that never read a long response: memory of a separate server process",
    mcp: "malformed MCP messages",
    analyst: "random calls of the tools across companies, and mutated messages to their endpoint",
    oauth: "mutated registrations, authorization requests and token requests",
  },
};

const [group = "", name = "", ...flags] = process.argv.slice(2);
const tools = TOOLS[group] ?? {};
if (Object.hasOwn(tools, name)) {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/${group}/${name}.ts`, ...flags], {
    stdio: ["inherit", "inherit", "inherit"],
  });
  process.exitCode = await child.exited;
} else {
  const lines = Object.entries(tools).map(([each, what]) => `  ${each.padEnd(10)} ${what}`);
  console.error([`Usage: bun run ${group} NAME [FLAGS]`, ...lines].join("\n"));
  process.exitCode = 2;
}
