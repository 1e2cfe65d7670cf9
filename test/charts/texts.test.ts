import { expect, test } from "bun:test";
import { fitLine, plainText, widthOf, wrapLines } from "../../src/charts/text-width.ts";
import { drawHostileNames } from "./hostile-names.ts";

test("whatever a name contains, the drawing is XML and the name is text in it", () => drawHostileNames(15));

test("text is cut or shrunk if it does not fit, and two lines are of similar length", () => {
  const long = "W".repeat(5000);
  const { text, size } = fitLine(long, { width: 300, from: 26, to: 20 });
  expect([text.endsWith("…"), size]).toEqual([true, 20]);
  // Its ellipsis fits too, however little space is left.
  for (let width = 280; width <= 320; width += 1)
    expect(widthOf(fitLine(long, { width, from: 26, to: 20 }).text, 20)).toBeLessThanOrEqual(width);
  expect(fitLine("Ada", { width: 300, from: 26, to: 20 })).toEqual({ text: "Ada", size: 26 });
  const title = "What public companies paid their named executive officers";
  const { lines } = wrapLines(title, { width: 900, from: 60, to: 46 });
  expect(lines).toEqual(["What public companies paid", "their named executive officers"]);
  expect(wrapLines(long, { width: 700, from: 60, to: 46 }).lines).toHaveLength(1);
});

test("characters that would change the direction of a name, or stack accents on it, are omitted", () => {
  expect(plainText("A\u202Egro \u2066x\u0000\u0007\n\tB\ud800")).toBe("Agro x B\ufffd");
  expect(plainText("Z\u0338\u0322e\u0301")).toBe("Z\u00e9");
  expect(plainText("محمد 山田")).toBe("محمد 山田");
});
