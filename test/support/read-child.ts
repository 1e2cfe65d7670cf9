/** Parses one file in a separate process and prints the result and the peak memory of the process. */
import { existsSync, readFileSync } from "node:fs";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { invariantViolations } from "./parse-invariants.ts";

const bytes = readFileSync(process.argv[2] ?? "");
const began = performance.now();
const parsed = parseFiling(bytes);
const seconds = (performance.now() - began) / 1000;
console.log(
  JSON.stringify({
    status: parsed.status,
    reason: parsed.reason,
    detail: parsed.reasonDetail,
    rows: parsed.rows
      .map((row) => `${row.executive_id} ${row.fiscal_year} ${row.amounts.total_compensation}`)
      .slice(0, 20),
    invariantViolations: invariantViolations(parsed).slice(0, 3),
    seconds,
    peakBytes: peakBytes(),
  }),
);

/** The high-water mark of this process alone: `maxRSS` starts from what the parent had before exec. */
function peakBytes(): number {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const mark = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
  return mark === undefined ? process.resourceUsage().maxRSS * 1024 : Number(mark) * 1024;
}
