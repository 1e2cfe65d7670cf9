import { statSync } from "node:fs";
import { OperatorError } from "../errors.ts";

/** Whether a finished file may replace what is at a path: nothing, or a regular file. */
export function isReplaceable(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}

/** @throws OperatorError for a device, a pipe or a folder, which moving a file there would destroy */
export function requireReplaceable(path: string): void {
  if (!isReplaceable(path)) {
    throw new OperatorError(`${path} is not a regular file and cannot be replaced. Specify a file.`);
  }
}
