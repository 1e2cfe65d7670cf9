import { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { tableStatements } from "../../../src/dataset/schema.ts";
import { createApp, NO_LISTENER } from "../../../src/server/app.ts";
import { compose } from "../../../src/server/compose.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { type SettingName } from "../../../src/config/settings.ts";
import type { Company, AvailableYear } from "../../../src/domain/company.ts";
import { rowsOf } from "../../../src/domain/row-fields.ts";
import { ServiceError, type WindowState } from "../../../src/errors.ts";
import { silentLog } from "../../../src/log.ts";
import type { Dataset, DatasetInfo } from "../../../src/dataset/dataset.ts";
import {
  type Admission,
  type Admit,
  encode,
  type OperationDeps,
  type Receipt,
} from "../../../src/operations/operation.ts";
import { createServerUrls } from "../../../src/http/base-urls.ts";
import { testRuntime } from "../../support/runtime.ts";

/** A snapshot without a record. */
const NO_RECORDS = drizzle(new Database(":memory:"));
for (const statement of tableStatements()) NO_RECORDS.run(statement);

/** A key and a token that the stand-in access policy knows; all others are bad. */
export const KEY = "xc_live_good";
export const TOKEN = "xc_at_good";
/** A token without the scope. */
export const NARROW_TOKEN = "xc_at_narrow";

/** A key of a user without credits. */
export const POOR_KEY = "xc_live_poor";

/** A server for one test, called in process: the protocol does not depend on the access policy. */
export interface McpUnderTest {
  /** Any request; the host is `localhost:8402`. */
  fetch(path: string, init?: RequestInit & { host?: string }): Promise<Response>;
  /** One message to `/mcp`. */
  post(message: unknown, headers?: Record<string, string>, path?: string): Promise<Response>;
  /** Every admission requested: the credential, the need, and the rate limit. */
  admissions: { presented: string; need: string; counted: string }[];
  /** Credits charged so far. */
  charged(): number;
}

const tail = (cik: string, name: string, fiscalYear: number, executive: string, at: number) =>
  JSON.stringify({
    cik,
    company_name: name,
    fiscal_year: fiscalYear,
    reported_year: 2025,
    period: "annual",
    executive_id: executive.toLowerCase().replaceAll(/[^a-z]+/g, "-"),
    executive_name: executive,
    executive_role: at === 0 ? "Chief Executive Officer" : null,
    is_peo: at === 0,
    is_pfo: at === 1,
    reporting_currency: "USD",
    salary: 3_000_000,
    bonus: 0,
    stock_awards: 57_535_293.5,
    option_awards: 0,
    non_equity_incentive: 12_000_000,
    pension_change: 0,
    other_comp: 1_759_518,
    unknown_component: 0,
    total_compensation: 74_294_811.5,
    source: {
      form: "DEF 14A",
      accession: "0001308179-26-000008",
      filing_date: "2026-01-08",
      filing_url: "https://www.sec.gov/Archives/x.htm",
    },
  }).slice(1);

function companyOf(cik: string, name: string, ticker: string, hasRows = true): Company {
  return { cik, name, ticker, hasRows, newestKnown: null, fiscalYearEnd: null };
}

const COMPANIES = [
  companyOf("0000320193", "Apple Inc.", "AAPL"),
  companyOf("0000789019", "MICROSOFT CORP", "MSFT"),
  companyOf("0000000042", "Bare Corp", "BARE", false),
  companyOf("0000000043", "Long Corp", "LONG"),
];

const INFO: DatasetInfo = {
  origin: "embedded",
  contentHash: "0".repeat(64),
  signedBy: null,
  format: 1,
  sequence: 1,
  edition: "2026-06-01",
  newestFilingDate: "2026-01-08",
  companies: 3,
  companiesWithRows: 2,
  filings: 1,
  observations: 30,
  rows: 30,
  bytes: 0,
};

function yearsOf({ cik, name }: Company): AvailableYear[] {
  const count = name === "Long Corp" ? 60 : 5;
  return Array.from({ length: count }, (_, back) => 2025 - back).map((fiscalYear) => ({
    fiscalYear,
    complete: fiscalYear > 2023,
    rowJson: ["Tim Cook", "Deirdre O’Brien", 'Quote "Q" \\ Person'].map((executive, at) =>
      tail(cik, name, fiscalYear, executive, at),
    ),
  }));
}

/** The default settings, and those given. */
export interface McpTestOptions {
  settings?: Partial<Record<SettingName, string>>;
  /** Refuses every admission as if the rate limit were exhausted. */
  full?: boolean;
  onDemand?: OperationDeps["onDemand"];
}

/** The whole server over two companies with five years and one with sixty, with stub accounts. */
export function mcpUnderTest({
  settings = {},
  full = false,
  onDemand = null,
}: McpTestOptions = {}): McpUnderTest {
  const { config } = loadConfig(settings, undefined, {});
  const held = new Map(COMPANIES.map((company) => [company.cik, yearsOf(company)]));
  const textOf = (cik: string, ticker: string, years: readonly number[]) =>
    rowsOf(
      ticker,
      (held.get(cik) ?? []).filter(({ fiscalYear }) => years.includes(fiscalYear)),
    );
  const dataset: Dataset = {
    info: INFO,
    all: () => [],
    read: (query) => query(NO_RECORDS),
    findBySymbol: (symbol: string) => COMPANIES.find(({ ticker }) => ticker === symbol),
    findByCik: (cik: string) => COMPANIES.find((company) => company.cik === cik),
    tickers: () => COMPANIES.filter(({ hasRows }) => hasRows).map(({ ticker }) => ticker),
    years: (cik: string) => held.get(cik) ?? [],
    fiscalYears: (cik: string) => held.get(cik) ?? [],
    yearsOnce: (cik: string) => held.get(cik) ?? [],
    symbols: (cik: string) => COMPANIES.flatMap((company) => (company.cik === cik ? company.ticker : [])),
    rowsJson: (...parameters) => [encode(textOf(...parameters))],
    rowsBody: (...parameters) => encode(`{"executive_compensation":[${textOf(...parameters)}]}`),
    search: () => [],
    nearestTicker: () => undefined,
    file: null,
  };
  const admissions: McpUnderTest["admissions"] = [];
  let charged = 0;
  const admit: Admit = async (caller, need, counted = "calls") => {
    admissions.push({ presented: caller.presented.kind, need, counted });
    return standIn(caller.presented, need, counted, caller.address, full);
  };
  const charge = (
    principal: Admission["principal"],
    { costCredits }: { costCredits: number },
  ): Promise<Receipt> => {
    if (principal.kind === "anonymous") return Promise.resolve({ charged: 0, remaining: null });
    if (costCredits > 0 && principal.kind === "key" && principal.keyId === "poor") {
      throw new ServiceError("payment_required", "This answer costs 1 credit; the balance is 0.");
    }
    charged += costCredits;
    return Promise.resolve({ charged: costCredits, remaining: 100 - charged });
  };
  const snapshots = {
    current: () => dataset,
    inUseSince: () => INFO,
    embedded: () => INFO,
    failure: () => null,
    check: () => Promise.resolve(),
  };
  const open = { snapshots, accounts: null, onDemand };
  const access = { admit, charge, checkLimits: async () => undefined };
  const services = compose(config, testRuntime(), silentLog(), open, access);
  const serverUrls = createServerUrls(config, 8402);
  const app = createApp(services, () => serverUrls, { ...NO_LISTENER, peerOf: () => "203.0.113.9" });
  const ask: McpUnderTest["fetch"] = async (path, { host = "localhost:8402", ...init } = {}) => {
    const request = new Request(`http://${host}${path}`, init);
    request.headers.set("host", host);
    return app(request);
  };
  return {
    fetch: ask,
    admissions,
    charged: () => charged,
    post: (message, headers = {}, path = "/mcp") =>
      ask(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof message === "string" ? message : JSON.stringify(message),
      }),
  };
}

