import type { MaybePromise } from "../domain/maybe-promise.ts";
import type { ParameterInfo } from "../domain/parameters.ts";
import { choice, readSelection, SELECTION_PARAMETERS, singleParameters } from "../domain/selection.ts";
import { ServiceError, type WindowState } from "../errors.ts";
import { COLUMN_SETS } from "../analysis/export/columns.ts";
import { STREAMED_FORMATS, type StreamedFormat } from "../analysis/export/selected.ts";
import { exporter } from "../analysis/export/thread.ts";
import { type AnalysisDeps, nameCompanies } from "./analysis.ts";
import { freeReceipt, type OperationRequest, type Receipt, whenAdmitted } from "./operation.ts";

/** The parameters of the export operation. */
export const EXPORT_PARAMETERS: readonly ParameterInfo[] = [
  {
    name: "format",
    about: "file format; csv if absent",
    schema: { type: "string", enum: STREAMED_FORMATS, default: "csv" },
  },
  {
    name: "columns",
    about:
      "standard (the default), or execucomp: names and units of ExecuComp's annual compensation table, amounts in thousands",
    schema: { type: "string", enum: COLUMN_SETS, default: "standard" },
  },
  ...SELECTION_PARAMETERS,
];

/** An export: all rows of a selection as a file. */
export interface ExportAnswer {
  format: StreamedFormat;
  /** Suggested file name. */
  name: string;
  rows: number;
  /** The file, generated while it is read. */
  bytes: AsyncGenerator<Uint8Array>;
  window: WindowState | null;
  receipt: Receipt;
}

/**
 * Exports all rows of a selection, ordered by CIK, fiscal year and executive_id, as a stream. Only for unmetered
 * callers; others are refused with `payment_required`, after the refusals of the query operation.
 * @see docs/contract.md, "Analysis"
 */
export function exportOperation(deps: AnalysisDeps) {
  const exported = exporter();
  return (request: OperationRequest): MaybePromise<ExportAnswer> =>
    whenAdmitted(deps, request, async ({ principal, window }) => {
      const dataset = deps.snapshots.current();
      const single = singleParameters(request.parameters, EXPORT_PARAMETERS);
      const format = choice(single, "format", STREAMED_FORMATS) ?? "csv";
      const columns = choice(single, "columns", COLUMN_SETS) ?? "standard";
      const { resolved } = nameCompanies(dataset, readSelection(single));
      const receipt = await freeReceipt(deps, principal, request.caller.requestId);
      if (receipt.remaining !== null) {
        throw new ServiceError(
          "payment_required",
          "An export needs a paid subscription. Page through the query operation instead, or ask the owner of this server.",
        );
      }
      const { keys } = await deps.analyst.keys(dataset, { kind: "keys", selection: resolved });
      const name = `executive-compensation-${dataset.info.edition}.${format}`;
      const bytes = exported(dataset, keys, format, columns);
      return { format, name, rows: keys.length, bytes, window, receipt };
    });
}
