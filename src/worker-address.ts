/** The URL of a worker thread's file. The executable names it by its path below `src` too (`scripts/build.ts`). */
export function workerAddress(
  file:
    "ingest/worker" | "charts/worker" | "analysis/worker" | "analysis/export/worker" | "analysis/sql/worker",
): string {
  return new URL(`./${file}.ts`, import.meta.url).href;
}
