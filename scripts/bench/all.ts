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
import { cpus, tmpdir } from "node:os";
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

/** The lines of the table: what is measured, the figures it is read from (`figure`), and the budget with its unit. */
const LINES: readonly (readonly [what: string, figures: readonly string[], budget: string])[] = [
  ["facts, of a bare server", ["facts 64"], "≥ 0.5"],
  ["keyed, latest year, of a bare server", ["keyed 64"], "≥ 0.5"],
  ["charged, one user, of a bare server: 64 connections", ["charged 64"], "≥ 0.3"],
  ["charged, 1,000 users, to one", ["charged-1000-users 64"], "≤ 1.2 ×"],
  ["10,000 keys in use, to one", ["keys-10000 64"], "≤ 1.1 ×"],
  ["first use of a key, to a key in use", ["first-use 64"], "≤ 1.5 ×"],
  [
    "MCP `tools/call`, latest year, to REST: 2025 revisions; 2026-07-28",
    ["mcp 64", "mcp-modern 64"],
    "≤ 6 ×",
  ],
  ["MCP `tools/call`, four years, charged, to REST", ["mcp-charged 64"], "≤ 6 ×"],
  [
    "p50 of facts beside 500 charges a second while each flush takes 10 ms, to p50 alone",
    ["slow disk p50"],
    "≤ 1.2 ×",
  ],
  ["charges a second on that disk, 256 connections", ["slow disk charges 256"], "≥ 5000"],
  ["start to the first answer, used data folder, median", ["start"], "≤ 62 ms"],
  ["memory at idle, resident", ["idle"], "≤ 60 MB"],
  ["longest stall after the start; the first `tools/list`", ["stall", "first tools/list"], "≤ 5 ms"],
  ["reading filings that yield rows, of the tokenizer", ["reading"], "≥ 0.5"],
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
}

async function run({ name, quick, minutes }: (typeof STEPS)[number], figures: string): Promise<Done> {
  const words = [join(import.meta.dir, `${name}.ts`), ...(values.quick ? quick : [])];
  const began = Date.now();
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
  const [printed, logs, code] = await Promise.all([echoed(child.stdout), echoed(child.stderr), child.exited]);
  clearTimeout(timer);
  process.off("SIGINT", end);
  const isLate = Date.now() - began >= minutes * 60_000;
  const late = isLate ? `more than ${minutes} minutes` : `ended with ${code}`;
  const failure = code === 0 ? null : `${late}: ${logs.trim().split("\n").at(-1) ?? ""}`;
  return { name, printed, failure };
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

function lineOf([what, figures, budget]: (typeof LINES)[number], measured: ReadonlyMap<string, Figure>) {
  const found = figures.flatMap((name) => measured.get(name) ?? []);
  if (found.length < figures.length) return `| ${what} | not measured | ${budget} | |`;
  const [sign, bound = "", ...units] = budget.split(" ");
  const isMet = found.every(({ value }) => (sign === "≤" ? value <= Number(bound) : value >= Number(bound)));
  const unit = units.map((one) => ` ${one}`).join("");
  const about = [...new Set(found.map((one) => one.about))].filter((text) => text !== "").join("; ");
  const texts = found.map(({ value }) => `${value.toFixed(value < 10 ? 2 : 0)}${unit}`).join("; ");
  return `| ${what} | ${texts}${about === "" ? "" : ` (${about})`} | ${budget} | ${isMet ? "met" : "missed"} |`;
}

async function reportOf(done: readonly Done[], measured: ReadonlyMap<string, Figure>): Promise<string> {
  const commit = (await Bun.$`git rev-parse --short HEAD`.cwd(ROOT).text()).trim();
  const machine = `Commit ${commit}, Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? "?"}`;
  const failed = done.flatMap(({ name, failure }) => (failure === null ? [] : [`- \`${name}\`: ${failure}`]));
  const printed = done.find(({ name }) => name === "growth")?.printed ?? "";
  const growth = printed.split("\n").filter((line) => line.startsWith("|"));
  const lines = LINES.map((line) => lineOf(line, measured));
  return [
    ["| Measurement | Result | Budget | |", "|---|---|---|---|", ...lines].join("\n"),
    ...(growth.length === 0 ? [] : [`What grows, as \`bench growth\` prints it:\n\n${growth.join("\n")}`]),
    `${machine}${values.quick ? ". With the least of every setting: these figures are worth nothing" : ""}.`,
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
