/**
 * Measures every figure of the table in docs/performance.md: builds the executable, runs the benches one after the other and prints
 * the table with the budget of each figure. Needs Linux and wrk; strace for the slow disk. An hour and a half on a quiet machine.
 *
 *     bun run bench all [--write] [--quick] [--only BENCH,…]
 *
 * `--write` puts the table into docs/performance.md. `--quick` uses the smallest settings to see that everything runs: its figures
 * mean nothing. A bench that fails or takes too long is named, and the others still run.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type Figure, FIGURES_VARIABLE, figuresOf } from "./harness.ts";

const ROOT = dirname(dirname(import.meta.dir));
const DOCUMENT = join(ROOT, "docs/performance.md");
const [BEGIN, END] = ["<!-- bench all: begin -->", "<!-- bench all: end -->"];

/** The benches, with their flags for a quick run, and after how many minutes each has failed. */
const STEPS = [
  { name: "rows", quick: ["--pairs", "1"], minutes: 30 },
  { name: "disk", quick: ["--pairs", "1"], minutes: 5 },
  { name: "start", quick: [], minutes: 5 },
  { name: "reading", quick: [], minutes: 10 },
  { name: "growth", quick: ["--quick"], minutes: 70 },
] as const;

/** One line of the table: what is measured, the figures it is read from (`figure`), and the budget. */
interface Line {
  what: string;
  figures: readonly string[];
  unit: string;
  digits?: number;
  /** A bound that the figures must not be below, or above. */
  atLeast?: number;
  atMost?: number;
}

const LINES: readonly Line[] = [
  { what: "facts, of a bare server", figures: ["facts 64"], unit: "", atLeast: 0.5 },
  { what: "keyed, latest year, of a bare server", figures: ["keyed 64"], unit: "", atLeast: 0.5 },
  {
    what: "charged, one user, of a bare server: 64 connections",
    figures: ["charged 64"],
    unit: "",
    atLeast: 0.3,
  },
  { what: "charged, 1,000 users, to one", figures: ["charged-1000-users 64"], unit: " ×", atMost: 1.2 },
  { what: "10,000 keys in use, to one", figures: ["keys-10000 64"], unit: " ×", atMost: 1.1 },
  { what: "first use of a key, to a key in use", figures: ["first-use 64"], unit: " ×", atMost: 1.5 },
  {
    what: "MCP `tools/call`, latest year, to REST: 2025 revisions; 2026-07-28",
    figures: ["mcp 64", "mcp-modern 64"],
    unit: " ×",
    atMost: 2.5,
  },
  {
    what: "MCP `tools/call`, four years, charged, to REST",
    figures: ["mcp-charged 64"],
    unit: " ×",
    atMost: 2.5,
  },
  {
    what: "p50 of facts beside 500 charges a second while each flush takes 10 ms, to p50 alone",
    figures: ["slow disk p50"],
    unit: " ×",
    atMost: 1.2,
  },
  {
    what: "charges a second on that disk, 256 connections",
    figures: ["slow disk charges 256"],
    unit: "",
    digits: 0,
    atLeast: 5000,
  },
  {
    what: "start to the first answer, used data folder, median",
    figures: ["start"],
    unit: " ms",
    digits: 0,
    atMost: 62,
  },
  { what: "memory at idle, resident", figures: ["idle"], unit: " MB", digits: 0, atMost: 60 },
  {
    what: "longest stall after the start; the first `tools/list`",
    figures: ["stall", "first tools/list"],
    unit: " ms",
    digits: 1,
    atMost: 5,
  },
  { what: "reading filings that yield rows, of the tokenizer", figures: ["reading"], unit: "", atLeast: 0.5 },
];

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});

/** How a bench went. */
interface Done {
  name: string;
  printed: string;
  /** Why it failed; null if it did not. */
  failure: string | null;
  about: string;
}

