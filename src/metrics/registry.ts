/** Counters, gauges and histograms, and their text for Prometheus. @see Prometheus exposition format, version 0.0.4 */

/** Names of labels with their values. Values must be of a small closed set: each combination is a series. */
export type Labels = Readonly<Record<string, string>>;

/** Only goes up. */
export interface Counter {
  add(labels: Labels, amount?: number): void;
}

/** How values are distributed over fixed bounds. */
export interface Histogram {
  /** Where the values of one combination of labels go: made once, then kept by whoever observes often. */
  series(labels: Labels): (value: number) => void;
}

/** One value of a gauge, asked for at every scrape. */
export type Sample = readonly [labels: Labels, value: number];

/** A process's metrics. */
export interface Registry {
  counter(name: string, help: string): Counter;
  /** @param bounds upper bounds, ascending; infinity follows by itself */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** @param read called at every scrape; what it throws leaves the metric out of that one */
  gauge(name: string, help: string, read: () => readonly Sample[]): void;
  /** As `gauge`, for a total that somebody else counts. */
  total(name: string, help: string, read: () => readonly Sample[]): void;
  /** All of them, by name. */
  text(): string;
}

interface Metric {
  help: string;
  type: "counter" | "gauge" | "histogram";
  lines(name: string): string[];
}

/** An empty registry. */
export function createRegistry(): Registry {
  const metrics = new Map<string, Metric>();
  const sampled =
    (type: "gauge" | "counter") => (name: string, help: string, read: () => readonly Sample[]) => {
      const lines = () => read().map(([labels, value]) => `${series(name, labels)} ${numberText(value)}`);
      metrics.set(name, { help, type, lines });
    };
  return {
    counter(name, help) {
      const values = new Map<string, number>();
      metrics.set(name, {
        help,
        type: "counter",
        lines: () => [...values].map(([labels, value]) => `${name}${labels} ${numberText(value)}`),
      });
      return {
        add(labels, amount = 1) {
          const key = labelText(labels);
          values.set(key, (values.get(key) ?? 0) + amount);
        },
      };
    },
    histogram(name, help, bounds) {
      const all = new Map<string, { labels: Labels; counts: number[]; sum: number }>();
      metrics.set(name, {
        help,
        type: "histogram",
        lines: () => [...all.values()].flatMap((one) => histogramLines(name, one, bounds)),
      });
      return {
        series(labels) {
          const key = labelText(labels);
          const counts = Array.from({ length: bounds.length + 1 }, () => 0);
          const one = all.get(key) ?? { labels, counts, sum: 0 };
          all.set(key, one);
          return (value) => {
            let place = 0;
            while (value > (bounds[place] ?? Number.POSITIVE_INFINITY)) place += 1;
            one.counts[place] = (one.counts[place] ?? 0) + 1;
            one.sum += value;
          };
        },
      };
    },
    gauge: sampled("gauge"),
    total: sampled("counter"),
    text: () => [...metrics].map(([name, metric]) => metricText(name, metric)).join(""),
  };
}

function metricText(name: string, { help, type, lines }: Metric): string {
  let found: string[];
  try {
    found = lines(name);
  } catch {
    // A store that is gone, a file that is not there yet: one metric less, and the scrape goes on.
    return "";
  }
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${found.map((line) => `${line}\n`).join("")}`;
}

function histogramLines(
  name: string,
  { labels, counts, sum }: { labels: Labels; counts: readonly number[]; sum: number },
  bounds: readonly number[],
): string[] {
  let below = 0;
  const buckets = counts.map((count, place) => {
    below += count;
    const le = bounds[place] === undefined ? "+Inf" : numberText(bounds[place]);
    return `${series(`${name}_bucket`, { ...labels, le })} ${below}`;
  });
  return [
    ...buckets,
    `${series(`${name}_sum`, labels)} ${numberText(sum)}`,
    `${series(`${name}_count`, labels)} ${below}`,
  ];
}

function series(name: string, labels: Labels): string {
  return `${name}${labelText(labels)}`;
}

function labelText(labels: Labels): string {
  let text = "";
  for (const name in labels) text += `${text === "" ? "" : ","}${name}="${escapeValue(labels[name] ?? "")}"`;
  return text === "" ? "" : `{${text}}`;
}

function escapeValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function numberText(value: number): string {
  return Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : "NaN";
}
