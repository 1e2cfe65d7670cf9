/**
 * Hostile requests over real sockets against a server in a separate process: REST, MCP, OAuth and data that is not
 * HTTP, from many addresses. Checks every response: no 5xx but 503, no refusal above 8 KiB, no response above 2 MiB;
 * and the server: 5 ms of CPU per request of any kind and 200 MB of memory at the end.
 *
 *     bun run fuzz edge [--count 100000] [--seed 1] [--connections 32] [--executable dist/execcomp] [--only rest|mcp|oauth|http]
 */
import { parseArgs } from "node:util";
import { type HostileKind, KINDS, hostileRequest } from "../../test/support/hostile-http.ts";
import { seededRandom } from "../../test/support/seeded-random.ts";
import { Wire, type WireAnswer } from "../../test/support/wire.ts";
import { startAttackedServer } from "./attacked-server.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    connections: { type: "string", default: "32" },
    executable: { type: "string" },
    only: { type: "string" },
  },
});
const count = Number(values.count);

const MAX_REFUSAL_BYTES = 8 * 1024;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const MAX_MEMORY_MB = 200;
const MAX_CPU_MS = 5;
/** Maximum number of violations to print. */
const TOLD = 10;

const server = await startAttackedServer(values.executable);
const { origin, key, usage } = server;

const violations: string[] = [];
const statuses: Record<string, number> = {};
const report = (what: string, text: string, begin = "") =>
  void (
    violations.push(what) <= TOLD &&
    console.log(`${what}\n  ${JSON.stringify(text.slice(0, 400))}\n  ${JSON.stringify(begin)}`)
  );

function judge(kind: HostileKind, text: string, mayBeSilent: boolean, answer: WireAnswer): void {
  const { status, bytes, begin } = answer;
  const name = `${kind} ${status}`;
  statuses[name] = (statuses[name] ?? 0) + 1;
  if (status >= 500 && status !== 503 && status !== 505) report(`status ${status}`, text, begin);
  if (status === 0 && !mayBeSilent) report("no answer", text);
  if (status >= 400 && bytes > MAX_REFUSAL_BYTES) report(`a refusal of ${bytes} bytes`, text, begin);
  if (bytes > MAX_ANSWER_BYTES) report(`an answer of ${bytes} bytes`, text, begin);
}

const only = KINDS.find((kind) => kind === values.only);
const kinds = only === undefined ? undefined : [only];
let sent = 0;
/** Memory is printed ten times along the way: a leak grows with the requests, memory kept by the allocator does not. */
const progressStep = Math.ceil(count / 10);
async function work(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const wire = new Wire(Number(origin.port));
  while (sent < count && violations.length < 1000) {
    sent += 1;
    if (sent % progressStep === 0) console.log(`${sent}: ${usage().memoryMb.toFixed(0)} MB`);
    const { kind, text, mayBeSilent } = hostileRequest(random, origin.host, key, kinds);
    const answer = await wire.send(text, mayBeSilent ? 40 : 20_000);
    judge(kind, text, mayBeSilent, answer);
    // After data that is not HTTP, a connection cannot be used again.
    if (kind === "http") wire.close();
  }
  wire.close();
}

const began = performance.now();
const before = usage();
const lanes = Array.from({ length: Number(values.connections) }, (_, n) =>
  work(Number(values.seed) * 1000 + n),
);
await Promise.all(lanes);
const after = usage();
// State of a crowd of addresses is dropped two windows later; this also gives the garbage collector some time.
await Bun.sleep(150_000);
const settled = usage();
const cpuMs = (after.cpuMs - before.cpuMs) / sent;
const seconds = (performance.now() - began) / 1000;
for (const [name, times] of Object.entries(statuses).toSorted())
  console.log(`${String(times).padStart(8)}  ${name}`);
console.log(
  `${sent} requests in ${seconds.toFixed(0)} s: ${cpuMs.toFixed(2)} ms of CPU each; memory ${before.memoryMb.toFixed(0)} MB before, ` +
    `${settled.memoryMb.toFixed(0)} MB after, ${settled.peakMb.toFixed(0)} MB at most`,
);
if (settled.memoryMb > MAX_MEMORY_MB) violations.push("memory");
if (cpuMs > MAX_CPU_MS) violations.push("CPU");
const alive = await fetch(`${origin.origin}/livez`).then(({ status }) => status === 200);
if (!alive) violations.push("the server is gone");
await server.stop();
console.log(`${violations.length} violations`);
process.exit(violations.length === 0 ? 0 : 1);
