/**
 * Random calls of the tools across companies to a real server, and mutated messages: `bun run fuzz analyst`, a sample
 * in the test suite.
 */
import Ajv, { type ValidateFunction } from "ajv";
import { SELECTION_PARAMETERS } from "../../../src/domain/selection.ts";
import { analystTools } from "../../../src/mcp/analyst/tools.ts";
import { complaintAbout, mutantOf, randomFrom } from "../../contract/mcp/mutations.ts";
import { KEY, type McpUnderTest } from "../../contract/mcp/support.ts";
import { seededRandom, type SeededRandom } from "../../support/seeded-random.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import type { AnalystResult } from "./support.ts";

/** The result of a run. */
export interface FuzzedAnalyst {
  /** Number of answers of each kind. */
  outcomes: Record<string, number>;
  /** Longest result, in characters. */
  longest: number;
  broken: string[];
}

const MAX_RESULT = 60_000;
const STATUSES = new Set([400, 402, 404, 410, 503]);
const REVISIONS = ["2025-03-26", "2025-06-18", "2025-11-25"];

const WORDS = [
  "AAPL",
  "aapl,msft",
  "BRK.B",
  "FB",
  "Apple",
  "CEO of Apple 2024",
  "' OR 1=1 --",
  "\u0000",
  "\ud800",
  "é".repeat(90),
  "x".repeat(400),
  "",
  " ",
  "peo",
  "health_care",
  "sp500",
  "-total_compensation",
  "salary",
  "sector,fiscal_year",
  "office",
  "full",
  "2024",
  "-1",
  "1e3",
  "company:320193",
  "year:320193:2024",
  "executive:320193:tim-cook",
  "year:0:0",
  "__proto__",
  "60",
  "USD",
  "true",
];
const ODD = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  2024,
  25,
  1000,
  2 ** 60,
  [],
  [[]],
  {},
  ["AAPL", "MSFT"],
  ["AAPL", {}],
];
const NAMES = [
  ...SELECTION_PARAMETERS.map(({ name }) => name),
  ..."sort max_rows cursor detail field group_by rank_ticker query id ticker limit period year q __proto__ constructor".split(
    " ",
  ),
];
/** Likely values by name, so that many calls are answered. */
const LIKELY: Readonly<Record<string, readonly unknown[]>> = {
  ticker: ["AAPL", ["AAPL", "MSFT"], "PFE", "BRK-B"],
  cik: ["320193", 789019],
  fiscal_year: [2024, 2023, "2025"],
  fiscal_year_gte: [0, 2020, 2024],
  office: ["peo", "pfo"],
  sector: ["health_care", "financials"],
  sic: ["60", "28"],
  index: ["sp500"],
  sort: ["-salary", "company_name", "-total_compensation"],
  max_rows: [1, 25, 250, 1000],
  detail: ["concise", "full"],
  group_by: ["sector", "fiscal_year,sic2", "office"],
  field: ["salary", "total_compensation"],
  rank_ticker: ["AAPL"],
  query: ["Apple", "Tim Cook", "Pfizer CEO 2023", "microsft"],
  id: ["company:320193", "year:320193:2024", "executive:320193:tim-cook"],
  limit: [1, 4, 100],
  reporting_currency: ["USD", "EUR"],
};
const TOOLS = analystTools({ companies: 0, companyYears: 0, completeCompanyYears: 0, fiscalYears: null });
const NEEDED: Readonly<Record<string, string>> = {
  search: "query",
  fetch: "id",
  get_executive_compensation: "ticker",
};

function randomCall(random: SeededRandom): { name: string; given: Record<string, unknown> } {
  const name = random.chance(0.02) ? random.pick(WORDS) : random.pick(TOOLS).name;
  const own = TOOLS.find((tool) => tool.name === name)?.inputSchema["properties"] ?? {};
  const given: Record<string, unknown> = {};
  const needed = NEEDED[name];
  const names = random.chance(0.85) ? Object.keys(own) : NAMES;
  const chosen = Array.from({ length: random.whole(0, 4) }, () =>
    names.length === 0 ? "x" : random.pick(names),
  );
  if (needed !== undefined && random.chance(0.95)) chosen.push(needed);
  for (const one of chosen) {
    const likely = LIKELY[one];
    const value =
      likely !== undefined && random.chance(0.85)
        ? random.pick(likely)
        : random.pick(random.chance(0.5) ? WORDS : ODD);
    Object.defineProperty(given, one, { value, enumerable: true, configurable: true, writable: true });
  }
  return { name, given };
}

