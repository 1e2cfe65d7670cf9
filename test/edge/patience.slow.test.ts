import { expect, test } from "bun:test";
import { loadConfig } from "../../src/config.ts";
import { listen } from "../../src/edge/listener.ts";
import { silentLog } from "../../src/log.ts";

// Bun's own limit is ten seconds, and `fetch` asks again by itself where a connection that was used before ends without an answer.
test("an answer that takes longer than ten seconds arrives, and is made once", async () => {
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
