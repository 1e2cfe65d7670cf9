import { expect, test } from "bun:test";
import { connect } from "node:net";
import { loadConfig } from "../../../src/config/load.ts";
import { listen } from "../../../src/server/edge/listener.ts";
import { silentLog } from "../../../src/log.ts";

test("an owner's action may take longer than the idle timeout of other connections", async () => {
  const { config } = loadConfig({ port: "0", host: "127.0.0.1" }, undefined, {});
  const listener = listen(config, silentLog());
  listener.answerWith(async (request) => {
    listener.allowMinutes(request);
    await Bun.sleep(36_000);
    return new Response("done");
  });
  // Over a socket, because `fetch` retries on its own.
  const { promise: answered, resolve, reject } = Promise.withResolvers<string>();
  const head = "POST /admin/backup HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n";
  const socket = connect(listener.port, "127.0.0.1", () => void socket.write(head));
  socket.on("data", (bytes) => resolve(String(bytes)));
  socket.on("error", reject).on("close", () => resolve("closed"));
  expect(await answered).toStartWith("HTTP/1.1 200");
  socket.destroy();
  await listener.stop(0);
}, 300_000);

// Bun's own limit is ten seconds, and `fetch` retries on its own if a reused connection ends without a response.
test("an answer that takes longer than ten seconds arrives, and is computed once", async () => {
  const { config } = loadConfig({ port: "0", host: "127.0.0.1" }, undefined, {});
  const listener = listen(config, silentLog());
  let made = 0;
  listener.answerWith(async (request) => {
    if (!request.url.endsWith("/slow")) return new Response("at once");
    made += 1;
    await Bun.sleep(16_000);
    return new Response("late");
  });
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${listener.port}${path}`)).text();
  expect(await ask("/")).toBe("at once");
  expect(await ask("/slow")).toBe("late");
  expect(made).toBe(1);
  await listener.stop(0);
}, 300_000);
