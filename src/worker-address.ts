/** The address of a thread's file. Inside the executable it is named by its path below `src` (`scripts/build.ts`), as here. */
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
