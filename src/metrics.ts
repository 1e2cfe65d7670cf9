/**
 * Counters, gauges and histograms, and their text format for Prometheus. @see Prometheus
 * exposition format, version 0.0.4
 */

/** Label names and values. Values must come from a small, closed set: each combination is a series. */
export type Labels = Readonly<Record<string, string>>;

/** A value that only increases. */
export interface Counter {
  add(labels: Labels, amount?: number): void;
  /** A function that counts one combination of labels, to be kept by frequent callers. */
  series(labels: Labels): (amount: number) => void;
}

/** The distribution of values over fixed buckets. */
export interface Histogram {
  /** A function that records values for one combination of labels, to be kept by frequent callers. */
  series(labels: Labels): (value: number) => void;
}

/** One value of a gauge, read at each scrape. */
export type Sample = readonly [labels: Labels, value: number];

/** A histogram's series for one combination of labels. */
interface Distribution {
  labels: Labels;
  /** Count per bucket, not cumulative; the last bucket is beyond all bounds. */
  counts: readonly number[];
  sum: number;
}

/** A metric with its current values. */
export type Metric = { name: string; help: string } & (
  | { type: "counter" | "gauge"; samples: readonly Sample[] }
  | { type: "histogram"; bounds: readonly number[]; distributions: readonly Distribution[] }
);

/** The metrics of a process. */
export interface Registry {
  counter(name: string, help: string): Counter;
  /** @param bounds upper bounds, ascending, without infinity */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** @param read called at each scrape; if it throws, that scrape omits the metric */
  gauge(name: string, help: string, read: () => readonly Sample[]): void;
  /** Like `gauge`, for a total maintained elsewhere. */
  total(name: string, help: string, read: () => readonly Sample[]): void;
  /** All metrics with their current values. */
  read(): Metric[];
  /** The same in the text format of Prometheus. */
  text(): string;
}

/** Creates an empty registry. */
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
        // If a file is missing, or the store is closed, omit the metric and continue the scrape.
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
    text: () => readAll().map(metricText).join(""),
  };
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
