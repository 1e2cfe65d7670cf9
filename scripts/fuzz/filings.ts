/**
 * Tests the reader on unseen documents: the large runs that take too long for the tests.
 *
 *     bun run fuzz filings --layouts 20000 --seed 1      laid out from true rows, read back, compared
 *     bun run fuzz filings --disturbed 500 --seed 1      generated and real documents with one disturbance each
 *     bun run fuzz filings --mutations 20000 --seed 1    whole real documents, damaged
 *     bun run fuzz filings --show 4711 --out DIR         one laid-out document and its true rows, as files
 *
 * `--family NAME` selects one family of layouts, `--minutes N` ends a run early (default 30), `--save DIR` writes
 * failures. Exits 1 if a result was silently wrong or had another person's row, if more than 2% were refused, or if the
 * reader threw or violated an invariant.
 */
import { parseArgs } from "node:util";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { drawPlan, judge, report } from "../../test/support/layouts/index.ts";
import { fuzzDisturbed } from "./filings/disturbed.ts";
import { fuzzLayouts, saveLayout } from "./filings/layouts.ts";
import { fuzzMutations } from "./filings/mutations.ts";

const { values: flags } = parseArgs({
  options: {
    layouts: { type: "string" },
    disturbed: { type: "string" },
    mutations: { type: "string" },
    seed: { type: "string", default: "1" },
    family: { type: "string" },
    minutes: { type: "string", default: "30" },
    save: { type: "string" },
    show: { type: "string" },
    out: { type: "string", default: "." },
    verbose: { type: "boolean", default: false },
  },
});

const began = performance.now();
const run = {
  seed: Number(flags.seed),
  seconds: () => (performance.now() - began) / 1000,
  late: () => performance.now() - began > Number(flags.minutes) * 60_000,
  save: flags.save,
  verbose: flags.verbose,
};

if (flags.show !== undefined) {
  const plan = drawPlan(Number(flags.show));
  saveLayout(plan, flags.out, `layout-${plan.seed}`);
  console.log(report(plan, judge(plan, parseFiling)));
} else if (flags.layouts !== undefined)
  process.exitCode = fuzzLayouts(Number(flags.layouts), run, flags.family);
else if (flags.disturbed !== undefined) process.exitCode = fuzzDisturbed(Number(flags.disturbed), run);
else if (flags.mutations !== undefined) process.exitCode = fuzzMutations(Number(flags.mutations), run);
else {
  console.error("Nothing to do: give --layouts N, --disturbed N, --mutations N or --show SEED");
  process.exitCode = 2;
}
