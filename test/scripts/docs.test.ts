import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { documents, regenerate } from "../../scripts/docs.ts";
import { COMMAND_NAMES, loadCommand } from "../../src/cli/registry.ts";
import { flagOf, SETTING_NAMES, SETTINGS } from "../../src/config/settings.ts";
import { EXECUCOMP_COLUMNS } from "../../src/analysis/export/columns.ts";
import { openFile } from "../../src/dataset/open.ts";
import { createViews, VIEWS } from "../../src/analysis/sql/views.ts";
import { FILING_STATUSES, HOW_READ } from "../../src/dataset/record.ts";
import { FILE_EVIDENCE } from "../../src/domain/row-fields.ts";
import { INDEXES, SECTORS } from "../../src/domain/selection.ts";

const ROOT = dirname(dirname(import.meta.dir));
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const SENTENCE = /^[A-Z`].{8,}\.$/s;

test.each(documents())(
  "the generated parts of %s match the code (otherwise: bun scripts/docs.ts)",
  async (file) => {
    expect(await regenerate(read(file))).toBe(read(file));
  },
);

test("text outside the markers is unchanged", async () => {
  const text = "before\n<!-- generated: settings -->\nstale words\n<!-- end -->\nafter\n";
  const written = await regenerate(text);
  expect(written).toStartWith("before\n<!-- generated: settings -->\n");
  expect(written).toEndWith("\n<!-- end -->\nafter\n");
  expect(written).toContain("`--port PORT`");
  expect(written).not.toContain("stale words");
});

test("an unknown marker is refused", async () => {
  await expect(regenerate("<!-- generated: nonsense -->\n<!-- end -->")).rejects.toThrow(
    /nothing generates "nonsense"/,
  );
});

test.each(SETTING_NAMES)("the setting %s has its description and is in docs/configuration.md", (name) => {
  expect(SETTINGS[name].about).toMatch(SENTENCE);
  expect(read("docs/configuration.md")).toContain(`--${flagOf(name)}`);
});

test.each(COMMAND_NAMES)("the command %s has its descriptions", async (name) => {
  const command = await loadCommand(name);
  expect(command.summary).toMatch(SENTENCE);
  for (const { about } of [...Object.values(command.flags), ...command.operands])
    expect(about).toMatch(SENTENCE);
});

test("the data dictionary has every view, column and problem code of the dataset", () => {
  const page = read("docs/data-dictionary.md");
  const { database } = openFile(join(ROOT, "data", "snapshot.sqlite"));
  const codes = database.query<{ code: string }, []>("select distinct code from problems").all();
  database.close();
  for (const { name } of EXECUCOMP_COLUMNS) expect(page).toContain(`| \`${name}\` |`);
  expect(codes.length).toBeGreaterThan(5);
  for (const { code } of codes) expect(page).toContain(`| \`${code}\` |`);
  for (const { name, columns } of VIEWS) {
    expect(page).toContain(`### ${name}\n`);
    for (const column of columns) expect(page).toContain(`| \`${column.name}\` |`);
  }
});

/** The columns with a closed list of values, and that list in code. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  "compensation.period": ["annual"],
  "compensation.evidence": FILE_EVIDENCE,
  "companies.sector": SECTORS,
  "filings.status": FILING_STATUSES,
  "filings.read": HOW_READ,
  "index_membership.index_name": INDEXES,
  "ceo_pay.basis": ["row", "tag"],
};
/** Columns whose values are EDGAR's, a filer's or a collector's, or described elsewhere. */
const OPEN = new Set(
  "reporting_currency source_form form filer_category provider reason doubts problems sector former_names".split(
    " ",
  ),
);

test("the data dictionary has every value of a column that has few, as the code and the dataset have them", () => {
  const { database } = openFile(join(ROOT, "data", "snapshot.sqlite"));
  createViews(database);
  for (const { name: view, columns } of VIEWS)
    for (const { name, kind, about } of columns) {
      if (kind !== "text") continue;
      const sql = `select distinct "${name}" as value from "${view}" where "${name}" is not null limit 30`;
      const held = database
        .query<{ value: string }, []>(sql)
        .all()
        .map(({ value }) => value);
      const closed = CLOSED[`${view}.${name}`];
      // A new column with few values is listed above, and its values in its description.
      if (closed === undefined)
        expect([view, name, held.length > 13 || OPEN.has(name)]).toEqual([view, name, true]);
      else expect([view, name, held.filter((value) => !closed.includes(value))]).toEqual([view, name, []]);
      for (const value of closed ?? [])
        expect([view, name, about]).toEqual([
          view,
          name,
          expect.stringMatching(new RegExp(`\\b${value}\\b`)),
        ]);
    }
  database.close();
});

test("every link between documents leads to a file", () => {
  for (const file of documents()) {
    for (const [, target = ""] of read(file).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
      const path = join(ROOT, dirname(file), target);
      expect({ file, target, there: readFileSync(path).length > 0 }).toEqual({ file, target, there: true });
    }
  }
});

test("a request's walk in ARCHITECTURE.md is ten functions that are there, and enters each room once", () => {
  const [, walk = ""] = read("ARCHITECTURE.md").split("Our functions on the way of");
  const [, table = ""] = walk.split("\n\n");
  const lines = [...table.matchAll(/^\| (?:`(\w+)`)? ?\| `(\w+)` \|/gm)];
  let room = "";
  const rooms: string[] = [];
  for (const [, entered, name] of lines) {
    if (entered !== undefined) rooms.push((room = entered));
    const files = [...new Bun.Glob(`src/${room}/**/*.ts`).scanSync(ROOT)];
    const isThere = files.some((file) => new RegExp(`(function )?\\b${name}(<|\\()`).test(read(file)));
    expect({ room, name, isThere }).toEqual({ room, name, isThere: true });
  }
  expect([lines.length, rooms]).toEqual([10, ["server", "rest", "operations", "dataset"]]);
});
