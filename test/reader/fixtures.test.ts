import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { invariantViolations } from "../support/parse-invariants.ts";
import { compare, type ExpectedRow } from "../support/layouts/index.ts";

const FIXTURES = join(import.meta.dir, "fixtures");

/** The file beside each document: what it is about, and what a careful person reads in it. */
interface Fixture {
  readonly about: string;
  readonly form: string;
  /** Reasons that are right when the document must be refused; empty when it must be read. */
  readonly refuse: readonly string[];
  /** Too unusual to ask for: a refusal, or a problem, is as good as the rows. */
  readonly mayRefuse: boolean;
  readonly rows: readonly ExpectedRow[];
}

/** Reads `NN-name.tsv`: comments first, then one row a line, amounts in units of the currency. */
function readFixture(text: string): Fixture {
  const lines = text.trimEnd().split("\n");
  const comments = lines.filter((line) => line.startsWith("# ")).map((line) => line.slice(2));
  const after = (start: string) => comments.find((line) => line.startsWith(start))?.slice(start.length) ?? "";
  const rows = lines.filter((line) => !line.startsWith("#")).slice(1);
  return {
    about: comments[0] ?? "",
    form: after("form: "),
    refuse: after("refuse: ")
      .split(" ")
      .filter((reason) => reason !== ""),
    mayRefuse: comments.includes("may be refused"),
    rows: rows.map(readRow),
  };
}

function readRow(line: string): ExpectedRow {
  const [id = "", name = "", role = "", year = "", currency = "", ...rest] = line.split("\t");
  const cents = (at: number) => Math.round(Number(rest[at]) * 100);
  return {
    executive_id: id,
    executive_name: name,
    executive_role: role === "" ? null : role,
    fiscal_year: Number(year),
    reporting_currency: currency,
    amounts: {
      salary: cents(0),
      bonus: cents(1),
      stock_awards: cents(2),
      option_awards: cents(3),
      non_equity_incentive: cents(4),
      pension_change: cents(5),
      other_comp: cents(6),
      unknown_component: cents(7),
      total_compensation: cents(8),
    },
    is_peo: rest[9] === "yes",
    is_pfo: rest[10] === "yes",
  };
}

describe("a difficult document written by hand", () => {
  for (const file of readdirSync(FIXTURES)
    .filter((name) => name.endsWith(".tsv"))
    .sort()) {
    const fixture = readFixture(readFileSync(join(FIXTURES, file), "utf8"));
    const base = file.replace(/\.tsv$/, "");
    test(`${base}: ${fixture.about}`, () => {
      const parsed = parseFiling(readFileSync(join(FIXTURES, `${base}.txt`)), { form: fixture.form });
      expect(invariantViolations(parsed)).toEqual([]);
      if (fixture.refuse.length > 0) {
        expect(parsed.rows.map((row) => `${row.executive_name} ${row.fiscal_year}`)).toEqual([]);
        expect(fixture.refuse).toContain(parsed.reason ?? "not refused");
        return;
      }
      // An id of `*` is left open: which of two people of one name keeps the short id is the snapshot's to say.
      const rows = fixture.rows.map((row, at) =>
        row.executive_id === "*" ? { ...row, executive_id: parsed.rows[at]?.executive_id ?? "*" } : row,
      );
      const { verdict, differences } = compare(parsed, rows);
      expect(fixture.mayRefuse && verdict !== "silent" ? [] : differences).toEqual([]);
    });
  }
});
