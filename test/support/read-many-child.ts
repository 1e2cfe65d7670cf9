/** Parses a thousand generated documents in a separate process and prints the memory in use after each hundred. */
import { parseFiling } from "../../src/reader/pipeline.ts";
import { drawPlan, renderDocument } from "./layouts/index.ts";

const inUse: number[] = [];
for (let at = 0; at < 1_000; at++) {
  parseFiling(renderDocument(drawPlan(500_000 + at)));
  if (at % 100 !== 99) continue;
  Bun.gc(true);
  inUse.push(process.memoryUsage().heapUsed);
}
console.log(JSON.stringify(inUse));
