/** The column sets of exported rows. */
import { EXECUCOMP_COLUMNS } from "./execucomp.ts";
import { COLUMNS, type ExportColumn } from "./flat.ts";

/** Names of the column sets: our own, and that of ExecuComp's annual compensation table. */
export const COLUMN_SETS = ["standard", "execucomp"] as const;
/** One of `COLUMN_SETS`. */
export type ColumnSet = (typeof COLUMN_SETS)[number];

/** The columns of a set, in order. */
export function columnsOf(set: ColumnSet): readonly ExportColumn[] {
  return set === "execucomp" ? EXECUCOMP_COLUMNS : COLUMNS;
}
