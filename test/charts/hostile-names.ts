import { expect } from "bun:test";
import { assert as assertAll, property, string } from "fast-check";
import { amountsPreview, figuresPreview, namesPreview } from "../../src/charts/preview.ts";
import { byAmount } from "../../src/domain/row-fields.ts";

/** A row of a drawing. */
export const row = (label: string, salary: number) => ({
  label,
  note: "CEO",
  amounts: byAmount((name) => (name === "salary" ? salary : 0)),
  total: salary,
});

/** Whatever a name contains, the drawing is XML and the name is text in it. */
export function drawHostileNames(numRuns: number): void {
  const hostile = string({ unit: "binary", maxLength: 60 });
  assertAll(
    property(hostile, hostile, (one, other) => {
      const svg = [
        amountsPreview({ title: one, subtitle: other, rows: [row(one, 1), row(other, 2)] }),
        namesPreview({ title: one, subtitle: other, names: [one, other] }),
        figuresPreview({ title: one, subtitle: other, figures: [{ label: one, value: other }] }),
      ].join("");
      // oxlint-disable-next-line no-control-regex -- these are what XML forbids
      expect(svg).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
      expect(svg.isWellFormed()).toBe(true);
      // Only our own elements: every other opening bracket of the text is escaped.
      const elements = new Set([...svg.matchAll(/<\/?([^\s/>]*)/g)].map(([, name]) => name));
      for (const name of elements) expect(["svg", "style", "rect", "path", "text"]).toContain(name ?? "");
    }),
    { numRuns },
  );
}
