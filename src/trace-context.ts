/** A request's position in the caller's trace. @see W3C Trace Context, 3.2 */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** The calling span, 16 hexadecimal digits. */
  parentId: string;
  /** Whether the caller records the trace. */
  sampled: boolean;
}

const TRACE_PARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/**
 * The `traceparent` header to send on to the operator's own systems; empty without a trace. Never sent to other
 * parties, such as EDGAR or client metadata addresses: docs/monitoring.md.
 */
export function traceHeaders(request: Request): { traceparent?: string } {
  const trace = traceOf(request);
  if (trace === null) return {};
  return { traceparent: `00-${trace.traceId}-${trace.parentId}-${trace.sampled ? "01" : "00"}` };
}

/** Parses `traceparent`; null if it is missing or malformed. */
export function traceOf({ headers }: Request): TraceContext | null {
  const header = headers.get("traceparent");
  if (header === null) return null;
  const [, traceId, parentId, flags] = TRACE_PARENT.exec(header) ?? [];
  if (traceId === undefined || parentId === undefined || flags === undefined) return null;
  return { traceId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
