import { fiscalYearsOf } from "../snapshot/company-filings.ts";
import { type CoverageLine, gapsOf, readCoverageInBackground } from "../snapshot/coverage.ts";
import type { DatasetInfo } from "../snapshot/dataset.ts";
import type { OperationDeps } from "./operation.ts";

/** A company's line on the coverage page, with what it lacks in words. */
export type CoverageEntry = CoverageLine & { gaps: readonly string[] };

/** The coverage of a dataset. */
export interface Coverage {
  info: DatasetInfo;
  lines: readonly CoverageEntry[];
}

/** Which years are available of the companies of the dataset in use. */
export interface CoverageReader {
  /** Every company of which a filing is known. Read once a dataset, whoever asks meanwhile waits for the same. */
  read(): Promise<Coverage>;
  /** Fiscal years that have rows, newest first. */
  fiscalYears(): readonly number[];
}

/** Reads the coverage without holding up answers, and keeps it as long as the dataset is in use. */
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
      // Whoever waits is told; the next one tries again.
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
