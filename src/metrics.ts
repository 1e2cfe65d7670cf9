/**
 * Counters, gauges and histograms, and their text format for Prometheus. @see Prometheus
 * exposition format, version 0.0.4
 */

/** Label names and values. Values must come from a small, closed set: each combination is a series. */
export type Labels = Readonly<Record<string, string>>;

/** One value of a gauge, read at each scrape. */
export type Sample = readonly [labels: Labels, value: number];

/** A histogram's values for one combination of labels. */
interface Distribution {
  labels: Labels;
  /** Count per bucket, not cumulative; the last bucket is beyond all bounds. */
  counts: number[];
  sum: number;
}

/** The metrics of a process. */
export type Registry = ReturnType<typeof createRegistry>;

/** Creates an empty registry. */
export function createRegistry() {
  const metrics = new Map<string, () => string>();
  const declare = (type: string, name: string, help: string, linesOf: () => readonly string[]) =>
    void metrics.set(name, () =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...linesOf(), ""].join("\n"),
    );
  const sampled =
    (type: "gauge" | "counter") => (name: string, help: string, read: () => readonly Sample[]) =>
      declare(type, name, help, () => read().map(([labels, value]) => seriesLine(name, labels, value)));
  return {
    /** A value that only increases. */
    counter(name: string, help: string) {
      const values = new Map<string, [labels: Labels, value: number]>();
      declare("counter", name, help, () =>
        [...values.values()].map(([labels, value]) => seriesLine(name, labels, value)),
      );
      /** A function that counts one combination of labels, to be kept by frequent callers. */
      const series = (labels: Labels) => {
        const key = labelText(labels);
        return (amount: number): void => {
          const one = values.get(key);
          if (one === undefined) values.set(key, [labels, amount]);
          else one[1] += amount;
        };
      };
      return { series, add: (labels: Labels, amount = 1) => series(labels)(amount) };
    },
    /** The distribution of values over buckets. @param bounds upper bounds, ascending, without infinity */
    histogram(name: string, help: string, bounds: readonly number[]) {
      const all = new Map<string, Distribution>();
      declare("histogram", name, help, () =>
        [...all.values()].flatMap((one) => histogramLines(name, one, bounds)),
      );
      return {
        /** A function that records values for one combination of labels, to be kept by frequent callers. */
        series(labels: Labels) {
          const one = all.getOrInsertComputed(labelText(labels), () => {
            return { labels, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
          });
          return (value: number): void => {
            let place = 0;
            while (value > (bounds[place] ?? Number.POSITIVE_INFINITY)) place += 1;
            one.counts[place] = (one.counts[place] ?? 0) + 1;
            one.sum += value;
          };
        },
      };
    },
    /** @param read called at each scrape; if it throws, that scrape omits the metric */
    gauge: sampled("gauge"),
    /** Like `gauge`, for a total maintained elsewhere. */
    total: sampled("counter"),
    /** All metrics with their current values. */
    text: () => [...metrics.values()].map(textOf).join(""),
  };
}

function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    // If a file is missing, or the store is closed, omit the metric and continue the scrape.
    return "";
  }
}

function histogramLines(
  name: string,
  { labels, counts, sum }: Distribution,
  bounds: readonly number[],
): string[] {
  let below = 0;
  const buckets = counts.map((count, place) => {
    below += count;
    const le = bounds[place] === undefined ? "+Inf" : String(bounds[place]);
    return seriesLine(`${name}_bucket`, { ...labels, le }, below);
  });
  return [...buckets, seriesLine(`${name}_sum`, labels, sum), seriesLine(`${name}_count`, labels, below)];
}

function seriesLine(name: string, labels: Labels, value: number): string {
  const number = Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : "NaN";
  return `${name}${labelText(labels)} ${number}`;
}

function labelText(labels: Labels): string {
  const escaped = (value: string) =>
    value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
