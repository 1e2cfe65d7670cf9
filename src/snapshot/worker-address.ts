/** The address of a thread's file. Inside the executable it is named by its path below `src` (`scripts/build.ts`). */
export function workerAddress(folder: "analysis" | "sql"): string {
  const compiled = /\$bunfs|~BUN/.test(import.meta.url);
  return new URL(`./${compiled ? "snapshot/" : ""}${folder}/worker.ts`, import.meta.url).href;
}
