import { expect, test } from "bun:test";
import { barChart, lineChart } from "../../src/charts/plots.ts";
import { payMixChart, totalOnly } from "../../src/charts/pay-mix.ts";
import { rankedBars } from "../../src/charts/ranked-bars.ts";
import { chartSvg } from "../../src/charts/svg.ts";
import { byAmount } from "../../src/domain/row-fields.ts";

const NOTHING = byAmount(() => 0);

/** The numeric values of an attribute, for all elements with the given name. */
function numbers(text: string, element: string, attribute: string): number[] {
  return [...text.matchAll(new RegExp(`<${element}\\s[^>]*?\\s${attribute}="([^"]*)"`, "g"))].map(
    ([, value]) => Number(value),
  );
}

test("a year without an amount interrupts the line: it is not zero, and has no point", () => {
  const amounts = new Map([
    [2020, 1e6],
    [2021, 2e6],
    [2023, 3e6],
  ]);
  const { drawing, description } = lineChart({ id: "a", title: "A", series: [{ label: "Ada", amounts }] });
  expect(drawing.text.match(/<line class="stroke series-1"/g)).toHaveLength(1);
  expect(numbers(drawing.text, "circle", "cx")).toHaveLength(3);
  // It is on the axis all the same.
  expect(drawing.text).toContain(">2022<");
  expect(description).toBe("Ada: 2020 1M, 2021 2M, 2023 3M");
});

test("negative amounts extend below the line, and everything stays inside the drawing", () => {
  const bars = [
    { label: "2024", row: { ...NOTHING, salary: 3e6, unknown_component: -1e6, total_compensation: 2e6 } },
    { label: "2025", row: { ...NOTHING, salary: 1e6, total_compensation: 1e6 } },
  ];
  const { drawing, height, legend } = payMixChart({ id: "a", title: "A", bars });
  const [tops, heights] = [numbers(drawing.text, "rect", "y"), numbers(drawing.text, "rect", "height")];
  expect(tops).toHaveLength(3);
  const bottoms = tops.map((top, at) => top + (heights[at] ?? Number.NaN));
  const [salary, below, nextYear] = tops.map((top, at) => ({ top, bottom: bottoms[at] ?? Number.NaN }));
  expect([salary?.bottom, below?.top]).toEqual([nextYear?.bottom, nextYear?.bottom]);
  for (const size of heights) expect(size).toBeGreaterThan(0);
  for (const bottom of bottoms) expect(bottom).toBeLessThan(height - 20);
  expect(legend?.map(({ colour }) => colour)).toEqual(["pay-salary", "pay-unknown_component"]);
});

