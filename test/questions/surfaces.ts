/** The same steps over REST, over MCP by the SDK's own client (HTTP, standard input and output), and on the command line. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Fact } from "./facts.ts";
import type { FirstAnswer, FirstCall } from "./first-calls.ts";
import type { Answered, AnsweredRow, Question, Step } from "./questions.ts";

/** A way to send queries. */
export interface Surface {
  name: string;
  ask(step: Step): Promise<Answered>;
  close(): Promise<void>;
}

/** One tool's result as received. */
export interface Heard {
  tool: string;
  /** The texts, joined: what a client shows its model if it does not read structured content. */
  text: string;
  structured: string;
}

/** A surface whose tools can be called by name. */
export interface ToolSurface extends Surface {
  call(tool: string, given: Members): Promise<Heard>;
}

type Members = Readonly<Record<string, unknown>>;

const NOTHING: Answered = {
  executive_compensation: [],
  matched: { rows: 0, companies: 0, company_years: 0, incomplete_company_years: 0 },
  statistics: [],
  ranks: [],
  companies: [],
  ceo_pay: [],
};

/** Sends every step of a question, each with the answers to the ones before. */
export async function answerTo(surface: Surface, { steps, answer }: Question): Promise<unknown> {
  const answered: Answered[] = [];
  for (const step of steps) {
    answered.push(await surface.ask(typeof step === "function" ? step(answered) : step));
  }
  return answer(...answered);
}

/** Plays a question that takes one call. @returns what was answered, and the sentences that its text lacks */
export async function playFirstCall(
  surface: ToolSurface,
  { tool, given, answer, tells }: FirstCall,
  facts: readonly Fact[],
): Promise<{ answer: unknown; untold: string[]; heard: Heard }> {
  const heard = await surface.call(tool, given);
  const told = tells?.(facts) ?? [];
  const untold = told.filter((part) =>
    typeof part === "string" ? !heard.text.includes(part) : !part.test(heard.text),
  );
  // Each question reads the members that its tool's result has.
  const found = JSON.parse(heard.structured) as FirstAnswer;
  return { answer: answer(found), untold: untold.map(String), heard };
}

/** An answer as the questions read it. */
function answered(body: Members): Answered {
  // Each question reads the members that its operation has.
  return { ...NOTHING, ...body } as Answered;
}

/** All pages of a step: a request for a thousand rows continues with the cursor. */
async function allPages(
  step: Step,
  ask: (parameters: Step["parameters"]) => Promise<Members>,
): Promise<Answered> {
  const rows: AnsweredRow[] = [];
  let parameters = step.parameters;
  for (;;) {
    const page = answered(await ask(parameters)) as Answered & { next_cursor?: string | null };
    rows.push(...page.executive_compensation);
    const wanted = Number(step.parameters["max_rows"] ?? 25);
    const cursor = page.next_cursor ?? null;
    if (cursor === null || rows.length >= wanted) return { ...page, executive_compensation: rows };
    parameters = { ...step.parameters, cursor };
  }
}

const REST_PATHS = {
  query: "/api/executive-compensation/query",
  statistics: "/api/executive-compensation/statistics",
  company: "/api/executive-compensation",
  find: "/api/companies",
  ceo_pay: "/api/ceo-pay",
} as const;

/** @param get fetches a path with a credential */
export function restSurface(get: (path: string) => Promise<Response>): Surface {
  const ask = async (operation: Step["operation"], parameters: Step["parameters"]): Promise<Members> => {
    const words = Object.entries(parameters).map(([name, value]): [string, string] => [
      name === "words" ? "q" : name,
      String(value),
    ]);
    const answer = await get(`${REST_PATHS[operation]}?${new URLSearchParams(words)}`);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Members;
  };
  return {
    name: "REST",
    async ask(step) {
      if (step.operation === "find")
        return { ...NOTHING, companies: ciksOf(await ask("find", step.parameters)) };
      return allPages(step, (parameters) => ask(step.operation, parameters));
    },
    close: () => Promise.resolve(),
  };
}

/** The tool of each operation. */
export const TOOLS = {
  query: "query_executive_compensation",
  statistics: "get_executive_compensation_statistics",
  company: "get_executive_compensation",
  find: "search",
  ceo_pay: "query_ceo_pay",
} as const;

/** @param hear called with every result */
export async function mcpSurface(
  name: string,
  transport:
    | ConstructorParameters<typeof StreamableHTTPClientTransport>
    | { command: string[]; env: Record<string, string> },
  era: "legacy" | "auto",
  hear: (heard: Heard) => void = () => {},
): Promise<ToolSurface> {
  const client = new Client({ name: "questions", version: "1" }, { versionNegotiation: { mode: era } });
  if (Array.isArray(transport)) await client.connect(new StreamableHTTPClientTransport(...transport));
  else {
    const [command = "", ...args] = transport.command;
    await client.connect(new StdioClientTransport({ command, args, env: transport.env, stderr: "ignore" }));
  }
  const call: ToolSurface["call"] = async (tool, given) => {
    const result = await client.callTool({ name: tool, arguments: given });
    const text = result.content.map((item) => (item.type === "text" ? item.text : "")).join("\n");
    if (result.isError === true) throw new Error(text);
    const heard = { tool, text, structured: JSON.stringify(result.structuredContent) };
    hear(heard);
    return heard;
  };
  const answerOf = async (operation: Step["operation"], given: Members): Promise<Members> => {
    const { structured } = await call(TOOLS[operation], given);
    return JSON.parse(structured) as Members;
  };
  return {
    name,
    call,
    async ask(step) {
      if (step.operation === "find") {
        // A search returns only the ids of companies.
        const { results } = (await answerOf("find", { query: step.parameters["words"] })) as {
          results: { id: string }[];
        };
        const ids = results.flatMap(({ id }) => /^company:(\d+)$/.exec(id)?.[1] ?? []);
        return { ...NOTHING, companies: ids };
      }
      return allPages(step, (parameters) => answerOf(step.operation, parameters));
    },
    close: () => client.close(),
  };
}

const COMMANDS = {
  query: "query",
  statistics: "stats",
  company: "show",
  find: "find",
  ceo_pay: "ceo-pay",
} as const;

/** @param run runs a command line; returns its output */
export function commandSurface(run: (words: string[]) => Promise<string>): Surface {
  const ask = async ({ operation }: Step, parameters: Step["parameters"]): Promise<Members> => {
    const operands: string[] = [];
    const flags = Object.entries(parameters).flatMap(([name, value]): string[] => {
      if (operation === "find" || (operation === "company" && name === "ticker")) {
        operands.push(String(value));
        return [];
      }
      const flag = `--${name === "limit" ? "years" : name.replaceAll("_", "-")}`;
      if (value === true) return [flag];
      return value === false ? [] : [flag, String(value)];
    });
    return JSON.parse(await run([COMMANDS[operation], ...operands, ...flags, "--json"])) as Members;
  };
  return {
    name: "command line",
    async ask(step) {
      if (step.operation === "find")
        return { ...NOTHING, companies: ciksOf(await ask(step, step.parameters)) };
      return allPages(step, (parameters) => ask(step, parameters));
    },
    close: () => Promise.resolve(),
  };
}

function ciksOf(body: Members): string[] {
  // Both return the body of the companies operation.
  return (body as { companies: { cik: string }[] }).companies.map(({ cik }) => cik);
}
