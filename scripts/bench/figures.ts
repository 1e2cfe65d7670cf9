/** Figures that a bench hands to `all.ts` besides what it prints. */
import { appendFileSync, readFileSync } from "node:fs";

/** Names the file that figures are added to; without it nothing is written. */
export const FIGURES_VARIABLE = "BENCH_FIGURES";

/** Hands on a figure under the name that the table of `all.ts` has for it. @param about what a reader wants to know besides */
export function figure(name: string, value: number, about = ""): void {
  const file = process.env[FIGURES_VARIABLE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ name, value, about })}\n`);
}

/** A figure as it was handed on. */
export interface Figure {
  value: number;
  about: string;
}

/** What was handed on, by name; the last of each name. */
export function figuresOf(file: string): Map<string, Figure> {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  // Written by `figure`.
  return new Map(
    lines.map((line) => JSON.parse(line) as Figure & { name: string }).map((one) => [one.name, one]),
  );
}
