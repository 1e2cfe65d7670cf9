/**
 * Measures every figure of the table in docs/performance.md in one go: builds the executable, generates the large
 * dataset, runs the benches in sequence and prints the table with the target of each figure. Needs Linux and wrk;
 * strace for the slow disk. On a quiet machine with two cores it takes some twenty-five minutes.
 *
 *     bun run bench all [--write] [--quick] [--only STEP,…] [--without STEP,…] [--file FILE] [--keep DIR]
 *
 * `--write` puts the table into docs/performance.md. `--quick` uses the smallest settings to check that everything
 * runs; its figures are meaningless. `--file` is a snapshot from an earlier `bench dataset --keep`. `--keep` is a
 * folder for the results of each step: a step that is there is not run again, for a machine that is quiet only now and
 * then. A step that fails or takes too long is reported, and the others still run.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type Figure, FIGURES_VARIABLE, figuresOf } from "./figures.ts";
import { type Line, TABLE } from "./table.ts";

const ROOT = dirname(dirname(import.meta.dir));
const DOCUMENT = join(ROOT, "docs/performance.md");
const [BEGIN, END] = ["<!-- bench all: begin -->", "<!-- bench all: end -->"];

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    without: { type: "string", default: "" },
    file: { type: "string" },
    keep: { type: "string" },
  },
});

/** A bench with its settings; if it has a title, its output is printed below the table. */
interface Step {
  name: string;
  words: readonly string[];
  /** Settings for a short run whose figures mean little. */
  quick: readonly string[];
  minutes: number;
  title?: string;
}

function stepsOf(large: string, peers: string): Step[] {
  return [
    {
      name: "requests",
      words: ["requests", "--pairs", "5"],
      quick: ["--pairs", "1"],
      minutes: 15,
      title: "Requests",
    },
    { name: "mcp", words: ["mcp"], quick: ["--seconds", "1"], minutes: 5 },
    { name: "disk", words: ["disk"], quick: ["--pairs", "1"], minutes: 5 },
    { name: "starting", words: ["starting"], quick: [], minutes: 5 },
    { name: "large", words: ["large", "--file", large], quick: ["--rounds", "1"], minutes: 15 },
    { name: "reading", words: ["reading"], quick: [], minutes: 5 },
    { name: "mix", words: ["mix"], quick: ["--seconds", "3", "--share", "0.3"], minutes: 6, title: "A mix" },
    {
      name: "peers",
      words: ["peers", "--cache", peers],
      quick: ["--rounds", "1"],
      minutes: 10,
      title: "Peers",
    },
    {
      name: "budget",
      words: ["budget", "--pairs", "4", "--file", large],
      quick: ["--pairs", "1", "--warm", "1000"],
      minutes: 20,
      title: "Budgets",
    },
  ];
}

/** The result of a step. */
interface Outcome {
  printed: string;
  /** Why it failed; null if it did not. */
  failure: string | null;
  figures: [string, Figure][];
  commit: string;
  /** When it started, ISO 8601. */
  began: string;
  minutes: number;
  /** Runnable jobs when it started. */
  load: number;
  /** The share of the cores' time that the hypervisor took during the step (steal). */
  stolen: number;
}

type Done = readonly [Step, Outcome];

async function run(
  words: readonly string[],
  minutes: number,
  env: Record<string, string>,
): Promise<Pick<Outcome, "printed" | "failure">> {
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts", "bench.ts"), ...words], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
    // A separate process group, so that everything a bench started ends with it.
    detached: true,
  });
  const end = () => void process.kill(-child.pid, "SIGKILL");
  process.once("SIGINT", end);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, minutes * 60_000);
  const [printed, said, code] = await Promise.all([echoed(child.stdout), echoed(child.stderr), child.exited]);
  clearTimeout(timer);
  process.off("SIGINT", end);
  const why = said.trim().split("\n").at(-1) ?? "";
  return {
    printed,
    failure: late ? `more than ${minutes} minutes` : code === 0 ? null : `ended with ${code}: ${why}`,
  };
}

