/** Where a request stands in a trace of the caller's own systems. @see W3C Trace Context, 3.2 */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** The span that called, 16 hexadecimal digits. */
  parentId: string;
  /** Whether the caller records the trace. */
  sampled: boolean;
}

const TRACE_PARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/**
 * What a request to a system of the operator's own carries that another request causes: its trace. Nothing where it has none.
 * Whoever else is asked (EDGAR, the addresses of strangers) is not told of it: docs/monitoring.md.
 */
export function traceHeaders(request: Request): { traceparent?: string } {
  const trace = traceOf(request);
  if (trace === null) return {};
  return { traceparent: `00-${trace.traceId}-${trace.parentId}-${trace.sampled ? "01" : "00"}` };
}

/** Reads the header `traceparent`; null where there is none, or it is malformed. */
export function traceOf({ headers }: Request): TraceContext | null {
  const header = headers.get("traceparent");
  if (header === null) return null;
  const [, traceId, parentId, flags] = TRACE_PARENT.exec(header) ?? [];
  if (traceId === undefined || parentId === undefined || flags === undefined) return null;
  return { traceId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
