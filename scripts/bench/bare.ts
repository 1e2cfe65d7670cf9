/**
 * The bare server that ours is compared with: parses the URL, looks the hashed key up in a Map, returns bytes from
 * memory. `bun scripts/bench/bare.ts FILE KEY [HEADERS] [STEP]` serves FILE's bytes at every path, with the headers of a
 * JSON object where it is given, and prints its origin. A step adds what an answer of ours cannot do without (`budget.ts`).
 */
import { readFileSync } from "node:fs";

/** What is added to the bare server with our headers, one after the other; each has all before it. */
export const LADDER = ["cloned", "set", "read", "address"] as const;
export type LadderStep = (typeof LADDER)[number];

/** Headers of a request that an answer or its log line depends on. */
const READ = [
  "host",
  "content-length",
  "accept-encoding",
  "origin",
  "accept",
  "if-none-match",
  "user-agent",
  "traceparent",
  "x-forwarded-for",
];

if (import.meta.main) serveBare();

function serveBare(): void {
  const [file = "", key = "", given = '{"content-type":"application/json"}', step = ""] =
    process.argv.slice(2);
  // Written by our own scripts.
  const headers = JSON.parse(given) as Record<string, string>;
  const body = readFileSync(file);
  const keys = new Map([[Bun.SHA256.hash(key, "base64"), { user: "u" }]]);
  // None for the plain server, else the number of the last one that is taken.
  const steps = LADDER.findIndex((name) => name === step) + 1;
  const whole = new Response(body, { headers });
  let asked = 0;

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request, listening) {
      if (steps === 0) {
        const url = new URL(request.url);
        const presented = request.headers.get("x-api-key");
        if (presented !== null && !keys.has(Bun.SHA256.hash(presented, "base64"))) {
          return new Response("no", { status: 401 });
        }
        if (url.pathname === "") return new Response("no", { status: 404 });
        return new Response(body, { headers });
      }
      const presented = request.headers.get("x-api-key");
      const isKnown = presented === null || keys.has(Bun.SHA256.hash(presented, "base64"));
      if (!isKnown || request.url === "") return new Response("no", { status: 401 });
      // Bun's own, by another name of its types.
      const answer = whole.clone() as Response;
      asked += 1;
      if (steps > 1) {
        answer.headers.set("x-request-id", `01981d1e-0000-7000-8000-000000000000.${asked}`);
        answer.headers.set("ratelimit", `"key";r=${asked};t=60`);
      }
      if (steps > 2) for (const name of READ) if (request.headers.get(name) === "") return answer;
      if (steps > 3 && listening.requestIP(request)?.address === "") return answer;
      return answer;
    },
  });
  console.log(server.url.origin);
}
