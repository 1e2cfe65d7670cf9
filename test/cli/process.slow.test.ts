import { expect, test } from "bun:test";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

/** A server in a separate process, with its standard error controlled by the test. */
async function serving() {
  const dataDir = tempFolder();
  const child = Bun.spawn([...PROGRAM, "serve", "--port", "0", "--data-dir", dataDir], {
    env: { PATH: process.env["PATH"] ?? "", HOME: dataDir },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let out = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    out += chunk;
    const origin = /^ready (\S+)$/m.exec(out)?.[1];
    if (origin !== undefined) return { child, origin };
  }
  throw new Error(`not ready: ${out}`);
}

test("an unread log takes bounded memory, answers continue, and stopping works", async () => {
  const { child, origin } = await serving();
  const agent = "x".repeat(2000);
  for (let n = 0; n < 3000; n++) {
    const answer = await fetch(`${origin}/t/AAPL/facts?${n}=${agent}`);
    await answer.bytes();
  }
  expect((await fetch(`${origin}/livez`)).status).toBe(200);
  child.kill("SIGTERM");
  await child.exited;
});
