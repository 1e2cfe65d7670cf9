import type { ceoPayOperation, ceoPayStatisticsOperation } from "./ceo-pay.ts";
import type { changesOperation } from "./changes.ts";
import type { companiesOperation } from "./companies.ts";
import type { compensationOperation, tickersOperation } from "./compensation.ts";
import type { DatasetGuide } from "./dataset-guide.ts";
import type { fetchOperation } from "./documents.ts";
import type { searchOperation } from "./document-search.ts";
import type { exportOperation } from "./export.ts";
import type { factsOperation } from "./facts.ts";
import type { CheckLimits, OperationDeps } from "./operation.ts";
import type { Continuation, queryOperation } from "./query.ts";
import type { statisticsOperation } from "./statistics.ts";

/** All operations, with admission and charging. */
export interface Operations extends Pick<OperationDeps, "admit" | "charge"> {
  checkLimits: CheckLimits;
  getCompensation: ReturnType<typeof compensationOperation>;
  getTickers: ReturnType<typeof tickersOperation>;
  getFacts: ReturnType<typeof factsOperation>;
  query: ReturnType<typeof queryOperation>;
  statistics: ReturnType<typeof statisticsOperation>;
  ceoPay: ReturnType<typeof ceoPayOperation>;
  ceoPayStatistics: ReturnType<typeof ceoPayStatisticsOperation>;
  companies: ReturnType<typeof companiesOperation>;
  changes: ReturnType<typeof changesOperation>;
  export: ReturnType<typeof exportOperation>;
  search: ReturnType<typeof searchOperation>;
  fetch: ReturnType<typeof fetchOperation>;
  /** Describes the dataset in use, for tool descriptions and empty answers. */
  guide: DatasetGuide;
  /** Cursors for pages that a surface shortens. */
  continuation: Continuation;
}
