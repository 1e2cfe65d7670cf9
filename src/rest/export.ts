import { rateLimitHeaders } from "../http/responses.ts";
import type { ExportAnswer } from "../operations/export.ts";

const TYPES = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/x-ndjson",
  parquet: "application/vnd.apache.parquet",
} as const;

/** Streams an export, generating each chunk only when the client has room for it. */
export function exportResponse(answer: ExportAnswer): Response {
  const headers = {
    "content-type": TYPES[answer.format],
    "content-disposition": `attachment; filename="${answer.name}"`,
    "cache-control": "private, no-store",
    vary: "X-API-KEY, Authorization",
    ...(answer.window === null ? {} : rateLimitHeaders(answer.window)),
  };
  const { bytes } = answer;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await bytes.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await bytes.return(undefined);
    },
  });
  return new Response(body, { headers });
}
