import { parseFiling } from "../../../src/reader/pipeline.ts";
import { filingsAbsent, goldDocuments } from "../../../test/support/excerpts.ts";
import { invariantViolations } from "../../../test/support/parse-invariants.ts";
import { mutate } from "../../../test/support/mutate.ts";
import type { FuzzRun } from "./run.ts";

/** Milliseconds of CPU time above which a document is reported; an undamaged one takes well under one second. */
const SLOW = 5000;

/** Damages the real documents as a whole, cycling through them `count` times. */
export function fuzzMutations(count: number, run: FuzzRun): number {
  const absent = filingsAbsent();
  if (absent !== null) {
    console.error(`Cannot mutate real documents: ${absent}`);
    return 1;
  }
  const whole = goldDocuments();
  const outcomes = new Map<string, number>();
  let failures = 0;
  let done = 0;
  let bytes = 0;
  let slowest = 0;
  for (let at = 0; at < count && !run.late(); at++) {
    const source = whole[at % whole.length];
    if (source === undefined) break;
    const { text, damage } = mutate(source.text, run.seed + at);
    const input = new TextEncoder().encode(text);
    bytes += input.length;
    done++;
    const name = `${source.file} seed ${run.seed + at} (${damage.join(", ")})`;
    const from = process.cpuUsage();
    const { outcome, wrong } = read(input);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (wrong !== null) {
      failures++;
      console.log(`${name}: ${wrong}`);
    }
    const { user, system } = process.cpuUsage(from);
    const took = (user + system) / 1000;
    if (took > SLOW) console.log(`${name} took ${(took / 1000).toFixed(1)} s of CPU time`);
    slowest = Math.max(slowest, took);
  }
  console.log(
    `${done} of ${count} documents, ${(bytes / 1e6).toFixed(0)} MB, seed ${run.seed}, ${run.seconds().toFixed(0)} s, slowest ${(slowest / 1000).toFixed(2)} s of CPU time, ${failures} failures`,
  );
  for (const [outcome, n] of [...outcomes].sort((a, b) => b[1] - a[1])) console.log(`  ${outcome}: ${n}`);
  return failures > 0 || done < count ? 1 : 0;
}

/** The outcome of one document, and the violations that must never occur. */
function read(input: Uint8Array): { outcome: string; wrong: string | null } {
  try {
    const parsed = parseFiling(input);
    if (parsed.status === "refused") {
      const wrong =
        parsed.reason === "internal" ? `internal: ${parsed.reasonDetail}` : invariantViolations(parsed)[0];
      return { outcome: `refused: ${parsed.reason}`, wrong: wrong ?? null };
    }
    const problems = parsed.problems.length > 0 || parsed.rows.some((row) => row.problems.length > 0);
    return {
      outcome: problems ? "parsed, with problems" : "parsed",
      wrong: invariantViolations(parsed)[0] ?? null,
    };
  } catch (error) {
    return { outcome: "threw", wrong: `threw: ${String(error)}` };
  }
}
