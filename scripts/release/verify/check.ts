/** The interface of package checks, and their shared helpers. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type CommandOptions, outputOf } from "../../command-output.ts";

/** The folder of the release, and a scratch folder that is deleted afterwards. */
export interface CheckContext {
  release: string;
  folder: string;
}

/** Installs one package from its file and runs it. */
export interface Check {
  name: string;
  /** Commands that it requires on the machine. */
  needs: readonly string[];
  /** Whether it requires root: for a chroot or a container. */
  root?: true;
  /** @throws Error saying what was expected */
  run(context: CheckContext): Promise<void>;
}

/** Thrown by a check that cannot run on this machine. */
export class CannotTry extends Error {}

/** The total of Apple's chief executive for fiscal 2025: a package without its data cannot print it. */
export const APPLE_TOTAL = "74,294,811";

/** The one file of the release whose name matches. @throws CannotTry if that package was not built */
export function releaseFile({ release }: CheckContext, pattern: RegExp): string {
  const name = readdirSync(release).find((one) => pattern.test(one));
  if (name === undefined) throw new CannotTry(`no ${pattern.source} in the release`);
  return join(release, name);
}

/** A command's standard output. @param options `env` is added to this environment */
export function run(command: readonly string[], options: CommandOptions = {}): Promise<string> {
  return outputOf(command, { ...options, env: { ...process.env, ...options.env } });
}

/** Asks an installed program for Apple. @throws Error if the answer differs */
export async function showsApple(command: readonly string[], options?: CommandOptions): Promise<void> {
  requireText(await run([...command, "show", "AAPL", "--years", "1"], options), APPLE_TOTAL);
}

/** @throws Error if the text does not contain the expected part */
export function requireText(text: string, expected: string): void {
  if (!text.includes(expected))
    throw new Error(`expected ${expected} in ${JSON.stringify(text.slice(0, 400))}`);
}

/** @throws Error if the file does not exist */
export function requireFile(path: string): void {
  if (!existsSync(path)) throw new Error(`${path} was not installed`);
}
