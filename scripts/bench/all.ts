/**
 * Every figure of the table in docs/performance.md, in one go: builds the executable, makes the large dataset, runs the benches
 * one after the other and prints the table with the aim of each figure. Needs Linux and wrk; strace for the slow disk. On a quiet
 * machine of two cores it takes some twenty-five minutes.
 *
 *     bun run bench all [--write] [--quick] [--only STEP,…] [--without STEP,…] [--file FILE]
 *
 * `--write` puts the table into docs/performance.md; `--quick` takes the least of every setting, to see that all of it runs: its
 * figures are worth nothing. `--file` is a snapshot that `bench dataset --keep` made before. A step that fails or takes too
 * long is named, and the others run all the same.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  },
});

/** A bench with its settings; what it prints stands under the table where it has a title. */
interface Step {
  name: string;
  words: readonly string[];
  /** The settings with which it says little and ends soon. */
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

/** What a step came to. */
interface Outcome {
  step: Step;
  printed: string;
  /** Why it did not end as it should; null where it did. */
  failure: string | null;
}

async function run(
  words: readonly string[],
  minutes: number,
  env: Record<string, string>,
): Promise<Omit<Outcome, "step">> {
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts", "bench.ts"), ...words], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
    // A group of its own: what a bench started ends with it.
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

/** What a child prints, which is shown as it comes. */
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

async function machine(loadBefore: number, began: number): Promise<string> {
  const commit = (await Bun.$`git rev-parse --short HEAD`.cwd(ROOT).quiet().nothrow().text()).trim();
  const [first] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  const loads = `load ${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} at the end`;
  const minutes = ((performance.now() - began) / 60_000).toFixed(0);
  return `Measured ${day} at ${commit} with Bun ${Bun.version}, ${cpus().length} × ${first?.model.trim() ?? "?"}, ${loads}, in ${minutes} minutes.`;
}

/** The markdown: the table, then what some steps print. */
function reportOf(
  about: string,
  outcomes: readonly Outcome[],
  measured: ReadonlyMap<string, Figure>,
): string {
  const failed = outcomes.flatMap(({ step, failure }) =>
    failure === null ? [] : [`- \`${step.name}\`: ${failure}`],
  );
  const told = outcomes.filter(({ step, failure }) => step.title !== undefined && failure === null);
  return [
    `${about}${values.quick ? " With the least of every setting: these figures are worth nothing." : ""}`,
    "| What | Measured | Aim | |\n|---|---|---|---|\n" +
      TABLE.map((line) => lineOf(line, measured)).join("\n"),
    ...(failed.length === 0 ? [] : [`Not measured:\n\n${failed.join("\n")}`]),
    ...told.map(
      ({ step, printed }) =>
        `### ${step.title}, as \`bench ${step.name}\` prints it\n\n${markdownOf(printed)}`,
    ),
  ].join("\n\n");
}

/** Tables with an empty line around them, everything else as it was printed. */
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
  const began = performance.now();
  const loadBefore = loadavg()[0] ?? Number.NaN;
  const folder = mkdtempSync(join(tmpdir(), "execcomp-all-"));
  try {
    const figures = join(folder, "figures");
    writeFileSync(figures, "");
    const large = values.file ?? join(folder, "large.sqlite");
    const [only, without] = [values.only, values.without].map((text) =>
      text.split(",").filter((name) => name !== ""),
    );
    const steps = stepsOf(large, join(folder, "peers")).filter(
      ({ name }) => (only?.length === 0 || only?.includes(name)) && !without?.includes(name),
    );
    await Bun.$`${process.execPath} ${join(ROOT, "scripts", "build.ts")}`.quiet();
    const outcomes: Outcome[] = [];
    for (const step of steps) {
      console.error(
        `\n${step.name}, ${((performance.now() - began) / 60_000).toFixed(1)} minutes after the start`,
      );
      if (step.words.includes(large) && !existsSync(large)) {
        const rows = values.quick ? ["--rows", "40000"] : [];
        await run(["dataset", "--keep", large, ...rows], 15, {});
      }
      const words = [...step.words, ...(values.quick ? step.quick : [])];
      outcomes.push({ step, ...(await run(words, step.minutes, { [FIGURES_VARIABLE]: figures })) });
    }
    const report = reportOf(await machine(loadBefore, began), outcomes, figuresOf(figures));
    console.log(report);
    if (values.write) writeInto(report);
    if (outcomes.some(({ failure }) => failure !== null)) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