test("a total without components is an outline as high as it is, with a key that says so", () => {
  const bars = [
    { label: "2024", row: totalOnly(4e6), isTotalOnly: true, names: ["CEO"] },
    { label: "2025", row: { ...NOTHING, salary: 2e6, total_compensation: 2e6 }, names: ["CEO"] },
  ];
  const chart = payMixChart({ id: "a", title: "A", bars, currency: "$" });
  const [outline = 0, salary = 0] = numbers(chart.drawing.text, "rect", "height");
  expect(outline / salary).toBeCloseTo(2, 1);
  expect([...chart.drawing.text.matchAll(/<rect\s+class="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    "outline",
    "pay-salary",
  ]);
  expect(chart.legend?.map(({ label }) => label)).toEqual(["Salary", "Total only, as tagged by the filer"]);
  expect(chart.description).toBe("2024 CEO: 4M; 2025 CEO: 2M");
  // In a picture it has its line.
  expect(chartSvg(chart, { title: "A", source: "" })).toMatch(/\.outline \{\s*fill: none;\s*stroke: #14506b/);
});

test("a picture to take away has title, source, key and colours inside, and needs no stylesheet", () => {
  const bars = [{ label: "2025 ◐", row: { ...NOTHING, salary: 3e6, total_compensation: 3e6 } }];
  const chart = payMixChart({ id: "a", title: "A", bars, currency: "$" });
  const svg = chartSvg(chart, { title: "CEO pay at Acme", source: "Source: DEF 14A." });
  for (const text of ["CEO pay at Acme", "Source: DEF 14A. * Partial year.", "Salary", "$3M", "2025*"]) {
    expect(svg).toMatch(new RegExp(`>\\s*${text.replaceAll(/[$.*]/g, "\\$&")}\\s*<`));
  }
  expect(svg).toContain('width="1600"');
  expect(svg).toContain("fill: #7a5a12");
  expect(svg).not.toMatch(/var\(|light-dark|@media|undefined|NaN/);
});

test("a value that is not known has a dash and no bar; a partial one is an outline", () => {
  const bars = [
    { name: "fiscal 2023", label: "23", value: null },
    { name: "fiscal 2024", label: "24", value: 2e6, outlined: "partial" },
    { name: "fiscal 2025", label: "25", value: 1e6 },
  ];
  const { drawing, description } = barChart({ id: "a", title: "A", groups: [{ label: "ACME", bars }] });
  const [outline = 0, filled = 0] = numbers(drawing.text, "rect", "height");
  expect(outline / filled).toBeCloseTo(2, 1);
  expect([...drawing.text.matchAll(/<rect\s+class="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    "hollow series-2",
    "series-2",
  ]);
  expect(drawing.text).toMatch(/>–<\/text/);
  expect(description).toBe("ACME: fiscal 2024 2M, fiscal 2025 1M");
});

test("amounts of neighbouring groups do not meet, wherever the highest bars are", () => {
  const barsOf = (values: readonly number[]) => values.map((value) => ({ name: "fiscal", label: "", value }));
  // The last of one beside the first of the next.
  const groups = Array.from({ length: 20 }, (_, at) => ({
    label: `C${at}`,
    bars: barsOf(at % 2 === 0 ? [1e6, 2e6, 3e6, 4e6, 5e6] : [5e6, 4e6, 3e6, 2e6, 1e6]),
  }));
  const { drawing } = barChart({ id: "a", title: "A", groups });
  const places = [...drawing.text.matchAll(/class="value" x="([\d.]+)%"/g)].map(([, x]) => Number(x));
  expect(places).toHaveLength(20);
  const gaps = places.slice(1).map((place, at) => place - (places[at] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4.2);
});

test("a ranking has a name, an amount and a bar a line, and none of them meet", () => {
  const bars = [
    { name: "Ada Lovelace, Acme", value: 4e6, components: { ...NOTHING, salary: 1e6, stock_awards: 3e6 } },
    { name: `${"Wolfeschlegelsteinhausen ".repeat(4)}, Acme`, value: 2e6 },
  ];
  const { drawing, legend, height, description } = rankedBars({ id: "a", title: "A", bars, currency: "$" });
  const widths = [...drawing.text.matchAll(/width="([\d.]+)%"/g)].map(([, width]) => Number(width));
  expect(widths).toEqual([25, 75, 50]);
  expect(drawing.text).toMatch(/Ada Lovelace, Acme<[^]*>\$4M<[^]*…<[^]*>\$2M</);
  expect(legend?.map(({ label }) => label)).toEqual(["Salary", "Stock"]);
  expect(numbers(drawing.text, "text", "y").every((y) => y < height)).toBe(true);
  expect(description).toStartWith("Ada Lovelace, Acme: 4M; ");
});

test("a chart whose labels would meet on a phone scrolls there", () => {
  const of = (...labels: string[]) =>
    payMixChart({
      id: "a",
      title: "A",
      bars: labels.map((label) => ({ label, row: { ...NOTHING, salary: 1e6, total_compensation: 1e6 } })),
    }).isDense;
  expect(of("Cook", "Parekh", "Maestri", "O’Brien", "Adams", "Khan")).toBe(false);
  expect(of("Cook", "Schwarzenegger", "Maestri", "O’Brien", "Adams", "Khan")).toBe(true);
});
