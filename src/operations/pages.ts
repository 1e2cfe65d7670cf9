import { fiscalYearsOf } from "../dataset/company-filings.ts";
import { type CoverageLine, gapsOf, readCoverageInBackground } from "../dataset/coverage.ts";
import type { DatasetInfo } from "../dataset/dataset.ts";
import type { OperationDeps } from "./operation.ts";

/** A company's line on the coverage page, with its gaps described. */
export type CoverageEntry = CoverageLine & { gaps: readonly string[] };

/** The coverage of a dataset. */
export interface Coverage {
  info: DatasetInfo;
  lines: readonly CoverageEntry[];
}

/** Reads which years are available for each company. */
export interface CoverageReader {
  /** All companies with a known filing. Computed once per dataset; concurrent callers share the computation. */
  read(): Promise<Coverage>;
  /** Fiscal years with rows, newest first. */
  fiscalYears(): readonly number[];
}

/** Creates a reader that computes coverage in the background and keeps it for the dataset in use. */
export function coverageReader({ snapshots }: Pick<OperationDeps, "snapshots">): CoverageReader {
  let kept: { info: DatasetInfo; coverage: Promise<Coverage> } | undefined;
  let years: { info: DatasetInfo; fiscalYears: readonly number[] } | undefined;
  return {
    read() {
      const dataset = snapshots.current();
      const { info } = dataset;
      if (kept?.info === info) return kept.coverage;
      const coverage = readCoverageInBackground(dataset).then((lines) => ({
        info,
        lines: lines.map((line) => ({ ...line, gaps: gapsOf(line) })),
      }));
      const made = { info, coverage };
      kept = made;
      // Callers that wait get the error; the next call tries again.
      coverage.catch(() => {
        if (kept === made) kept = undefined;
      });
      return coverage;
    },
    fiscalYears() {
      const dataset = snapshots.current();
      if (years?.info !== dataset.info) years = { info: dataset.info, fiscalYears: fiscalYearsOf(dataset) };
      return years.fiscalYears;
    },
  };
}
