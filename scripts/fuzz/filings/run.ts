/** What every run of `fuzz filings` was asked for. */
export interface FuzzRun {
  readonly seed: number;
  /** Since the start. */
  readonly seconds: () => number;
  /** Whether the time of the run is over. */
  readonly late: () => boolean;
  /** The folder for failures. */
  readonly save: string | undefined;
  readonly verbose: boolean;
}
