/** Records of CEO pay as CSV, JSON lines or Parquet, with the columns of the SQL view. */
import { type CeoPayQuestion, type CeoPayResult, flatRecord, type recordJson } from "../ceo-pay.ts";
import { CEO_PAY } from "../sql/views.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import type { ExportColumn, FlatRow } from "./flat.ts";
import { viewColumn } from "./view.ts";
import { exportPieces, type StreamedFormat } from "./selected.ts";

/** Records per piece: the order is made once for each. */
const RECORDS_A_PIECE = 1000;

const COLUMNS: readonly ExportColumn[] = CEO_PAY.columns
  // The selection says which years.
  .filter(({ name }) => name !== "is_latest")
  .map(viewColumn);

type Json = ReturnType<typeof recordJson>;

/** The selected records, a page at a time, as the bytes of a file. @param ask answers a page */
export function exportedCeoPay(
  dataset: Dataset,
  selection: CeoPayQuestion["selection"],
  format: StreamedFormat,
  ask: (question: CeoPayQuestion) => CeoPayResult | Promise<CeoPayResult>,
): AsyncGenerator<Uint8Array> {
  async function* pieces(): AsyncGenerator<FlatRow[]> {
    const question = { kind: "ceo_pay", selection, sort: { by: "company_name", descending: false } } as const;
    for (let offset = 0; ; offset += RECORDS_A_PIECE) {
      const { json, count } = await ask({ ...question, offset, count: RECORDS_A_PIECE });
      // Written by `recordJson`.
      const records = JSON.parse(`[${new TextDecoder().decode(json)}]`) as Json[];
      yield records.map(flatRow);
      if (count < RECORDS_A_PIECE) return;
    }
  }
  return exportPieces(dataset, COLUMNS, format, pieces());
}

function flatRow(record: Json): FlatRow {
  const values = flatRecord(record);
  return COLUMNS.map(({ name }) => values[name] ?? null);
}
