import { US_STATES } from "../../domain/states.ts";
import { lettersOf, type Parameter, unreadable, wordMeant } from "../../domain/parameters.ts";
import { MAX_ROWS } from "../../domain/selection.ts";
import { type ToolQuestion, digitsOf, mistaken, parametersOf, type ToolArguments } from "../calls.ts";
import { MAX_PAGE } from "./fitting.ts";
import { DETAILS } from "./tools.ts";

/** Verbosity of a result. */
export type Detail = (typeof DETAILS)[number];

/** Arguments of a query across companies: the operation's parameters, and the verbosity, which only the tool has. */
export interface Question extends ToolQuestion {
  parameters: Map<string, readonly string[]>;
  form: Detail;
}

/**
 * Reads the arguments of a query. Numbers are equivalent to their digits, lists are joined by commas, and words whose
 * meaning is certain are accepted: `CFO`, `technology`, `latest`, `Texas`, `$100M`.
 */
export function readQuestion(given: ToolArguments, infos: readonly Parameter[]): Question {
  let form: Detail = "concise";
  const parameters = parametersOf(given, (name, value) => {
    if (isLatest(name, value)) return undefined;
    if (name === "detail") {
      form = readDetail(value);
      return undefined;
    }
    const parameter = infos.find((one) => one.name === name);
    return parameter === undefined ? "" : meant(parameter, textOf(parameter, value));
  });
  const wanted = Number(parameters.get("max_rows")?.[0]);
  if (wanted > MAX_PAGE && wanted <= MAX_ROWS) parameters.set("max_rows", [String(MAX_PAGE)]);
  return { parameters, form };
}

/** Reads arguments as they are. */
export function readTexts(given: ToolArguments, infos: readonly Parameter[]): ToolQuestion {
  const parameters = parametersOf(given, (name, value) => {
    const parameter = infos.find((one) => one.name === name);
    // The operation refuses unknown names and suggests the intended one.
    return parameter === undefined ? "" : textOf(parameter, value);
  });
  return { parameters };
}

/** Whether an argument asks for the latest fiscal year, as an absent one does. */
export function isLatest(name: string, value: unknown): boolean {
  return name === "fiscal_year" && typeof value === "string" && value.trim().toLowerCase() === "latest";
}

/** EDGAR's codes by the names of states, folded. Georgia and Washington are the states. */
const STATES: ReadonlyMap<string, string> = new Map([
  ...Array.from(US_STATES, ([code, name]) => [lettersOf(name), code] as const),
  ["washingtondc", "DC"],
]);

/** What the ends of amounts stand for. */
const SCALES: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
};
/** No amount is written longer. */
const MAX_AMOUNT_LENGTH = 40;

/** An amount as people write it (`$100M`, `1e8`, `1,500,000`), in digits; undefined for another text. */
function amountOf(text: string): string | undefined {
  if (text.length > MAX_AMOUNT_LENGTH) return undefined;
  const [, sign = "", digits = "", unit = ""] =
    /^(-?)(?:usd|us\$|\$)?(\d[\d,]{0,20}(?:\.\d{1,9})?(?:e\+?\d{1,2})?)([a-z]{0,8})$/.exec(
      text.toLowerCase().replaceAll(/\s/g, ""),
    ) ?? [];
  const value = Number(digits.replaceAll(",", "")) * (SCALES[unit.replace(/usd$/, "")] ?? Number.NaN);
  return digits !== "" && Number.isFinite(value) && Math.abs(value) < 1e15
    ? sign + digitsOf(Math.round(value * 100) / 100)
    : undefined;
}

/** Fewer letters are not enough to tell a choice by a part of it. */
const MIN_PART = 4;

/** The value that a text means, if that is certain; the text itself otherwise. */
function meant({ name, kind, words: choices }: Parameter, text: string): string {
  if (name === "state") return STATES.get(lettersOf(text)) ?? text;
  if (kind === "number") return amountOf(text) ?? text;
  if (choices === undefined || choices.includes(text)) return text;
  const word = lettersOf(text);
  const same = wordMeant(choices, text);
  if (same !== undefined) return same;
  const having = word.length < MIN_PART ? [] : choices.filter((choice) => lettersOf(choice).includes(word));
  const [only, second] = having;
  return only === undefined || second !== undefined ? text : only;
}

function readDetail(value: unknown): Detail {
  const found = DETAILS.find((one) => one === value);
  if (found === undefined) throw unreadable("detail", String(value), `one of ${DETAILS.join(", ")}`);
  return found;
}

/** The text of an argument. Refuses values that a query string cannot express with `invalid_parameter`. */
export function textOf({ name, kind }: Pick<Parameter, "name" | "kind">, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return digitsOf(value);
  if (typeof value === "boolean" && kind === "flag") return String(value);
  const isList = Array.isArray(value) && value.every((one) => ["string", "number"].includes(typeof one));
  if (isList && (kind === "text" || kind === "list")) return value.join(",");
  throw mistaken(name, value, EXPECTED[kind] ?? "a string");
}

const EXPECTED: Readonly<Partial<Record<Parameter["kind"], string>>> = {
  whole: "a whole number",
  number: "a number",
  flag: "true or false",
};
