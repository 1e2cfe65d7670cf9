/** JSON Schemas of rows, for the API reference and the tools' results. */
import { ROW_FIELDS, type RowField, SOURCE_FIELDS } from "./row-fields.ts";

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;
type ObjectSchema = Schema & { type: "object" };

const TYPES = {
  text: "string",
  link: "string",
  date: "string",
  whole: "integer",
  flag: "boolean",
  amount: "number",
};

/** An object. @param required all members by default */
export function objectSchema(
  properties: Schema,
  required: readonly string[] = Object.keys(properties),
): ObjectSchema {
  return { type: "object", properties, required };
}

/** The schema of a field. Null is a branch: `type: ["string", "null"]` would be shorter, but some clients cannot read it. */
function fieldSchema({ name, kind, nullable, values, about }: RowField): Schema {
  const type = {
    type: TYPES[kind],
    ...(values === null ? {} : { enum: values }),
    ...(kind === "date" ? { format: "date" } : {}),
    ...(name === "cik" ? { pattern: "^[0-9]{10}$" } : {}),
  };
  return nullable ? { anyOf: [type, { type: "null" }], description: about } : { ...type, description: about };
}

/** Properties of fields, with their descriptions. */
function propertiesOf(fields: readonly RowField[]): Record<string, Schema> {
  return Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)]));
}

/** The source of a row. */
export const SOURCE_SCHEMA = objectSchema(propertiesOf(SOURCE_FIELDS));

/** A row. @param source schema of its source, or a reference to it */
export function rowSchema(source: Schema): ObjectSchema {
  return objectSchema({ ...propertiesOf(ROW_FIELDS), source });
}

/** The body of the tickers operation. */
export const TICKERS_SCHEMA = objectSchema({
  resource: {
    type: "string",
    enum: ["executive_compensation"],
    description: "the dataset that the symbols belong to",
  },
  tickers: {
    type: "array",
    items: { type: "string" },
    description: "primary symbols of the companies that have rows, ascending",
  },
});
