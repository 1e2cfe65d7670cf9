/** Counters, gauges and histograms, and their text for Prometheus. @see Prometheus exposition format, version 0.0.4 */

/** Names of labels with their values. Values must be of a small closed set: each combination is a series. */
export type Labels = Readonly<Record<string, string>>;

/** Only goes up. */
export interface Counter {
  add(labels: Labels, amount?: number): void;
  /** What counts one combination of labels: made once, then kept by whoever counts often. */
  series(labels: Labels): (amount: number) => void;
}

/** How values are distributed over fixed bounds. */
export interface Histogram {
  /** Where the values of one combination of labels go: made once, then kept by whoever observes often. */
  series(labels: Labels): (value: number) => void;
}

/** One value of a gauge, asked for at every scrape. */
export type Sample = readonly [labels: Labels, value: number];

/** One combination of labels of a histogram. */
export interface Distribution {
  labels: Labels;
  /** Values by bucket, not added up; the last is that beyond all bounds. */
  counts: readonly number[];
  sum: number;
}

/** A metric as it stands now. */
export type Metric = { name: string; help: string } & (
  | { type: "counter" | "gauge"; samples: readonly Sample[] }
  | { type: "histogram"; bounds: readonly number[]; distributions: readonly Distribution[] }
);

/** A process's metrics. */
export interface Registry {
  counter(name: string, help: string): Counter;
  /** @param bounds upper bounds, ascending; infinity follows by itself */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** @param read called at every scrape; what it throws leaves the metric out of that one */
  gauge(name: string, help: string, read: () => readonly Sample[]): void;
  /** As `gauge`, for a total that somebody else counts. */
  total(name: string, help: string, read: () => readonly Sample[]): void;
  /** All of them as they stand. */
  read(): Metric[];
  /** The same as text for Prometheus. */
  text(): string;
}

/** An empty registry. */
export function createRegistry(): Registry {
  const metrics = new Map<string, () => Metric>();
  const sampled =
    (type: "gauge" | "counter") => (name: string, help: string, read: () => readonly Sample[]) =>
      void metrics.set(name, () => ({ name, help, type, samples: read() }));
  const readAll = () =>
    [...metrics.values()].flatMap((read) => {
      try {
        return [read()];
      } catch {
        // A store that is gone, a file that is not there yet: one metric less, and the scrape goes on.
        return [];
      }
    });
  return {
    counter(name, help) {
      const values = new Map<string, [labels: Labels, value: number]>();
      metrics.set(name, () => ({ name, help, type: "counter", samples: [...values.values()] }));
      const series = (labels: Labels) => {
        const key = labelText(labels);
        return (amount: number) => {
          const one = values.get(key);
          if (one === undefined) values.set(key, [labels, amount]);
          else one[1] += amount;
        };
      };
      return { series, add: (labels, amount = 1) => series(labels)(amount) };
    },
    histogram(name, help, bounds) {
      const all = new Map<string, { labels: Labels; counts: number[]; sum: number }>();
      const distributions = () => [...all.values()];
      metrics.set(name, () => ({
        name,
        help,
        type: "histogram",
        bounds,
        distributions: distributions(),
      }));
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
    read: readAll,
    text: () => metricsText(readAll()),
  };
}

/** Metrics as text for Prometheus. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(metricText).join("");
}

function metricText(metric: Metric): string {
  const { name, help, type } = metric;
  const lines =
    metric.type === "histogram"
      ? metric.distributions.flatMap((one) => histogramLines(name, one, metric.bounds))
      : metric.samples.map(([labels, value]) => `${series(name, labels)} ${numberText(value)}`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.map((line) => `${line}\n`).join("")}`;
}

function histogramLines(
  name: string,
  { labels, counts, sum }: Distribution,
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
