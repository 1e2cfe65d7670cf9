/** The servers that benches of requests compare, and bursts on them in turn. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LadderStep } from "./bare.ts";
import { type Burst, burn } from "./burst.ts";
import { readyOrigin } from "./starting.ts";
import type { Target } from "./types.ts";

/** A process of ours, and what ends it. */
export interface Started extends Target {
  stop(): Promise<void>;
}

export async function started(words: string[], env: Record<string, string>): Promise<Started> {
  const child = Bun.spawn(words, { env, stdout: "pipe", stderr: Bun.file("/dev/null") });
  const origin = words.includes("serve") ? await readyOrigin(child.stdout) : await firstLine(child.stdout);
  return {
    origin,
    pid: child.pid,
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function firstLine(stdout: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stdout) return new TextDecoder().decode(chunk).trim();
  throw new Error("the bare server ended");
}

/** A server on a store of its own. */
export function serve(
  executable: string,
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const env = {
    EXECCOMP_RATE_ANONYMOUS: "100000000",
    EXECCOMP_RATE_KEY: "100000000",
    EXECCOMP_DATA_DIR: dataDir,
    ...more,
  };
  return started([executable, "serve", "--port", "0"], env);
}

/** The bare server over the body that ours answers with. @param whose with one header or with ours, or ours with what a step adds */
export async function bare(
  server: Target,
  burst: Burst,
  folder: string,
  whose: "one" | "ours" | LadderStep,
): Promise<Started> {
  const key = burst.keys?.[0] ?? burst.headers?.["x-api-key"] ?? "";
  const answer = await fetch(server.origin + burst.path, {
    method: burst.method ?? "GET",
    headers: { ...burst.headers, ...(burst.keys === undefined ? {} : { "x-api-key": key }) },
    ...(burst.body === undefined ? {} : { body: burst.body }),
  });
  if (!answer.ok) throw new Error(`${burst.path} answered ${answer.status}: ${await answer.text()}`);
  const file = join(folder, `body-${whose}`);
  writeFileSync(file, await answer.bytes());
  const { date: _date, "content-length": _length, ...ours } = Object.fromEntries(answer.headers);
  const headers = whose !== "one" ? ours : { "content-type": "application/json" };
  return started(
    [process.execPath, join(import.meta.dir, "bare.ts"), file, key, JSON.stringify(headers), whose],
    {},
  );
}

/** Alternating bursts; the first of each warms up. @returns the micros of each side */
export async function alternate(
  sides: readonly { target: Target; ask(round: number): Burst }[],
  connections: number,
  pairs: number,
  folder: string,
) {
  const micros: number[][] = sides.map(() => []);
  let refused = 0;
  for (let round = 0; round <= pairs; round++) {
    for (const [at, { target, ask }] of sides.entries()) {
      const burned = await burn(target, ask(round), connections, folder);
      if (round > 0) micros[at]?.push(burned.micros);
      refused += burned.refused;
    }
  }
  return { micros, refused };
}
