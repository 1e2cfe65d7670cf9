/** The URL of a worker thread's file. The executable names it by its path below `src` too (`scripts/build.ts`). */
export function workerAddress(
  file:
    | "ingest/worker"
    | "pictures/worker"
    | "snapshot/analysis/worker"
    | "snapshot/export/worker"
    | "snapshot/sql/worker",
): string {
  return new URL(`./${file}.ts`, import.meta.url).href;
}