/** Sends a number of random calls, and as many mutated messages, to a real server over the repository's dataset. */
export async function fuzzAnalyst(count: number, seed: number): Promise<FuzzedAnalyst> {
  const settings = { rateKey: "100000000", rateAnonymous: "100000000" };
  const server = await startTestServer(settings);
  const found: FuzzedAnalyst = { outcomes: {}, longest: 0, broken: [] };
  try {
    const key = await richKey(server);
    const validators = new Map(TOOLS.map((tool) => [tool.name, new Ajv().compile(tool.outputSchema)]));
    const random = seededRandom(seed);
    const mutations = randomFrom(seed);
    const mcp = chargedServer(server, key);
    for (let number = 0; number < count && found.broken.length < 20; number++) {
      const call = randomCall(random);
      const wrong = await complaintOf(server, key, call, random.pick(REVISIONS), validators, found);
      if (wrong !== undefined)
        found.broken.push(`${number}: ${wrong}: ${JSON.stringify(call).slice(0, 500)}`);
      const mutant = mutantOf(mutations, "analyst");
      const complaint = await complaintAbout(mcp, mutant);
      if (complaint !== undefined) {
        found.broken.push(`${number}: ${complaint}: ${JSON.stringify(mutant).slice(0, 500)}`);
      }
    }
  } finally {
    await server.stop();
  }
  return found;
}

/** A key of a user with enough credits. */
async function richKey({ accounts }: TestServer): Promise<string> {
  const user = await accounts.users.findOrCreate("rich@example.com");
  const { secret } = await accounts.keys.create(user.id, { name: "test" });
  await accounts.credits.grant(user.id, 1_000_000);
  return secret;
}

/** The server as the mutations call it: their key is the one with credits, and every charge is counted. */
function chargedServer(server: TestServer, key: string): Pick<McpUnderTest, "fetch" | "charged"> {
  let charged = 0;
  return {
    charged: () => charged,
    async fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      if (headers.get("x-api-key") === KEY) headers.set("x-api-key", key);
      const body = typeof init.body === "string" ? init.body : "";
      const answer = await server.get(path, {
        method: init.method ?? "POST",
        headers: Object.fromEntries(headers),
        body,
      });
      charged += Number(answer.headers.get("credits-charged") ?? 0);
      return answer;
    },
  };
}

/** What is wrong with the answer to a call; undefined if nothing. */
async function complaintOf(
  server: TestServer,
  key: string,
  { name, given }: { name: string; given: object },
  revision: string,
  validators: ReadonlyMap<string, ValidateFunction>,
  found: FuzzedAnalyst,
): Promise<string | undefined> {
  const answer = await server.get("/mcp/analyst", {
    key,
    method: "POST",
    headers: { "content-type": "application/json", "mcp-protocol-version": revision },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
  });
  const text = await answer.text();
  if (answer.status !== 200) return `status ${answer.status} ${text.slice(0, 200)}`;
  const { result, error } = JSON.parse(text) as { result?: AnalystResult; error?: { code: number } };
  const tell = (outcome: string) => {
    found.outcomes[outcome] = (found.outcomes[outcome] ?? 0) + 1;
  };
  if (result === undefined) {
    tell(`protocol error ${error?.code}`);
    return error?.code === -32602 && !validators.has(name) ? undefined : `protocol error ${error?.code}`;
  }
  const { length } = JSON.stringify(result);
  found.longest = Math.max(found.longest, length);
  if (length > MAX_RESULT) return `${length} characters`;
  if (result.isError === true) {
    const status = Number(result._meta?.["http_status"]);
    tell(String(status));
    if (answer.headers.get("credits-charged") !== "0") return "charged for an error";
    if (result.structuredContent !== undefined) return "structured content of an error";
    return STATUSES.has(status) ? undefined : `error ${status}`;
  }
  tell("answered");
  const validate = validators.get(name);
  return validate?.(result.structuredContent) === true
    ? undefined
    : `schema: ${JSON.stringify(validate?.errors)}`;
}
