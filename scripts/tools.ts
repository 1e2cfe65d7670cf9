/**
 * Long runs by hand, each a program of its own: `bun run bench|conformance|fuzz|soak NAME [FLAGS]`. The comment at the head of each file
 * of `scripts/GROUP/` lists its flags. Benches measure the built executable, and pass or fail nothing: they compare alternating runs in
 * CPU time, since absolute figures say more about the machine. The others exit 1 if something was wrong.
 */
const TOOLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bench: {
    all: "the table of docs/performance.md",
    rows: "what a request costs, for every kind of caller; beside a bare server, or another executable or commit",
    start: "the start up to the first answer, memory and stalls of an idle server",
    growth: "what grows with rows, users and ledger entries; beside DuckDB, Hono and Fastify",
    disk: "what callers feel of a disk with slow flushes",
    stores: "the store in the data folder beside one to three servers on PostgreSQL and Redis",
    reading: "the reader beside the tokenizer of its library",
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
    filings: "generated layouts (--layouts N) and damaged filings (--mutations N)",
  },
  soak: {
    kill: "SIGKILL at random moments under load",
    power: "simulated power cuts: only flushed data is certain to be on disk (Linux, needs strace)",
    rolling: "three replicas behind nginx with PostgreSQL and Valkey, each restarted in turn under load",
    servers: "three servers on PostgreSQL; SIGKILL to one of them, to PostgreSQL, to a primary, to Redis",
    fsync: "flushes to disk that fail under load, for a while or permanently (Linux, needs strace)",
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
