import {
  type Attributes,
  type HrTime,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  ValueType,
} from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Log, RequestLine } from "../log.ts";
import type { Distribution, Metric, Registry, Sample } from "../metrics.ts";
import type { TraceContext } from "../trace-context.ts";

/** Settings of telemetry. */
export interface TelemetrySettings {
  /** Base URL of `/v1/traces` and `/v1/metrics`. */
  endpoint: string;
  /** Sent with every export, such as the collector's key. */
  headers: Readonly<Record<string, string>>;
  /** Percentage of traces starting here that are sampled; for a caller's trace, the caller's decision applies. */
  percent: number;
  version: string;
  /** Id of this process, to distinguish servers. */
  instance: string;
  now: () => number;
  /** Interval between exports of metrics. */
  everyMs?: number;
}

/** Sends spans in batches as they end, and metrics periodically. */
export interface Otlp {
  request(line: RequestLine): void;
  stop(): Promise<void>;
}

/** Timeout of an export. */
const TIMEOUT_MS = 10_000;
const METRICS_EVERY_MS = 60_000;

/** Creates the exporter: one span per request, and the metrics of `/metrics` under the same names. */
export function createOtlp(settings: TelemetrySettings, registry: Registry, log: Log): Otlp {
  const { endpoint, headers, percent, version, instance, now, everyMs = METRICS_EVERY_MS } = settings;
  const to = (path: string) => ({
    url: `${endpoint}${path}`,
    headers: { ...headers },
    timeoutMillis: TIMEOUT_MS,
  });
  const resource = resourceFromAttributes({
    "service.name": "execcomp",
    "service.version": version,
    "service.instance.id": instance,
  });
  const spans = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: reporting(new OTLPTraceExporter(to("/v1/traces")), "traces", log) }),
    ],
  });
  const reader = new PeriodicExportingMetricReader({
    exporter: reporting(new OTLPMetricExporter(to("/v1/metrics")), "metrics", log),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(everyMs, TIMEOUT_MS),
  });
  reader.setMetricProducer(metricsOf(registry, resource, version, now));
  const tracer = spans.getTracer("execcomp", version);
  return {
    request(line) {
      const { micros, method, route, path, status, address, userAgent } = line;
      const endMs = now();
      const attributes: Attributes = {
        "http.request.method": method,
        "http.route": route,
        "url.path": path,
        "http.response.status_code": status,
        "execcomp.request_id": line.id,
        ...(address === "" ? {} : { "client.address": address }),
        ...(userAgent === null ? {} : { "user_agent.original": userAgent }),
        ...(line.caller === null ? {} : { [`execcomp.${line.caller.kind}`]: line.caller.id }),
      };
      const options = { kind: SpanKind.SERVER, startTime: endMs - micros / 1000, attributes };
      const span = tracer.startSpan(`${method} ${route}`, options, contextOf(line.trace));
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endMs);
    },
    async stop() {
      await Promise.allSettled([spans.shutdown(), reader.shutdown()]);
    },
  };
}

/** The caller's span as the parent; the root context without one. */
function contextOf(parent: TraceContext | null) {
  if (parent === null) return ROOT_CONTEXT;
  const traceFlags = parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const span = { traceId: parent.traceId, spanId: parent.parentId, traceFlags, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, span);
}

/** The part of an exporter that reports results. */
interface Exporter<T> {
  export(items: T, told: (result: { code: number; error?: Error }) => void): void;
}

/** Makes an exporter log when exports start to fail and when they recover. */
function reporting<T, E extends Exporter<T>>(exporter: E, what: string, log: Log): E {
  const send = exporter.export.bind(exporter);
  let isFailing = false;
  exporter.export = (items: T, told: (result: { code: number; error?: Error }) => void) =>
    send(items, (result) => {
      const failed = result.code !== 0;
      if (failed && !isFailing) log.warn("otlp_failing", { what, error: String(result.error) });
      if (!failed && isFailing) log.info("otlp_recovered", { what });
      isFailing = failed;
      told(result);
    });
  return exporter;
}

/** Produces the registry's current metrics. */
function metricsOf(
  registry: Registry,
  resource: Resource,
  version: string,
  now: () => number,
): MetricProducer {
  const startTime = hrTime(now());
  return {
    collect() {
      const times = { startTime, endTime: hrTime(now()) };
      const metrics = registry.read().map((metric) => metricData(metric, times));
      const scopeMetrics = [{ scope: { name: "execcomp", version }, metrics }];
      return Promise.resolve({ resourceMetrics: { resource, scopeMetrics }, errors: [] });
    },
  };
}

interface Times {
  startTime: HrTime;
  endTime: HrTime;
}

function metricData(metric: Metric, times: Times): MetricData {
  const { name, help: description } = metric;
  const descriptor = { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE };
  const base = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const point = ([attributes, value]: Sample) => ({ ...times, attributes, value });
  switch (metric.type) {
    case "counter":
      return {
        ...base,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints: metric.samples.map(point),
      };
    case "gauge":
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: metric.samples.map(point) };
    case "histogram": {
      const { bounds: boundaries } = metric;
      const distribution = ({ labels, counts, sum }: Distribution) => {
        const buckets = { boundaries: [...boundaries], counts: [...counts] };
        const count = counts.reduce((all, one) => all + one, 0);
        return { ...times, attributes: labels, value: { buckets, sum, count } };
      };
      return {
        ...base,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: metric.distributions.map(distribution),
      };
    }
  }
}

/** The unit of a metric, in UCUM, as OpenTelemetry uses it. */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return "s";
  return /_bytes(_total)?$/.test(name) ? "By" : "";
}

/** A time as seconds and nanoseconds. */
function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
