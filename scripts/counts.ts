/**
 * Prints the lines of TypeScript by folder of `src`, and of `scripts`: `bun scripts/counts.ts [FOLDER]`, where FOLDER is the
 * top of another checkout.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blankComments } from "./layers.ts";

const KINDS = ["files", "code", "import", "comment", "blank", "lines"] as const;

/** Lines of TypeScript; each is code, an import (or a re-export), nothing but a comment, or blank. */
type Counts = Record<(typeof KINDS)[number], number>;

const IMPORT = /^(?:import|export)\b[^"';]*?\bfrom\s*"[^"]+"[^;\n]*;|^import\s*"[^"]+"[^;\n]*;/gm;
const MARK = "\u0001";

/** The lines of one source by kind. */
export function countSource(source: string): Counts {
  const counts: Counts = { files: 1, code: 0, import: 0, comment: 0, blank: 0, lines: 0 };
  if (source === "") return counts;
  const lines = source.replace(/\n$/, "").split("\n");
  const bare = blankComments(source).replace(IMPORT, (text) => text.replace(/[^\n]/g, MARK));
  const left = bare.split("\n").map((line) => line.trim());
  counts.lines = lines.length;
  lines.forEach((line, at) => {
    const rest = left[at] ?? "";
    const kind = rest.startsWith(MARK)
      ? "import"
      : rest !== ""
        ? "code"
        : line.trim() === ""
          ? "blank"
          : "comment";
    counts[kind] += 1;
  });
  return counts;
}

/** The counts as a table: each folder of `src` (a file at its top is in `src`), all of `src`, and `scripts`. */
export function countsOf(root: string): string {
  const folders = new Map<string, Counts>();
  const add = (folder: string, one: Counts) => {
    const sum = folders.get(folder);
    folders.set(folder, sum === undefined ? { ...one } : sum);
    if (sum !== undefined) for (const kind of KINDS) sum[kind] += one[kind];
  };
  for (const found of [...new Bun.Glob("{src,scripts}/**/*.ts").scanSync(root)].toSorted()) {
    const file = found.replaceAll("\\", "/");
    const one = countSource(readFileSync(join(root, file), "utf8"));
    const [top = "", room = ""] = file.split("/");
    if (top === "src") add(room.endsWith(".ts") ? "src" : `src/${room}`, one);
    add(top === "src" ? "all of src" : top, one);
  }
  const line = (name: string, cells: readonly string[]) =>
    name.padEnd(18) + cells.map((cell) => cell.padStart(8)).join("");
  const rows = [...folders].toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return [
    line("", KINDS),
    ...rows.map(([name, one]) =>
      line(
        name,
        KINDS.map((kind) => one[kind].toLocaleString("en-US")),
      ),
    ),
  ].join("\n");
}

const rank = (name: string) => ["all of src", "scripts"].indexOf(name);

if (import.meta.main) console.log(countsOf(process.argv[2] ?? dirname(import.meta.dir)));
