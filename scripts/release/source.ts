/** The source of a release: a version, a commit and its date. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../../package.json";
import { outputOf } from "../command-output.ts";

/** The top of the repository. */
export const ROOT = dirname(dirname(import.meta.dir));

/** The source of a release. */
export interface Source {
  version: string;
  /** Date of the commit, given to every file in every archive. */
  date: Date;
  commit: string;
  /** Whether the tree is that of the tag `vVERSION`, without changes. */
  isTagged: boolean;
}

/** The current commit. */
export async function readSource(): Promise<Source> {
  const { version } = packageJson;
  const commit = await git("rev-parse", "HEAD");
  const tagged = await git("tag", "--points-at", "HEAD");
  const changed = await git("status", "--porcelain");
  return {
    version,
    commit,
    date: new Date(Number(await git("log", "-1", "--format=%ct")) * 1000),
    isTagged: changed === "" && tagged.split("\n").includes(`v${version}`),
  };
}

/** A file of the repository as text. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

async function git(...words: string[]): Promise<string> {
  return (await outputOf(["git", ...words], { cwd: ROOT })).trim();
}