/** The output of a child, which is also shown as it arrives. */
async function echoed(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    process.stderr.write(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

function lineOf({ what, figures, aim, budget }: Line, measured: ReadonlyMap<string, Figure>): string {
  const found = figures.map(({ name, digits = 2, unit = "" }) => {
    const one = measured.get(name);
    return one === undefined ? undefined : { ...one, text: `${one.value.toFixed(digits)}${unit}` };
  });
  if (found.includes(undefined)) return `| ${what} | not measured | ${aim.text} | |`;
  const there = found.filter((one) => one !== undefined);
  const isMet = there.every(({ value }) => aim.holds(value));
  const about = [...new Set(there.map((one) => one.about))].filter((text) => text !== "");
  const texts = there.map(({ text }) => text).join("; ");
  const detail = about.length === 0 ? "" : ` (${about.join("; ")})`;
  return `| ${what} | ${texts}${detail} | ${aim.text} | ${isMet ? "met" : `missed: ${budget}`} |`;
}

/** Runs a step, or returns its kept result. */
async function outcomeOf(step: Step, large: string, folder: string): Promise<Outcome> {
  // The result of a quick run is not reused.
  const kept = join(values.keep ?? folder, `${step.name}${values.quick ? ".quick" : ""}.json`);
  // Written below.
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, "utf8")) as Outcome;
  if (step.words.includes(large) && !existsSync(large)) {
    const rows = values.quick ? ["--rows", "40000"] : [];
    await run(["dataset", "--keep", large, ...rows], 15, {});
  }
  const figures = join(folder, `${step.name}.figures`);
  writeFileSync(figures, "");
  const [load = Number.NaN] = loadavg();
  const [began, before] = [new Date(), coreTime()];
  const words = [...step.words, ...(values.quick ? step.quick : [])];
  const ran = await run(words, step.minutes, { [FIGURES_VARIABLE]: figures });
  const after = coreTime();
  const outcome: Outcome = {
    ...ran,
    figures: [...figuresOf(figures)],
    commit: (await Bun.$`git rev-parse --short HEAD`.cwd(ROOT).quiet().nothrow().text()).trim(),
    began: began.toISOString(),
    minutes: (Date.now() - began.getTime()) / 60_000,
    load,
    stolen: (after.stolen - before.stolen) / (after.all - before.all),
  };
  if (outcome.failure === null) writeFileSync(kept, JSON.stringify(outcome));
  return outcome;
}

/** Time of all cores so far, in ticks. @see proc(5), /proc/stat */
function coreTime(): { all: number; stolen: number } {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  // user, nice, system, idle, iowait, irq, softirq, steal
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 };
}

function about(done: readonly Done[]): string {
  const [first] = cpus();
  const steps = done.map(
    ([{ name }, { began, commit, minutes, load, stolen }]) =>
      `| ${name} | ${began.slice(0, 16).replace("T", " ")} | ${commit} | ${minutes.toFixed(1)} | ${load.toFixed(1)} | ${(stolen * 100).toFixed(0)}% |`,
  );
  return [
    `Bun ${Bun.version}, ${cpus().length} × ${first?.model.trim() ?? "?"}${values.quick ? ". With the least of every setting: these figures are worth nothing" : ""}.`,
    [
      "| Bench | Started, UTC | Commit | Minutes | Load before | CPU steal |",
      "|---|---|---|---|---|---|",
      ...steps,
    ].join("\n"),
  ].join("\n\n");
}

/** The markdown: the table, then the output of some steps. */
function reportOf(done: readonly Done[]): string {
  const measured = new Map(done.flatMap(([, { figures }]) => figures));
  const failed = done.flatMap(([{ name }, { failure }]) =>
    failure === null ? [] : [`- \`${name}\`: ${failure}`],
  );
  return [
    "| Measurement | Result | Target | |\n|---|---|---|---|\n" +
      TABLE.map((line) => lineOf(line, measured)).join("\n"),
    about(done),
    ...(failed.length === 0 ? [] : [`Not measured:\n\n${failed.join("\n")}`]),
    ...done.flatMap(([{ name, title }, { printed, failure }]) =>
      title === undefined || failure !== null
        ? []
        : [`### ${title}, as \`bench ${name}\` prints it\n\n${markdownOf(printed)}`],
    ),
  ].join("\n\n");
}

/** Adds empty lines around tables; everything else is unchanged. */
function markdownOf(printed: string): string {
  const lines = printed.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("$ "));
  const parts: string[] = [];
  for (const [at, line] of lines.entries()) {
    const isTable = line.startsWith("|");
    const before = lines[at - 1];
    if (before !== undefined && before.startsWith("|") !== isTable) parts.push("");
    parts.push(isTable ? line.trimEnd() : line.trim());
  }
  return parts.join("\n");
}

function writeInto(report: string): void {
  const text = readFileSync(DOCUMENT, "utf8");
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${DOCUMENT} has no ${BEGIN} … ${END}`);
  writeFileSync(DOCUMENT, `${text.slice(0, from + BEGIN.length)}\n\n${report}\n\n${text.slice(to)}`);
}

async function main(): Promise<void> {
  if (Bun.which("wrk") === null) throw new Error("needs wrk");
  const folder = mkdtempSync(join(tmpdir(), "execcomp-all-"));
  if (values.keep !== undefined) mkdirSync(values.keep, { recursive: true });
  try {
    const large = values.file ?? join(folder, "large.sqlite");
    const [only, without] = [values.only, values.without].map((text) =>
      text.split(",").filter((name) => name !== ""),
    );
    const steps = stepsOf(large, join(folder, "peers")).filter(
      ({ name }) => (only?.length === 0 || only?.includes(name)) && !without?.includes(name),
    );
    await Bun.$`${process.execPath} ${join(ROOT, "scripts", "build.ts")}`.quiet();
    const done: Done[] = [];
    for (const step of steps) {
      console.error(`\n${step.name}`);
      done.push([step, await outcomeOf(step, large, folder)]);
    }
    const report = reportOf(done);
    console.log(report);
    if (values.write) writeInto(report);
    if (done.some(([, { failure }]) => failure !== null)) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
