/**
 * Clients that request a long response and never read it, from many addresses, against a server in a separate process:
 * the script of the reference page, a page of rows, an export. While all of them wait, memory must stay under 200 MB
 * and other callers must be answered, as they must be afterwards.
 *
 *     bun run fuzz readers [--readers 1000] [--executable dist/execcomp] [--only script|rows|export]
 */
import type { Socket } from "bun";
import { parseArgs } from "node:util";
import { startAttackedServer, USER } from "./attacked-server.ts";

const { values } = parseArgs({
  options: {
    readers: { type: "string", default: "1000" },
    executable: { type: "string" },
    only: { type: "string" },
  },
});
const MAX_MEMORY_MB = 200;
/** How long the clients wait: by then the server has written what it can. */
const WAIT_MS = 3000;

const readers = Number(values.readers);
const ATTACKS = [
  { name: "script", path: "/api/docs/scalar.js", readers },
  {
    name: "rows",
    path: "/api/executive-compensation/query?max_rows=1000",
    readers: Math.ceil(readers * 0.3),
  },
  // Only for unmetered users, so a crowd of them is a crowd of customers.
  { name: "export", path: "/export", readers: Math.ceil(readers * 0.03) },
];

type Attacked = Awaited<ReturnType<typeof startAttackedServer>>;

/** Sends a request and reads nothing. */
function neverRead({ origin, key }: Attacked, path: string, number: number): Promise<Socket> {
  const from = `203.0.${number >> 8}.${number & 255}`;
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: ${origin.host}`,
    `X-Forwarded-For: ${from}`,
    `X-API-Key: ${key}`,
  ];
  return Bun.connect({
    hostname: "127.0.0.1",
    port: Number(origin.port),
    socket: {
      open(socket) {
        socket.pause();
        socket.write(`${lines.join("\r\n")}\r\n\r\n`);
      },
      data() {},
      error() {},
    },
  });
}

async function bytesOf({ origin, key }: Attacked, path: string): Promise<number> {
  const answer = await fetch(origin.origin + path, { headers: { "x-api-key": key }, decompress: false });
  const { byteLength } = await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${path} is ${answer.status}`);
  return byteLength;
}

let violations = 0;
for (const attack of ATTACKS.filter(({ name }) => values.only === undefined || name === values.only)) {
  // A server of its own: what one attack leaves mapped is not the next one's.
  const server = await startAttackedServer(values.executable);
  const { origin, usage } = server;
  // Only unmetered users may export.
  await server.run("credits", "unmetered", "--user", USER);
  const bytes = await bytesOf(server, attack.path);
  const before = usage().memoryMb;
  const sockets = await Promise.all(
    Array.from({ length: attack.readers }, (_, n) => neverRead(server, attack.path, n)),
  );
  await Bun.sleep(WAIT_MS);
  const { memoryMb: during } = usage();
  const alive = await fetch(`${origin.origin}/livez`).then(({ status }) => status);
  for (const socket of sockets) socket.terminate();
  await Bun.sleep(WAIT_MS);
  const { memoryMb: after, peakMb } = usage();
  console.log(
    `${attack.name}: ${attack.readers} readers of ${(bytes / 1e6).toFixed(1)} MB: memory ${before.toFixed(0)} MB before, ` +
      `${during.toFixed(0)} MB while they wait, ${after.toFixed(0)} MB after, ${peakMb.toFixed(0)} MB at most; /livez ${alive}`,
  );
  if (peakMb > MAX_MEMORY_MB || alive !== 200) violations += 1;
  await server.stop();
}
console.log(`${violations} violations`);
process.exit(violations === 0 ? 0 : 1);
