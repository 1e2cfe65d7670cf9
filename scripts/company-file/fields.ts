/** The fields of one line of a company's file. */
import { readCents } from "../../src/domain/amount.ts";
import { type AmountField, byAmount } from "../../src/domain/row-fields.ts";
import { EVIDENCE } from "../../src/domain/officer-claims.ts";
import type { OfficeFlag } from "../../src/dataset/record.ts";

/** The fields of a line, parsed by column. */
export class Fields {
  constructor(
    private readonly columns: readonly string[],
    private readonly values: readonly string[],
    private readonly fault: (message: string) => Error,
  ) {}

  text(column: string): string {
    return this.values[this.columns.indexOf(column)] ?? "";
  }

  /** The words of a field. */
  words(column: string): string[] {
    return this.text(column)
      .split(" ")
      .filter((word) => word !== "");
  }

  refuse(column: string): never {
    throw this.fault(`cannot read ${column} "${this.text(column)}"`);
  }

  matching(column: string, shape: RegExp): string {
    const text = this.text(column);
    return shape.test(text) ? text : this.refuse(column);
  }

  orNull(column: string, shape: RegExp): string | null {
    return this.text(column) === "" ? null : this.matching(column, shape);
  }

  oneOf<const Value extends string>(column: string, values: readonly Value[]): Value | null {
    if (this.text(column) === "") return null;
    return values.find((value) => value === this.text(column)) ?? this.refuse(column);
  }

  whole(column: string): number {
    return Number(this.matching(column, /^\d{1,9}$/));
  }

  amounts(): Record<AmountField, number> {
    return byAmount((field) => readCents(this.text(field)) ?? this.refuse(field));
  }

  flag(column: "peo" | "pfo"): OfficeFlag {
    const [word = "", kind = ""] = this.matching(column, /^(yes|no|\?) [a-z]+$/).split(" ");
    return {
      held: word === "?" ? null : word === "yes",
      evidence: EVIDENCE.find((one) => one === kind) ?? this.refuse(column),
      because: this.text(`${column}_because`) || null,
    };
  }

  json<Shape>(column: string): Shape {
    try {
      // The caller names the type that `writeCompanyFile` writes to this column.
      return JSON.parse(this.text(column)) as Shape;
    } catch {
      return this.refuse(column);
    }
  }
}
