import { fiscalYearsOf } from "../dataset/columns/columns.ts";
import {
  type CoverageLine,
  type CoverageQuery,
  type CoverageSums,
  coverageSums,
  findCoverage,
  gapsOf,
  totalsReconciled,
} from "../dataset/coverage.ts";
import type { DatasetInfo } from "../dataset/dataset.ts";
import type { OperationDeps } from "./operation.ts";

export type { CoverageQuery, CoverageSums };

/** A company's line on the coverage page, with its gaps described. */
export type CoverageEntry = CoverageLine & { gaps: readonly string[]; reconciled: number };

/** A page of the coverage of a dataset. */
export interface Coverage {
  info: DatasetInfo;
  sums: CoverageSums;
  /** Number of selected companies. */
  found: number;
  /** The page, from 1, and their number. */
  page: number;
  pages: number;
  lines: readonly CoverageEntry[];
}

/** Reads which years are available for each company. */
export interface CoverageReader {
  /** The dataset that `read` reads. */
  info(): DatasetInfo;
  read(query: CoverageQuery, page: number, pageSize: number): Coverage;
  /** Fiscal years with rows, newest first. */
  fiscalYears(): readonly number[];
}

/** Creates a reader of the dataset in use. */
export function coverageReader({ snapshots }: Pick<OperationDeps, "snapshots">): CoverageReader {
  let years: { info: DatasetInfo; fiscalYears: readonly number[] } | undefined;
  return {
    info: () => snapshots.current().info,
    read(query, page, pageSize) {
      const dataset = snapshots.current();
      const found = findCoverage(dataset, query, page, pageSize);
      const entryOf = (line: CoverageLine) => {
        return { ...line, gaps: gapsOf(line), reconciled: totalsReconciled(line.checks) };
      };
      const lines = found.lines.map(entryOf);
      return { ...found, info: dataset.info, sums: coverageSums(dataset), lines };
    },
    fiscalYears() {
      const dataset = snapshots.current();
      if (years?.info !== dataset.info) years = { info: dataset.info, fiscalYears: fiscalYearsOf(dataset) };
      return years.fiscalYears;
    },
  };
}
