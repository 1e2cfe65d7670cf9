/**
 * The bare server that ours is compared with: parses the URL, looks up the hashed key in a Map, returns bytes from
 * memory. `bun scripts/bench/bare.ts FILE KEY [HEADERS] [STEP] [DATA_DIR]` serves FILE's bytes at every path, with the
 * headers of a JSON object if given, and prints its origin. A step adds necessary work of our answers (`budget.ts`).
 * KEY may be `@` and a file of keys, one per line.
 */
import { readFileSync } from "node:fs";
import { finding, gathering, STORE_STEPS, type StoreStep } from "./bare-store.ts";

/** The steps added to the bare server with our headers, in order; each includes all earlier ones. */
export const LADDER = ["cloned", "set", "read", "address"] as const;
/** Additional steps for a message in the request body, answered with its id. */
export const MESSAGE_STEPS = ["body", "joined"] as const;
export type LadderStep = (typeof LADDER)[number] | (typeof MESSAGE_STEPS)[number] | StoreStep;

/** The text before the result of a message. */
const ID = Buffer.from('{"jsonrpc":"2.0","id":7,');

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
  const [file = "", key = "", given = '{"content-type":"application/json"}', step = "", dataDir = ""] =
    process.argv.slice(2);
  // Written by our own scripts.
  const headers = JSON.parse(given) as Record<string, string>;
  const body = readFileSync(file);
  const secrets = key.startsWith("@") ? readFileSync(key.slice(1), "utf8").split("\n") : [key];
  const keys = new Map(secrets.map((secret) => [Bun.SHA256.hash(secret, "base64"), { user: "u" }]));
  const gathered = STORE_STEPS.charged.find((name) => name === step);
  const found = STORE_STEPS.found.find((name) => name === step);
  const gather = gathered && gathering(gathered, dataDir);
  const find = found && finding(found, dataDir);
  // 0 for the plain server, otherwise the number of the last step taken; store steps come after all of them.
  const message = MESSAGE_STEPS.find((name) => name === step);
  const steps = gather || find || message ? LADDER.length : LADDER.findIndex((name) => name === step) + 1;
  const whole = new Response(body, { headers });
  let asked = 0;

  const answer = (): Response => {
    // Bun's own type, under another name.
    const made = (
      message === "joined" ? new Response(Buffer.concat([ID, body]), { headers }) : whole.clone()
    ) as Response;
    asked += 1;
    if (steps > 1) {
      made.headers.set("x-request-id", `01981d1e-0000-7000-8000-000000000000.${asked}`);
      made.headers.set("ratelimit", `"key";r=${asked};t=60`);
    }
    if (gather !== undefined) {
      made.headers.set("credits-charged", "1");
      made.headers.set("credits-remaining", String(asked));
    }
    return made;
  };
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
      const hash = presented === null ? "" : Bun.SHA256.hash(presented, "base64");
      const isKnown = presented === null || keys.has(hash);
      if (!isKnown || request.url === "") return new Response("no", { status: 401 });
      if (steps > 2) for (const name of READ) if (request.headers.get(name) === "\n") return whole;
      if (steps > 3 && listening.requestIP(request)?.address === "") return whole;
      find?.(hash);
      if (message !== undefined) return request.text().then(answer);
      return gather === undefined ? answer() : gather(hash).then(answer);
    },
  });
  console.log(server.url.origin);
}
