import type { ServiceError } from "../errors.ts";
import { refusal } from "../http/responses.ts";
import { type Purchase, refusalHeaders, STATUS } from "../http/responses.ts";

/** A refusal as the flat envelope, with the headers of its status. @param extra headers specific to the path */
export function errorResponse(
  refused: ServiceError,
  purchase: Purchase,
  extra: Readonly<Record<string, string>> = {},
): Response {
  const status = STATUS[refused.kind];
  const headers: Record<string, string> = { ...refusalHeaders(refused), ...extra };
  if (status === 401) headers["www-authenticate"] = 'ApiKey realm="executive-compensation"';
  return refusal(status, refused.message, headers, status === 402 ? { purchase } : {});
}
