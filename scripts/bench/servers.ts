/** The servers that request benches compare, and alternating bursts on them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LadderStep } from "./bare.ts";
import { type Burst, burn } from "./burst.ts";
import { readyOrigin } from "./starting.ts";
import type { Target } from "./types.ts";

/** One of our processes, and a function that stops it. */
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

/** Settings with limits that are never reached: the benches measure answering, not refusing. */
export const NO_LIMITS = {
  EXECCOMP_RATE_ANONYMOUS: "100000000",
  EXECCOMP_RATE_KEY: "100000000",
  EXECCOMP_RATE_TOKEN: "100000000",
};

/**
 * A data folder with a large snapshot installed and a key without limits: the settings to start servers with, and the
 * key.
 */
export async function installLarge(
  executable: string,
  folder: string,
  snapshot: string,
): Promise<{ env: Record<string, string>; key: string }> {
  const env = { ...NO_LIMITS, EXECCOMP_DATA_DIR: folder, EXECCOMP_UNMETERED: "true" };
  await Bun.$`${executable} data install ${snapshot} --trust`.env(env).quiet();
  const made = await Bun.$`${executable} keys create --user bench@example.com --json`.env(env).json();
  return { env, key: String(made.key) };
}

/** A server with its own store. */
export function serve(
  executable: string,
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const env = { ...NO_LIMITS, EXECCOMP_DATA_DIR: dataDir, ...more };
  return started([executable, "serve", "--port", "0"], env);
}

/**
 * The bare server, returning the same body as ours.
 * @param whose with one header or with ours, or with ours and the additions of a step
 * @param dataDir a separate store, for steps that use one
 */
export async function bare(
  server: Target,
  burst: Burst,
  folder: string,
  whose: "one" | "ours" | LadderStep,
  dataDir = "",
): Promise<Started> {
  const key = burst.keys?.[0] ?? burst.headers?.["x-api-key"] ?? "";
  const answer = await fetch(server.origin + burst.path, {
    method: burst.method ?? "GET",
    headers: { ...burst.headers, ...(burst.keys === undefined ? {} : { "x-api-key": key }) },
    ...(burst.body === undefined ? {} : { body: burst.body }),
  });
  if (!answer.ok) throw new Error(`${burst.path} answered ${answer.status}: ${await answer.text()}`);
  const secrets = join(folder, `keys-${whose}`);
  if (burst.keys !== undefined) writeFileSync(secrets, burst.keys.join("\n"));
  const given = burst.keys === undefined ? key : `@${secrets}`;
  const file = join(folder, `body-${whose}`);
  writeFileSync(file, await answer.bytes());
  const { date: _date, "content-length": _length, ...ours } = Object.fromEntries(answer.headers);
  const headers = whose !== "one" ? ours : { "content-type": "application/json" };
  return started(
    [
      process.execPath,
      join(import.meta.dir, "bare.ts"),
      file,
      given,
      JSON.stringify(headers),
      whose,
      dataDir,
    ],
    {},
  );
}

/** Warm-up requests: with only one second of warm-up, compilation was a quarter of the cost of a charge. */
export const WARM_REQUESTS = 20_000;

/** Sends requests over 64 connections until the server has compiled its hot code. */
export async function warm(
  target: Target,
  burst: Burst,
  folder: string,
  requests = WARM_REQUESTS,
): Promise<void> {
  for (let done = 0; done < requests;) done += (await burn(target, burst, 64, folder)).requests;
}

/**
 * Alternating bursts on warm servers; the first of each is not counted, and the order is reversed after each round.
 * @returns the micros of each side
 */
export async function alternate(
  sides: readonly { target: Target; ask(round: number): Burst }[],
  connections: number,
  pairs: number,
  folder: string,
) {
  const micros: number[][] = sides.map(() => []);
  let refused = 0;
  for (const { target, ask } of sides) if (ask(0).once !== true) await warm(target, ask(0), folder);
  const inOrder = [...sides.entries()];
  for (let round = 0; round <= pairs; round++) {
    for (const [at, { target, ask }] of round % 2 === 0 ? inOrder : inOrder.toReversed()) {
      const burned = await burn(target, ask(round), connections, folder);
      if (round > 0) micros[at]?.push(burned.micros);
      refused += burned.refused;
    }
  }
  return { micros, refused };
}
