/** The changes operation in the OpenAPI document. */
import { EXAMPLE_ROW } from "../domain/row-fields.ts";
import { CHANGES_PARAMETERS } from "../operations/changes.ts";
import type { RouteName } from "../http/routes.ts";
import { type DocumentParts, nullable, object, parameterOf } from "./openapi-analysis.ts";

type Json = Record<string, unknown>;

/** The operation's tag. */
export const CHANGES_TAG = {
  name: "Changes",
  description:
    "Additions and changes to the dataset. Needs no credential; executives and totals are shown only with one.",
};

/** The operation by route. */
export function changesOperations({
  answers,
  refusals,
}: Pick<DocumentParts, "answers" | "refusals">): Partial<Record<RouteName, Json>> {
  return {
    changes: {
      operationId: "getChanges",
      tags: [CHANGES_TAG.name],
      summary: "Get what changed since an edition",
      description:
        "Filings that were loaded, and executives' rows that were added, changed or removed since an edition of the dataset, " +
        "oldest first, in pages. Follow `next_cursor` until it is null; next time, set `since` to the `content_hash` of that " +
        "answer. A row can appear several times: this is a history, not a difference. Without a credential, executives are not named and `total_compensation` is null. " +
        "With one, a page costs one credit if it has a row of an earlier fiscal year than the company's latest, " +
        "else none. Also available as a feed: `/changes.atom`.",
      security: [{ ApiKeyAuth: [] }, {}],
      parameters: CHANGES_PARAMETERS.map(parameterOf),
      responses: {
        ...answers("ChangesResponse", {
          edition: "2026-03-20",
          content_hash: EXAMPLE_HASH,
          changes: [EXAMPLE_CHANGE],
          next_cursor: null,
        }),
        ...refusals(["400", "401", "402", "410", "429", "503"]),
      },
    },
  };
}

/** Schemas of its answers, by name. */
export function changesSchemas(): Json {
  return {
    ChangesResponse: object({
      edition: { ...edition, description: "name of the edition in use" },
      content_hash: { ...hash, description: "its content hash, to use as `since` next time" },
      changes: { type: "array", items: { $ref: "#/components/schemas/Change" } },
      next_cursor: nullable("string"),
    }),
    Change: object({
      edition: { ...edition, description: "name of the edition with the change" },
      content_hash: hash,
      recorded_at: { type: "string", format: "date-time" },
      kind: {
        type: "string",
        enum: ["filing", "executive_year"],
        description: "a filing that was loaded, or an executive's row of one fiscal year",
      },
      change: { type: "string", enum: ["added", "changed", "removed"] },
      ticker: { type: "string", description: "primary symbol; empty if there is none" },
      cik: { type: "string", pattern: "^[0-9]{10}$" },
      company_name: { type: "string" },
      fiscal_year: { ...nullable("integer"), description: "for a filing, the newest in its table" },
      complete: {
        ...nullable("boolean"),
        description: "whether the filing of that fiscal year is loaded; null if no row is left",
      },
      executive_id: {
        ...nullable("string"),
        description: "for a row, with a credential; null for a filing",
      },
      executive_name: nullable("string"),
      fields: {
        type: "array",
        items: { type: "string" },
        description: "names of the fields that differ in a changed row",
      },
      reporting_currency: nullable("string"),
      total_compensation: {
        anyOf: [object({ before: nullable("number"), after: nullable("number") }), { type: "null" }],
        description: "for a row, with a credential; a side is null if the row did not exist",
      },
      source: { $ref: "#/components/schemas/CompensationSource" },
    }),
  };
}

const EXAMPLE_HASH = "5f2c1d9e8a7b60434f5e6d7c8b9a0f1e2d3c4b5a69788796a5b4c3d2e1f00112";
/** `editionName`: a date, and a sequence if it was made from another. */
const edition = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d(?:\\.\\d{1,6})?$" };
const hash = { type: "string", pattern: "^[0-9a-f]{64}$" };

const EXAMPLE_CHANGE = {
  edition: "2026-03-20",
  content_hash: EXAMPLE_HASH,
  recorded_at: "2026-03-20T06:12:31.000Z",
  kind: "executive_year",
  change: "added",
  ticker: EXAMPLE_ROW.ticker,
  cik: EXAMPLE_ROW.cik,
  company_name: EXAMPLE_ROW.company_name,
  fiscal_year: EXAMPLE_ROW.fiscal_year,
  complete: true,
  executive_id: EXAMPLE_ROW.executive_id,
  executive_name: EXAMPLE_ROW.executive_name,
  fields: [],
  reporting_currency: EXAMPLE_ROW.reporting_currency,
  total_compensation: { before: null, after: EXAMPLE_ROW.total_compensation },
  source: EXAMPLE_ROW.source,
};
