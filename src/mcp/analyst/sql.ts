/** `run_sql`: over stdio only, where the caller could also run the command. */
import { parameterSchema, readQuery, textUpTo, whole } from "../../domain/parameters.ts";
import { invalid } from "../../errors.ts";
import { rateLimitHeaders } from "../../http/headers.ts";
import { describeSqlViews } from "../../operations/dataset-guide.ts";
import { whenAdmitted } from "../../operations/operation.ts";
import type { Operations } from "../../operations/operations.ts";
import type { SqlAnswer, SqlRunner } from "../../operations/sql.ts";
import { hasShortText, readArguments, type Tool, type ToolArguments } from "../calls.ts";
import { contentOf, freeAnswer, type ToolContent } from "../result.ts";
import { ANNOTATIONS, type ToolDeclaration } from "../tools.ts";
import { readTexts } from "./arguments.ts";
import { line } from "./fitting.ts";
import { inputOf, NULLABLE_STRING, object, STRING } from "./schemas.ts";

/** Runs one statement over the documented views. */
export const SQL_TOOL = "run_sql";

const DEFAULT_ROWS = 100;
const MAX_ROWS = 1000;
const MAX_STATEMENT = 20_000;
/** Maximum size of the rows in bytes; with the text, a result stays below 60,000 characters. */
const MAX_BYTES = 24_000;

const STATEMENT_EXPECTED = `one SELECT of 1 to ${MAX_STATEMENT} characters`;

const PARAMETERS = [
  {
    name: "statement",
    about: "one SELECT",
    ...textUpTo(MAX_STATEMENT, STATEMENT_EXPECTED),
  },
  { name: "max_rows", about: "maximum number of rows", ...whole(1, MAX_ROWS, DEFAULT_ROWS) },
] as const;

/** The tool as listed by `tools/list`. @param covers the dataset's coverage */
export function sqlDeclaration(covers: string): ToolDeclaration {
  return {
    name: SQL_TOOL,
    title: "Run SQL",
    description: `Runs one SELECT over the views below, for questions that the other tools do not answer; page with LIMIT and OFFSET. ${covers}\n${describeSqlViews()}`,
    inputSchema: inputOf(
      Object.fromEntries(PARAMETERS.map((one) => [one.name, parameterSchema(one)])),
      false,
      ["statement"],
    ),
    outputSchema: object({
      columns: { type: "array", items: STRING },
      rows: { type: "array", items: { type: "array" } },
      cut: NULLABLE_STRING,
      edition: STRING,
    }),
    annotations: ANNOTATIONS,
    securitySchemes: [{ type: "noauth" }],
    _meta: {},
  };
}

/** Creates the tool. It is free, and a statement can return every row. */
export function sqlTool(deps: Operations, runner: SqlRunner): Tool {
  return async (given, context) => {
    const { statement, maxRows } = await readArguments(deps, context, () => readStatement(given));
    const { signal, revision } = context;
    const caps = { maxRows, maxBytes: MAX_BYTES, ...(signal === undefined ? {} : { signal }) };
    return whenAdmitted(deps, context, async ({ window }) =>
      freeAnswer(contentFor(await runner.run(statement, caps), revision), rateLimitHeaders(window)),
    );
  };
}

function readStatement(given: ToolArguments): { statement: string; maxRows: number } {
  const { parameters } = readTexts(given, PARAMETERS);
  const { statement = "", max_rows: maxRows = DEFAULT_ROWS } = readQuery(parameters, PARAMETERS);
  if (statement.trim() === "") throw invalid(`Cannot read statement: expected ${STATEMENT_EXPECTED}.`);
  return { statement, maxRows };
}

function contentFor({ columns, rows, cut, edition }: SqlAnswer, revision: string): ToolContent {
  const structured = { columns, rows, cut, edition };
  const more =
    cut === null
      ? []
      : [
          `Only the first ${rows.length} rows are shown (${cut === "rows" ? "max_rows" : "the result would be too long"}): continue with OFFSET ${rows.length}, or select less.`,
        ];
  if (!hasShortText(revision)) return contentOf([JSON.stringify(structured), ...more], structured);
  return contentOf([[line(columns), ...rows.map(line), ...more].join("\n")], structured);
}
