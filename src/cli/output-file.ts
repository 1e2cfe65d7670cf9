import { statSync } from "node:fs";
import { OperatorError } from "../errors.ts";

/** Whether a finished file may take the place of what stands at a path: nothing, or a regular file. */
export function isReplaceable(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}

/** @throws OperatorError for a device, a pipe or a folder: a file moved there would destroy it */
export function requireReplaceable(path: string): void {
  if (!isReplaceable(path)) {
    throw new OperatorError(`${path} is not a regular file, and would be replaced. Give a file name.`);
  }
}
