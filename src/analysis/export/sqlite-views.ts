/** The documented views as tables of a plain SQLite database, with a table that describes their columns. */
import { rmSync } from "node:fs";
import { Database, type SQLQueryBindings } from "bun:sqlite";
import type { FieldKind } from "../../domain/row-fields.ts";
import { type View, VIEWS } from "../sql/views.ts";

const TYPES: Readonly<Record<FieldKind, string>> = {
  text: "text",
  link: "text",
  date: "text",
  whole: "integer",
  flag: "integer",
  amount: "real",
};

const DICTIONARY = ["view", "column", "kind", "may_be_null", "meaning"] as const;

/** @param source a snapshot with its views */
export function writeViews(source: Database, path: string): void {
  // A killed export may have left a file.
  rmSync(path, { force: true });
  const out = new Database(path, { create: true, strict: true });
  try {
    // No journal: the caller deletes an incomplete file.
    out.run("pragma journal_mode = off");
    out.run("pragma synchronous = off");
    out.transaction(() => {
      for (const view of VIEWS) copy(source, out, view);
      writeDictionary(out);
    })();
    out.run("vacuum");
  } finally {
    out.close();
  }
}

function copy(source: Database, out: Database, { name, columns }: View): void {
  const declared = columns.map(
    (column) => `"${column.name}" ${TYPES[column.kind]}${column.nullable ? "" : " not null"}`,
  );
  out.run(`create table "${name}" (${declared.join(", ")}) strict`);
  const insert = out.prepare(`insert into "${name}" values (${columns.map(() => "?").join(", ")})`);
  const lines = source.query<Record<string, SQLQueryBindings>, []>(`select * from "${name}"`).iterate();
  for (const line of lines) insert.run(...columns.map((column) => line[column.name] ?? null));
}

function writeDictionary(out: Database): void {
  out.run(`create table data_dictionary (${DICTIONARY.map((name) => `"${name}" not null`).join(", ")})`);
  const insert = out.prepare(`insert into data_dictionary values (${DICTIONARY.map(() => "?").join(", ")})`);
  for (const view of VIEWS) {
    for (const { name, kind, nullable, about } of view.columns)
      insert.run(view.name, name, kind, nullable ? 1 : 0, about);
  }
}
