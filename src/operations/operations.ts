import { type AnalysisDeps, readCursor } from "./analysis.ts";
import { ceoPayOperation, ceoPayStatisticsOperation } from "./ceo-pay.ts";
import { companiesOperation } from "./companies.ts";
import { compensationOperation, tickersOperation, factsOperation } from "./compensation.ts";
import { datasetGuide } from "./dataset-guide.ts";
import { searchOperation } from "./document-search.ts";
import { fetchOperation } from "./documents.ts";
import { exportOperation } from "./export.ts";
import type { CheckLimits } from "./operation.ts";
import { queryOperation } from "./query.ts";
import { statisticsOperation } from "./statistics.ts";
import { forTestKeys } from "./test-keys.ts";

/** All operations, with admission and charging. */
export type Operations = ReturnType<typeof createOperations>;

/** Builds every operation. */
export function createOperations(deps: AnalysisDeps, checkLimits: CheckLimits) {
  const gated = forTestKeys(deps);
  return {
    admit: deps.admit,
    checkLimits,
    charge: deps.charge,
    getCompensation: gated("company", compensationOperation(deps)),
    getTickers: tickersOperation(deps),
    getFacts: factsOperation(deps),
    query: gated("across", queryOperation(deps)),
    statistics: gated("across", statisticsOperation(deps)),
    ceoPay: gated("across", ceoPayOperation(deps)),
    ceoPayStatistics: gated("across", ceoPayStatisticsOperation(deps)),
    companies: companiesOperation(deps),
    export: gated("export", exportOperation(deps)),
    search: searchOperation(deps),
    fetch: gated("company", fetchOperation(deps)),
    /** Describes the dataset in use, for tool descriptions and empty answers. */
    guide: datasetGuide(deps),
    /** The position that a cursor names in a list that a surface cuts by itself. Refuses as `query` does. */
    readCursor: (identity: string, cursor: string | undefined) =>
      readCursor(deps.snapshots.current(), identity, cursor),
  };
}
