import { figure, MARGIN, WIDTH } from "../../charts/frame.ts";
import { type Html, html } from "../../html.ts";
import { countsTable, withTable } from "../pages/parts.ts";

/** A bar chart of counts by class. */
export interface BarChart {
  /** Unique on the page. */
  id: string;
  title: string;
  bars: readonly { label: string; count: number }[];
}

const HEIGHT = 180;

/** Bars with the count above each, and the same data as a table. */
export function bars({ id, title, bars: all }: BarChart): Html {
  const most = Math.max(1, ...all.map(({ count }) => count));
  const sum = all.reduce((total, { count }) => total + count, 0);
  const step = (WIDTH - 2 * MARGIN.right) / all.length;
  const floor = HEIGHT - MARGIN.bottom;
  const drawing = all.map(({ label, count }, place) => {
    const height = count === 0 ? 1 : Math.max(3, Math.round((count / most) * (floor - MARGIN.top)));
    const left = MARGIN.right + place * step;
    const middle = left + step / 2;
    return html`<rect
        class="series-1"
        x="${left + 2}"
        y="${floor - height}"
        width="${step - 4}"
        height="${height}"
        rx="2"
      />
      <text class="tick" x="${middle}" y="${HEIGHT - 10}" text-anchor="middle">${label}</text>
      ${count > 0 && html`<text class="tick" x="${middle}" y="${floor - height - 4}" text-anchor="middle">${count}</text>`}`;
  });
  const description = `${sum} in total. ${all
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${label === "more" ? "longer" : `up to ${label}`}: ${count}`)
    .join(", ")}`;
  return withTable(
    figure({ id, title, description, height: HEIGHT, drawing: html`${drawing}` }),
    countsTable("Up to", "Count", all),
  );
}
