import { COMPENSATION_PARAMETERS, type Parameter } from "../domain/parameters.ts";
import { type GivenParameters, shorten } from "../domain/query.ts";
import { ServiceError } from "../errors.ts";

const PARAMETERS: readonly Parameter[] = COMPENSATION_PARAMETERS;

/**
 * Converts JSON arguments to text parameters, whose names and bounds the operation validates: `null` counts as absent,
 * a number becomes its digits. Refuses values that a query string cannot express with `invalid_parameter`.
 */
export function parametersOf(given: Readonly<Record<string, unknown>>): GivenParameters {
  const parameters = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    parameters.set(name, [textOf(name, value)]);
  }
  return parameters;
}

function textOf(name: string, value: unknown): string {
  const parameter = PARAMETERS.find((one) => one.name === name);
  // The operation refuses unknown names and suggests the intended one.
  if (parameter === undefined) return "";
  if (typeof value === "string") return value;
  // Numbers and strings of digits are equivalent, because models send both.
  const isText = parameter.kind === "text" || parameter.kind === "choice";
  if (typeof value === "number" && !isText) {
    // Without an exponent, which a query string does not accept.
    return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  }
  const expected = isText ? "a string" : "a whole number";
  throw new ServiceError(
    "invalid_parameter",
    `Cannot read ${name}: got ${kindOf(value)}, expected ${expected}.`,
  );
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "boolean" || typeof value === "number" ? String(value) : `a ${typeof value}`;
}

/** Refuses any argument of a tool that takes none. */
export function refuseArguments(tool: string, given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    throw new ServiceError(
      "invalid_parameter",
      `${tool} takes no arguments, but ${JSON.stringify(shorten(name))} was sent.`,
    );
  }
}
