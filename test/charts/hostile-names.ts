import { expect } from "bun:test";
import { assert as assertAll, property, string } from "fast-check";
import { barChart, lineChart, stripChart } from "../../src/charts/plots.ts";
import { payMixChart } from "../../src/charts/pay-mix.ts";
import { chartSvg } from "../../src/charts/svg.ts";
import { byAmount } from "../../src/domain/row-fields.ts";

/** A row of a drawing. */
const row = (label: string, salary: number) => ({
  label,
  note: "CEO",
  row: byAmount((name) => (name === "salary" || name === "total_compensation" ? salary : 0)),
});

const OURS = ["svg", "title", "desc", "style", "rect", "line", "circle", "path", "text", "tspan"];

/** Every kind of chart, with these names in it. */
function chartsOf(one: string, other: string) {
  const amounts = new Map([
    [2024, 1e6],
    [2025, -2e6],
  ]);
  return [
    payMixChart({
      id: "a",
      title: one,
      bars: [{ ...row(one, 1e6), beside: row(other, 2e6).row, names: ["CEO", "CFO"] }],
    }),
    lineChart({ id: "a", title: one, series: [{ label: other, amounts }] }),
    barChart({
      id: "a",
      title: one,
      groups: [{ label: other, bars: [{ name: one, label: other, value: 1, outlined: "partial" }] }],
    }),
    stripChart({ id: "a", title: one, values: [1, 2e6], marks: [{ label: other, value: 1e6, isOwn: true }] }),
  ];
}

/** Whatever a name contains, the drawing is XML and the name is text in it. */
export function drawHostileNames(numRuns: number): void {
  const hostile = string({ unit: "binary", maxLength: 60 });
  assertAll(
    property(hostile, hostile, (one, other) => {
      const svg = chartsOf(one, other)
        .map((chart) => chartSvg(chart, { title: one, source: other }))
        .join("");
      // oxlint-disable-next-line no-control-regex -- these are what XML forbids
      expect(svg).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
      expect(svg.isWellFormed()).toBe(true);
      // Only our own elements: every other opening bracket of the text is escaped.
      const elements = new Set([...svg.matchAll(/<\/?([^\s/>]*)/g)].map(([, name]) => name));
      for (const name of elements) expect(OURS).toContain(name ?? "");
    }),
    { numRuns },
  );
}
