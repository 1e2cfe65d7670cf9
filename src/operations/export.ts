import type { Endpoint } from "./endpoint.ts";
import { CEO_PAY_SELECTION, ceoPaySelectionOf } from "../domain/ceo-pay-selection.ts";
import {
  type GivenParameters,
  type Parameter,
  readValues,
  singleParameters,
  word,
} from "../domain/parameters.ts";
import { readSelection, SELECTION_PARAMETERS } from "../domain/selection.ts";
import { invalid, ServiceError, type WindowState } from "../errors.ts";
import type { CeoPayQuestion } from "../analysis/ceo-pay-questions.ts";
import { exportedCeoPay, STREAMED_FORMATS, type StreamedFormat } from "../analysis/export/pieces.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { COLUMN_SETS } from "../analysis/export/columns.ts";
import { exporter } from "../analysis/export/thread.ts";
import { type AnalysisDeps, nameCompanies } from "./analysis.ts";
import { freeReceipt, type OperationRequest, type Receipt, whenAdmitted } from "./operation.ts";

const VIEWS = ["compensation", "ceo_pay"] as const;

const OWN = [
  { name: "format", about: "file format; csv if absent", ...word(STREAMED_FORMATS, "csv") },
  {
    name: "columns",
    about:
      "standard (the default), or execucomp: names and units of ExecuComp's annual compensation table, amounts in thousands",
    ...word(COLUMN_SETS, "standard"),
  },
  {
    name: "view",
    about:
      "compensation (the default): rows; ceo_pay: CEO totals, with the selection of that operation and without columns",
    ...word(VIEWS, "compensation"),
  },
] as const;

/** The parameters of the export operation. */
const EXPORT_PARAMETERS = [
  ...OWN,
  ...SELECTION_PARAMETERS,
  ...CEO_PAY_SELECTION.filter(({ name }) => !isOf(SELECTION_PARAMETERS, name)).map((one) => ({
    ...one,
    about: `with view=ceo_pay: ${one.about}`,
  })),
] as const;

function isOf(parameters: readonly Pick<Parameter, "name">[], name: string): boolean {
  return parameters.some((one) => one.name === name);
}

export const exportEndpoint = {
  id: "exportExecutiveCompensation",
  path: "/export",
  methods: ["GET"],
  caller: "credential",
  price: null,
  tag: "Analysis",
  summary: "Export every row of a selection",
  description:
    "All rows of a selection as a file, ordered by CIK, fiscal year and executive_id, with the column names of all exports. For " +
    "unmetered users; others receive 402.",
  parameters: EXPORT_PARAMETERS,
  answer: { about: "The file.", body: null },
  says: [],
  refusals: ["402", "404", "503"],
} as const satisfies Endpoint;

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
  return (request: OperationRequest): Promise<ExportAnswer> =>
    whenAdmitted(deps, request, async ({ principal, window }) => {
      const dataset = deps.snapshots.current();
      const { format, begin } = prepare(deps, dataset, request.parameters, exported);
      const receipt = await freeReceipt(deps, principal, request.caller.requestId);
      if (receipt.remaining !== null)
        throw new ServiceError(
          "payment_required",
          "An export is for unmetered users (a paid subscription). Page through the query operation instead, or ask the owner of this server, who can allow it: execcomp credits unmetered --user EMAIL",
        );
      const { what, rows, bytes } = await begin();
      return { format, name: `${what}-${dataset.info.edition}.${format}`, rows, bytes, window, receipt };
    });
}

/** Validates the parameters. Refuses with `invalid_parameter`, `unknown_company`. @returns how to begin the file */
function prepare(
  { analyst }: AnalysisDeps,
  dataset: Dataset,
  given: GivenParameters,
  exported: ReturnType<typeof exporter>,
) {
  const single = singleParameters(given, EXPORT_PARAMETERS);
  const { format = "csv", columns = "standard", view } = readValues(single, OWN);
  const isCeoPay = view === "ceo_pay";
  const [kept, selection] = isCeoPay
    ? ([["format", "view"], CEO_PAY_SELECTION] as const)
    : ([["format", "view", "columns"], SELECTION_PARAMETERS] as const);
  const selected = new Map([...single].filter(([name]) => !kept.some((one) => one === name)));
  const other = [...selected.keys()].find((name) => !isOf(selection, name));
  if (other !== undefined)
    throw invalid(
      isCeoPay
        ? `Cannot read ${other}: it is for rows. Leave it out, or leave out view=ceo_pay.`
        : `Cannot read ${other}: it is for CEO totals. Add view=ceo_pay, or leave it out.`,
    );
  if (isCeoPay) {
    const { resolved } = nameCompanies(dataset, ceoPaySelectionOf(readValues(selected, CEO_PAY_SELECTION)));
    const ask = (question: CeoPayQuestion) => analyst.ask(dataset, question);
    const first = { kind: "ceo_pay", selection: resolved, sort: CEO_PAY_ORDER, offset: 0, count: 0 } as const;
    return {
      format,
      async begin() {
        const { matched } = await ask(first);
        const bytes = exportedCeoPay(dataset, resolved, format, ask);
        return { what: "ceo-pay", rows: matched.records, bytes };
      },
    };
  }
  const { resolved } = nameCompanies(dataset, readSelection(selected));
  return {
    format,
    async begin() {
      const { keys } = await analyst.ask(dataset, { kind: "keys", selection: resolved });
      const bytes = exported(dataset, keys, format, columns);
      return { what: "executive-compensation", rows: keys.length, bytes };
    },
  };
}

const CEO_PAY_ORDER = { by: "company_name", descending: false } as const;
