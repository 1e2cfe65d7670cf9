import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes what was written to the file, or the folder, outlast a power cut. */
export function flush(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
