/** The options of every run of `fuzz filings`. */
export interface FuzzRun {
  readonly seed: number;
  /** Since the start. */
  readonly seconds: () => number;
  /** Whether the time limit of the run has been reached. */
  readonly late: () => boolean;
  /** The folder for failures. */
  readonly save: string | undefined;
  readonly verbose: boolean;
}
