/**
 * The bare server that ours is compared with: parses the URL, looks up the hashed key in a Map, returns bytes from memory.
 * `bun scripts/bench/bare.ts FILE KEYS` serves FILE's bytes at every path as JSON; KEYS is a file with one key a line.
 */
import { readFileSync } from "node:fs";

const [file = "", secrets = ""] = process.argv.slice(2);
const headers = { "content-type": "application/json" };
const body = readFileSync(file);
const hashes = readFileSync(secrets, "utf8").split("\n");
const keys = new Map(hashes.map((secret) => [Bun.SHA256.hash(secret, "base64"), { user: "u" }]));
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const { pathname } = new URL(request.url);
    const presented = request.headers.get("x-api-key");
    if (presented !== null && !keys.has(Bun.SHA256.hash(presented, "base64")))
      return new Response("no", { status: 401 });
    return pathname === "" ? new Response("no", { status: 404 }) : new Response(body, { headers });
  },
});
console.log(`ready ${server.url.origin}`);
