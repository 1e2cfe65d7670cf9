/** The contents shared by all packages: built once per release, the same for all machines except the executable. */
import { basename } from "node:path";
import { COMMAND_NAMES, loadCommand } from "../../src/cli/registry.ts";
import type { Deflate, Entry } from "./archives.ts";
import { COMPLETION_FILES } from "../../src/cli/completions.ts";
import { manPage } from "./man.ts";
import type { Platform } from "./platforms.ts";
import { readText, type Source } from "./source.ts";

/** The document that describes the columns. */
export const DICTIONARY = "docs/data-dictionary.md";

/** Texts shipped with an executable. */
export interface Contents {
  licence: string;
  readme: string;
  man: string;
  notices: string;
  changes: string;
  dictionary: string;
  /** By file name. */
  completions: Readonly<Record<string, string>>;
}

/** The settings of a release. */
export interface ReleaseOrder {
  source: Source;
  platforms: readonly Platform[];
  /** An empty folder. */
  out: string;
  /** Null leaves the list of hashes unsigned. */
  secretKeyFile: string | null;
}

/** An executable with everything that its packages need. */
export interface Built {
  source: Source;
  platform: Platform;
  contents: Contents;
  executable: Uint8Array<ArrayBuffer>;
  deflate: Deflate;
  /** Names and descriptions of the tools of `execcomp mcp`. */
  tools: readonly { name: string; description: string }[];
}

/** A file of a release. */
export interface ReleaseFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Reads and generates them. @param notices the third-party notices */
export async function makeContents(source: Source, notices: string): Promise<Contents> {
  const commands = await Promise.all(COMMAND_NAMES.map(loadCommand));
  return {
    licence: readText("LICENSE"),
    readme: readText("scripts/release/files/README.md"),
    man: manPage(commands, source.version, source.date),
    notices,
    changes: changesOf(readText("CHANGELOG.md"), source.version),
    dictionary: readText(DICTIONARY),
    completions: COMPLETION_FILES,
  };
}

/** The licences of everything in the executable. */
export function copyrightOf({ notices, licence }: Contents): string {
  return `${notices}\n${licence}`;
}

/** The files of an archive, below `folder`. */
export function archiveEntries(
  folder: string,
  contents: Contents,
  executable: { name: string; bytes: Uint8Array<ArrayBuffer> },
): Entry[] {
  const text = (path: string, content: string): Entry => ({
    path: `${folder}/${path}`,
    content,
    mode: 0o644,
  });
  return [
    { path: `${folder}/${executable.name}`, content: executable.bytes, mode: 0o755 },
    text("LICENSE", contents.licence),
    text("README.md", contents.readme),
    text("CHANGELOG.md", contents.changes),
    text(basename(DICTIONARY), contents.dictionary),
    text("THIRD-PARTY-NOTICES.txt", contents.notices),
    text("share/man/man1/execcomp.1", contents.man),
    ...Object.entries(contents.completions).map(([name, script]) =>
      text(`share/completions/${name}`, script),
    ),
  ];
}

/** The changes of a version as a separate document. @throws Error if the changelog has no section for it */
export function changesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((one) => /^[^\s,]+/.exec(one)?.[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
  return `# execcomp ${section.trim()}\n`;
}
