import {
  type Distribution,
  type Labels,
  type Metric,
  metricsText,
  type Registry,
  type Sample,
} from "../../metrics.ts";

/** Combines a registry with the metrics of other processes. @param others called at each scrape */
export function withOthers(registry: Registry, others: () => readonly (readonly Metric[])[]): Registry {
  const read = () => sumMetrics([registry.read(), ...others()]);
  return { ...registry, read, text: () => metricsText(read()) };
}

/** Adds up counters and histograms of several processes by their labels. Gauges are those of the first. */
export function sumMetrics(lists: readonly (readonly Metric[])[]): Metric[] {
  const sums = new Map<string, Metric>();
  for (const [at, metrics] of lists.entries()) {
    for (const metric of metrics) {
      const sum = sums.get(metric.name);
      if (metric.type === "gauge" ? at === 0 : sum === undefined) sums.set(metric.name, metric);
      else if (sum !== undefined) sums.set(metric.name, added(sum, metric));
    }
  }
  return [...sums.values()];
}

function added(sum: Metric, more: Metric): Metric {
  if (sum.type === "histogram" && more.type === "histogram") {
    return {
      ...sum,
      distributions: byLabels([...sum.distributions, ...more.distributions], addDistributions),
    };
  }
  if (sum.type !== "counter" || more.type !== "counter") return sum;
  const entries = [...sum.samples, ...more.samples].map(([labels, value]) => ({ labels, value }));
  const samples = byLabels(entries, (a, b) => ({ ...a, value: a.value + b.value }));
  return { ...sum, samples: samples.map(({ labels, value }): Sample => [labels, value]) };
}

function addDistributions(a: Distribution, b: Distribution): Distribution {
  const counts = a.counts.map((count, place) => count + (b.counts[place] ?? 0));
  return { ...a, counts, sum: a.sum + b.sum };
}

function byLabels<T extends { labels: Labels }>(all: readonly T[], add: (a: T, b: T) => T): T[] {
  const sums = new Map<string, T>();
  for (const one of all) {
    const key = JSON.stringify(Object.entries(one.labels).toSorted());
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? one : add(sum, one));
  }
  return [...sums.values()];
}
