/**
 * The bare server that ours is compared with: parses the URL, looks the hashed key up in a Map, returns bytes from
 * memory. `bun scripts/bench/bare.ts FILE KEY [HEADERS]` serves FILE's bytes at every path, with the headers of a JSON object
 * where it is given, and prints its origin.
 */
import { readFileSync } from "node:fs";

const [file = "", key = "", given = '{"content-type":"application/json"}'] = process.argv.slice(2);
// Written by our own scripts.
const headers = JSON.parse(given) as Record<string, string>;
const body = readFileSync(file);
const keys = new Map([[Bun.SHA256.hash(key, "base64"), { user: "u" }]]);

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const url = new URL(request.url);
    const presented = request.headers.get("x-api-key");
    if (presented !== null && !keys.has(Bun.SHA256.hash(presented, "base64"))) {
      return new Response("no", { status: 401 });
    }
    if (url.pathname === "") return new Response("no", { status: 404 });
    return new Response(body, { headers });
  },
});
console.log(server.url.origin);
