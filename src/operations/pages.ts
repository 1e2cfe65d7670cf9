import { type CoverageLine, gapsOf, readCoverage } from "../snapshot/coverage.ts";
import { readCompanyFacts } from "../snapshot/company-facts.ts";
import type { DatasetInfo } from "../snapshot/dataset.ts";
import type { OperationDeps } from "./operation.ts";

/** A company's line on the coverage page, with what it lacks in words. */
export type CoverageEntry = CoverageLine & { gaps: readonly string[]; sector: string | null };

/** The coverage of the dataset in use. */
export type CoverageReader = () => {
  info: DatasetInfo;
  lines: readonly CoverageEntry[];
  /** Fiscal years that have rows, newest first. */
  fiscalYears: readonly number[];
};

/** Which years are available of every company of which a filing is known. Made anew for each dataset, and kept. */
export function coverageReader({ snapshots }: Pick<OperationDeps, "snapshots">): CoverageReader {
  let kept: ReturnType<CoverageReader> | undefined;
  return () => {
    const dataset = snapshots.current();
    if (kept?.info !== dataset.info) {
      const lines = readCoverage(dataset).map((line) => ({
        ...line,
        gaps: gapsOf(line),
        sector: line.rows > 0 ? readCompanyFacts(dataset, line.cik).sector : null,
      }));
      const held = new Set(lines.flatMap(({ years }) => years.map(({ fiscalYear }) => fiscalYear)));
      kept = { info: dataset.info, lines, fiscalYears: [...held].sort((a, b) => b - a) };
    }
    return kept;
  };
}