async function run({ name, quick, minutes }: (typeof STEPS)[number], figures: string): Promise<Done> {
  const words = [join(import.meta.dir, `${name}.ts`), ...(values.quick ? quick : [])];
  const [began, before, load] = [new Date(), coreTime(), loadavg()[0] ?? Number.NaN];
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: ROOT,
    env: { ...process.env, [FIGURES_VARIABLE]: figures },
    stdout: "pipe",
    stderr: "pipe",
    // A separate process group, so that everything a bench started ends with it.
    detached: true,
  });
  const end = () => void process.kill(-child.pid, "SIGKILL");
  process.once("SIGINT", end);
  const timer = setTimeout(end, minutes * 60_000);
  const [printed, said, code] = await Promise.all([echoed(child.stdout), echoed(child.stderr), child.exited]);
  clearTimeout(timer);
  process.off("SIGINT", end);
  const after = coreTime();
  const took = (Date.now() - began.getTime()) / 60_000;
  const stolen = ((after.stolen - before.stolen) / (after.all - before.all)) * 100;
  const late = took >= minutes ? `more than ${minutes} minutes` : `ended with ${code}`;
  const cells = [
    name,
    began.toISOString().slice(0, 16).replace("T", " "),
    took.toFixed(1),
    load.toFixed(1),
    `${stolen.toFixed(0)}%`,
  ];
  return {
    name,
    printed,
    failure: code === 0 ? null : `${late}: ${said.trim().split("\n").at(-1) ?? ""}`,
    about: `| ${cells.join(" | ")} |`,
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

/** Time of all cores so far, in ticks. @see proc(5), /proc/stat */
function coreTime(): { all: number; stolen: number } {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  // user, nice, system, idle, iowait, irq, softirq, steal
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 };
}

function lineOf(
  { what, figures, unit, digits = 2, atLeast, atMost }: Line,
  measured: ReadonlyMap<string, Figure>,
): string {
  const found = figures.flatMap((name) => measured.get(name) ?? []);
  const budget = atLeast === undefined ? `≤ ${atMost}${unit}` : `≥ ${atLeast}${unit}`;
  if (found.length < figures.length) return `| ${what} | not measured | ${budget} | |`;
  const isMet = found.every(({ value }) => value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity));
  const about = [...new Set(found.map((one) => one.about))].filter((text) => text !== "").join("; ");
  const texts = found.map(({ value }) => `${value.toFixed(digits)}${unit}`).join("; ");
  return `| ${what} | ${texts}${about === "" ? "" : ` (${about})`} | ${budget} | ${isMet ? "met" : "missed"} |`;
}

async function reportOf(done: readonly Done[], measured: ReadonlyMap<string, Figure>): Promise<string> {
  const commit = (await Bun.$`git rev-parse --short HEAD`.cwd(ROOT).text()).trim();
  const machine = `Commit ${commit}, Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? "?"}`;
  const failed = done.flatMap(({ name, failure }) => (failure === null ? [] : [`- \`${name}\`: ${failure}`]));
  const growth = done
    .find(({ name }) => name === "growth")
    ?.printed.split("\n")
    .filter((line) => line.startsWith("|"));
  return [
    [
      "| Measurement | Result | Budget | |",
      "|---|---|---|---|",
      ...LINES.map((line) => lineOf(line, measured)),
    ].join("\n"),
    ...(growth === undefined || growth.length === 0
      ? []
      : [`What grows, as \`bench growth\` prints it:\n\n${growth.join("\n")}`]),
    `${machine}${values.quick ? ". With the least of every setting: these figures are worth nothing" : ""}.`,
    [
      "| Bench | Started, UTC | Minutes | Load before | CPU steal |",
      "|---|---|---|---|---|",
      ...done.map(({ about }) => about),
    ].join("\n"),
    ...(failed.length === 0 ? [] : [`Not measured:\n\n${failed.join("\n")}`]),
  ].join("\n\n");
}

function writeInto(report: string): void {
  const text = readFileSync(DOCUMENT, "utf8");
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${DOCUMENT} has no ${BEGIN} … ${END}`);
  writeFileSync(DOCUMENT, `${text.slice(0, from + BEGIN.length)}\n\n${report}\n\n${text.slice(to)}`);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-all-"));
  const figures = join(folder, "figures");
  writeFileSync(figures, "");
  try {
    await Bun.$`${process.execPath} scripts/build.ts --if-stale`.cwd(ROOT).quiet();
    const done: Done[] = [];
    for (const step of STEPS) {
      if (values.only === "" || values.only.split(",").includes(step.name))
        done.push(await run(step, figures));
    }
    const report = await reportOf(done, figuresOf(figures));
    console.log(report);
    if (values.write) writeInto(report);
    if (done.some(({ failure }) => failure !== null)) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
