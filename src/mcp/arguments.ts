import { COMPENSATION_PARAMETERS, type Parameter } from "../domain/parameters.ts";
import { type GivenParameters, shorten } from "../domain/query.ts";
import { ServiceError } from "../errors.ts";

const PARAMETERS: readonly Parameter[] = COMPENSATION_PARAMETERS;

/**
 * JSON arguments as the text parameters of an operation, which checks names and bounds: `null` counts as absent,
 * a number as its digits. Refuses with `invalid_parameter` what JSON can say and a query cannot.
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
  // The operation refuses an unknown name whatever its value, with the name that was probably meant.
  if (parameter === undefined) return "";
  if (typeof value === "string") return value;
  // Of a number a JSON number is as good as its digits: models send both.
  const isText = parameter.kind === "text" || parameter.kind === "choice";
  if (typeof value === "number" && !isText) {
    // Never with an exponent, which is no whole number in a query.
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

/** Refuses any argument of a tool that has none. */
export function refuseArguments(tool: string, given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    throw new ServiceError(
      "invalid_parameter",
      `${tool} takes no arguments, but ${JSON.stringify(shorten(name))} was sent.`,
    );
  }
}
