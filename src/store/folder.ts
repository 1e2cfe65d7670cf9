import { mkdirSync } from "node:fs";
import { OperatorError } from "../errors.ts";

/** Makes the data folder where it is missing, for this user only. @throws OperatorError naming `--data-dir` */
export function prepareFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(
      `Cannot make the data folder ${dataDir} (${reason}). Choose another with --data-dir.`,
    );
  }
}
