/** What documents and comments point to: files, headings and sections that must exist in the repository. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blankComments, type Breach } from "./layers.ts";

const CITATION =
  /(?<![\w./[-])(?<path>[\w./-]*\b[\w-]+\.md)`?(?:\)?,? (?:"(?<heading>[^"\n]+)"|\\"(?<escaped>[^"\n]+)\\"|(?<number>\d\.\d\b|(?:T|TL|R|A|K|P)-\d+)))?/g;

/** A source file that is named, and what is said to be in it: `addressOf` of `client.ts`. */
const SOURCE_FILE =
  /(?:`(?<name>\w+)`? (?:of|in) )?(?<![\w./-])`?(?<path>(?:[\w-]+\/)*\w[\w.-]*\.(?:ts|css))\b/g;
const FOLDER = /(?<![\w./@-])(?<path>(?:src|scripts|test|docs)\/[\w/-]*\w)(?![\w./-])/g;

/** The text with everything but its comments blanked. */
function commentsOf(text: string): string {
  const code = blankComments(text);
  return text.replace(/[^\n]/g, (mark, index: number) => (code[index] === mark ? " " : mark));
}

/**
 * All of them in one file: documents cited (`docs/contract.md, "Price"`, `test/contract/protocols.md, K-4`), headings linked to, source files
 * and folders that a document or a comment names, and paths outside the repository.
 *
 * @param tracked every file of the repository, by its path from the top
 */
export function brokenLinks(file: string, text: string, root: string, tracked: readonly string[]): Breach[] {
  const found: Breach[] = [];
  const add = (index: number, message: string) =>
    found.push({ file, line: text.slice(0, index).split("\n").length, message });
  for (const { groups, index } of text.matchAll(CITATION)) {
    const { path = "", heading, escaped, number } = groups ?? {};
    if (/^(?:node_modules|package)\//.test(path)) continue;
    // scripts/docs.ts writes pages whose links are relative to docs/.
    const from = file === "scripts/docs.ts" ? "docs" : dirname(file);
    const place = [join(root, path), join(root, from, path)].find((one) => existsSync(one));
    const section = heading ?? escaped ?? number;
    if (place === undefined) add(index, `${path} is not in the repository`);
    else if (section !== undefined && !hasSection(readFileSync(place, "utf8"), section))
      add(index, `${path} has no section ${section}`);
  }
  for (const { 0: line, index } of text.matchAll(/^.*\.\.\/shared\b.*$/gm)) {
    if (file.endsWith(".md") || /^\s*(?:\/?\*|\/\/)/.test(line))
      add(index, "../shared is not part of the repository: say what it is");
  }
  const prose = file.endsWith(".md") ? text : commentsOf(text);
  for (const { groups, index } of prose.matchAll(SOURCE_FILE)) {
    const { path = "", name } = groups ?? {};
    const places = tracked.filter((one) => one === path || one.endsWith(`/${path}`));
    if (places.length === 0) add(index, `${path} is not in the repository`);
    else if (
      name !== undefined &&
      !places.some((place) => new RegExp(`\\b${name}\\b`).test(readFileSync(join(root, place), "utf8")))
    )
      add(index, `${path} has no ${name}`);
  }
  for (const { groups, index } of prose.matchAll(FOLDER)) {
    const { path = "" } = groups ?? {};
    if (!existsSync(join(root, path))) add(index, `${path} is not in the repository`);
  }
  if (!file.endsWith(".md")) return found;
  for (const { 1: path = "", 2: anchor = "", index } of text.matchAll(
    /\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)/g,
  )) {
    const target = path === "" ? join(root, file) : join(root, dirname(file), path);
    const headings = existsSync(target) ? readFileSync(target, "utf8").matchAll(/^#+ (.+)$/gm) : [];
    if (![...headings].some(([, heading = ""]) => anchorOf(heading) === anchor))
      add(index, `${path}#${anchor} is not a heading`);
  }
  return found;
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}

/** Whether a document has a heading of that name or number, or a table row of that id. */
function hasSection(text: string, section: string): boolean {
  const name = RegExp.escape(section);
  return new RegExp(`^(?:#+ (?:${name}$|${name} )|\\| ${name} \\|)`, "m").test(text);
}

/** All of them in the sources and documents of a repository. */
export function checkLinks(root: string): Breach[] {
  const listed = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard"], { cwd: root });
  const tracked = listed.stdout
    .toString()
    .split("\n")
    .filter((file) => file !== "" && existsSync(join(root, file)));
  return tracked
    .filter((file) =>
      /^(?:(?:src|scripts|test)\/.*\.(?:ts|css)|(?:docs\/.*|data\/README|test\/contract\/protocols|[^/]+)\.md)$/.test(
        file,
      ),
    )
    .filter((file) => !/^(?:scripts\/links|test\/scripts\/links\.test)\.ts$/.test(file))
    .flatMap((file) => brokenLinks(file, readFileSync(join(root, file), "utf8"), root, tracked));
}
