/** Figures that a bench passes to `all.ts` in addition to its output. */
import { appendFileSync, readFileSync } from "node:fs";

/** Names the file for figures; without it none are written. */
export const FIGURES_VARIABLE = "BENCH_FIGURES";

/** Passes on a figure under its name in the table of `all.ts`. @param about additional information for the reader */
export function figure(name: string, value: number, about = ""): void {
  const file = process.env[FIGURES_VARIABLE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ name, value, about })}\n`);
}

/** A figure as passed on. */
export interface Figure {
  value: number;
  about: string;
}

/** The figures by name; the last of each name. */
export function figuresOf(file: string): Map<string, Figure> {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  // Written by `figure`.
  return new Map(
    lines.map((line) => JSON.parse(line) as Figure & { name: string }).map((one) => [one.name, one]),
  );
}
