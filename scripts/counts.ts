/**
 * How large the house is: prints the lines of TypeScript by folder of `src`, and of `scripts`, beside those of the commit that
 * docs/decisions/size.md keeps and the aims that it names. It reports; it refuses nothing.
 *
 *     bun scripts/counts.ts [FOLDER]     FOLDER is the top of another checkout
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blankComments } from "./layers.ts";

/** Lines of TypeScript; each is of exactly one kind. */
export interface Counts {
  files: number;
  /** Everything that is none of the following. */
  code: number;
  /** Lines of an import, or of a re-export from another module. */
  import: number;
  /** Lines with nothing but a comment, or a part of one. */
  comment: number;
  blank: number;
}

const IMPORT = /^(?:import|export)\b[^"';]*?\bfrom\s*"[^"]+"[^;\n]*;|^import\s*"[^"]+"[^;\n]*;/gm;
const MARK = "\u0001";

/** The lines of one source by kind. */
export function countSource(source: string): Counts {
  const counts: Counts = { files: 1, code: 0, import: 0, comment: 0, blank: 0 };
  if (source === "") return counts;
  const lines = source.replace(/\n$/, "").split("\n");
  const left = blankComments(source).replace(IMPORT, (text) => text.replace(/[^\n]/g, MARK));
  const bare = left.split("\n");
  lines.forEach((line, at) => {
    const rest = (bare[at] ?? "").trim();
    if (line.trim() === "") counts.blank += 1;
    else if (rest === "") counts.comment += 1;
    else if (rest.startsWith(MARK)) counts.import += 1;
    else counts.code += 1;
  });
  return counts;
}

/** The counts of each folder of `src` (a file at its top is in `src`), sorted by name, then of `scripts`. */
export function countTree(root: string): Map<string, Counts> {
  const folders = new Map<string, Counts>();
  const files = [...new Bun.Glob("{src,scripts}/**/*.ts").scanSync(root)].map((file) =>
    file.replaceAll("\\", "/"),
  );
  for (const file of files.toSorted()) {
    const [top = "", room = ""] = file.split("/");
    const folder = top === "scripts" || room.endsWith(".ts") ? top : `src/${room}`;
    const sum = folders.get(folder) ?? { files: 0, code: 0, import: 0, comment: 0, blank: 0 };
    const one = countSource(readFileSync(join(root, file), "utf8"));
    for (const kind of KINDS) sum[kind] += one[kind];
    folders.set(folder, sum);
  }
  return folders;
}

const KINDS = ["files", "code", "import", "comment", "blank"] as const;

/** All lines, of whatever kind. */
const linesOf = (one: Counts): number => one.code + one.import + one.comment + one.blank;

function sumOf(folders: ReadonlyMap<string, Counts>): Counts {
  const sum: Counts = { files: 0, code: 0, import: 0, comment: 0, blank: 0 };
  for (const [folder, one] of folders)
    if (folder !== "scripts") for (const kind of KINDS) sum[kind] += one[kind];
  return sum;
}

/** The counts that a table like ours keeps: `| src/web | 25 | 3000 | …`, in the order of `KINDS`. */
export function readTable(markdown: string): Map<string, Counts> {
  const rows = markdown.matchAll(/^\| ((?:src|scripts)[\w/-]*) \|((?: +[\d,]+ \|){5,6})$/gm);
  return new Map(
    [...rows].map(([, folder = "", cells = ""]) => {
      const [files = 0, code = 0, imports = 0, comment = 0, blank = 0] = cells
        .split("|")
        .map((cell) => Number(cell.replaceAll(",", "")));
      return [folder, { files, code, import: imports, comment, blank }];
    }),
  );
}

/** The counts that the repository keeps to compare with. */
export function keptCounts(root: string): Map<string, Counts> {
  return readTable(readFileSync(join(root, "docs/decisions/size.md"), "utf8"));
}

const AIMS = { code: 42_000, lines: 57_000, files: 340, scripts: 10_000 };
const HEADINGS = ["files", "code", "import", "comment", "blank", "lines"];

function row(name: string, one: Counts, before: Counts | undefined): string {
  const cells = [...KINDS.map((kind) => one[kind]), linesOf(one)].map((n) =>
    n.toLocaleString("en-US").padStart(7),
  );
  const change = before === undefined ? 0 : one.code - before.code;
  return `${name.padEnd(18)}${cells.join("")}${change === 0 ? "" : `  code ${change > 0 ? "+" : ""}${change}`}`;
}

/** The table as text: what is now, and by how much the code of each folder has changed. */
export function report(now: ReadonlyMap<string, Counts>, before: ReadonlyMap<string, Counts>): string {
  const gone = [...before.keys()].filter((folder) => !now.has(folder));
  const scripts = now.get("scripts");
  const all = sumOf(now);
  const aims = [
    `code in src ${all.code} of ${AIMS.code}`,
    `lines in src ${linesOf(all)} of ${AIMS.lines}`,
    `files in src ${all.files} of ${AIMS.files}`,
    ...(scripts === undefined ? [] : [`lines in scripts ${linesOf(scripts)} of ${AIMS.scripts}`]),
  ];
  return [
    `${"".padEnd(18)}${HEADINGS.map((heading) => heading.padStart(7)).join("")}`,
    ...[...now]
      .filter(([folder]) => folder !== "scripts")
      .map(([name, one]) => row(name, one, before.get(name))),
    row("all of src", all, sumOf(before)),
    ...(scripts === undefined ? [] : [row("scripts", scripts, before.get("scripts"))]),
    ...(gone.length === 0 ? [] : [`gone: ${gone.join(", ")}`]),
    `aims: ${aims.join(", ")}`,
  ].join("\n");
}

if (import.meta.main) {
  const here = dirname(import.meta.dir);
  process.stdout.write(`${report(countTree(process.argv[2] ?? here), keptCounts(here))}\n`);
}