function standIn(
  presented: Parameters<Admit>[0]["presented"],
  need: string,
  counted: string,
  address: string,
  full: boolean,
): Admission {
  const window = (name: string, quota: number): WindowState => ({
    name: counted === "handshakes" ? "handshake" : name,
    quota: counted === "handshakes" ? quota * 10 : quota,
    windowSeconds: 60,
    remaining: quota - 1,
    resetSeconds: 60,
  });
  const anon = window("anon", 60);
  if (presented.kind === "both") {
    throw new ServiceError("two_credentials", "Send either Authorization: Bearer or X-API-KEY, not both.", {
      window: anon,
    });
  }
  if (full) {
    throw new ServiceError("rate_limited", "Too many requests.", { window: anon, retryAfterSeconds: 31 });
  }
  if (presented.kind === "none") {
    if (need === "credential") {
      throw new ServiceError("unauthenticated", "Sign in.", { presented: "none", window: anon });
    }
    return { principal: { kind: "anonymous", address }, window: anon };
  }
  if (presented.kind === "key") {
    if (presented.secret !== KEY && presented.secret !== POOR_KEY) {
      throw new ServiceError("unauthenticated", "Invalid API key.", { presented: "key", window: anon });
    }
    const keyId = presented.secret === POOR_KEY ? "poor" : "good";
    return { principal: { kind: "key", keyId, userId: "u" }, window: window("key", 600) };
  }
  if (presented.secret === NARROW_TOKEN) {
    throw new ServiceError("insufficient_scope", "The token lacks the scope.", { presented: "token" });
  }
  if (presented.secret !== TOKEN) {
    throw new ServiceError("unauthenticated", "Invalid access token.", { presented: "token", window: anon });
  }
  const principal = { kind: "token", tokenId: "t", userId: "u", clientId: "c", scope: "x" } as const;
  return { principal, window: window("token", 600) };
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
};

/** A request of the older family. */
export function legacy(method: string, params?: object): object {
  return { jsonrpc: "2.0", id: 7, method, ...(params === undefined ? {} : { params }) };
}

/** A request of the newer family. */
export function modern(method: string, params: object = {}): object {
  return { jsonrpc: "2.0", id: 7, method, params: { ...params, _meta: META } };
}

/** The headers that the newer family requires with a message. */
export function mirrored(method: string, name?: string): Record<string, string> {
  return {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  };
}

/** A call of the compensation tool in a protocol family, with its required headers. */
export function compensationCall(
  family: "legacy" | "modern",
  given: object,
): { message: object; headers: Record<string, string> } {
  const params = { name: "get_executive_compensation", arguments: given };
  return family === "legacy"
    ? { message: legacy("tools/call", params), headers: {} }
    : {
        message: modern("tools/call", params),
        headers: mirrored("tools/call", "get_executive_compensation"),
      };
}

/** An answer's JSON, with the members that a test reads. */
export async function jsonOf<T>(response: Response): Promise<T> {
  // Each test asserts on the members that it reads.
  return (await response.json()) as T;
}

/** The result of a JSON-RPC answer. */
export async function resultOf(response: Response): Promise<ToolResult> {
  return (await jsonOf<{ result: ToolResult }>(response)).result;
}

/** A tool's result, with the members that the tests read. */
export interface ToolResult {
  content: { type: string; text: string }[];
  structuredContent?: { executive_compensation: { fiscal_year: number }[] };
  isError?: boolean;
  resultType?: string;
  _meta?: Record<string, unknown>;
}
