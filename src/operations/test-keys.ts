/** Test keys: the latest years of five companies, free, and any refusal on request. @see docs/contract.md, "Keys and privacy" */
import { isTestKey } from "../accounts/credentials.ts";
import { normalizeCik, normalizeSymbol } from "../domain/company.ts";
import type { GivenParameters } from "../domain/parameters.ts";
import { ServiceError } from "../errors.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { type OperationDeps, type OperationRequest, whenAdmitted } from "./operation.ts";

/** The companies that test keys cover. */
export const TEST_SYMBOLS = ["AAPL", "MSFT", "KO", "JPM", "MCD"] as const;

/** The scope of an operation: one company, all companies, or subscribers only. */
export type TestReach = "company" | "across" | "export";

/** Wraps an operation so that test keys are limited to the companies and years they cover. */
export function forTestKeys(deps: Pick<OperationDeps, "admit" | "charge" | "snapshots">) {
  return <Answer>(reach: TestReach, run: (request: OperationRequest) => Promise<Answer>) => {
    const forTests = async (request: OperationRequest): Promise<Answer> => {
      const narrowed = await whenAdmitted(deps, request, (admission) => {
        const parameters = narrow(reach, request.parameters, deps.snapshots.current());
        return { ...request, admission, parameters, query: undefined };
      });
      return run(narrowed);
    };
    return (request: OperationRequest): Promise<Answer> => {
      const { presented } = request.caller;
      const isTest = presented.kind === "key" && isTestKey(presented.secret);
      return isTest ? forTests(request) : run(request);
    };
  };
}

/** Refuses other years with `payment_required` and other companies with `unknown_company`. */
function narrow(reach: TestReach, given: GivenParameters, dataset: Dataset): GivenParameters {
  const valuesOf = (name: string) => (given.get(name) ?? []).flatMap((text) => text.split(","));
  const symbolsOf = (name: string) => valuesOf(name).map(normalizeSymbol);
  for (const symbol of [...symbolsOf("ticker"), ...symbolsOf("rank_ticker")]) PROVOKED[symbol]?.();
  if (reach === "export") throw needsLiveKey("An export");
  const years = [...given.keys()].find((name) => name.startsWith("fiscal_year"));
  if (years !== undefined) throw needsLiveKey(`A filter by year (${years})`);
  const limit = reach === "company" ? (given.get("limit") ?? []).at(-1) : undefined;
  if (limit !== undefined && Number(limit) > 1) throw needsLiveKey(`More than one year (limit=${limit})`);
  if (reach === "across" && given.has("evidence"))
    throw needsLiveKey("A filter by evidence, whose newest year may be an earlier one");
  const words = [...given].flatMap(([name, values]) => [name, ...values]).join(" ");
  if (words.includes("total_change")) throw needsLiveKey("A change from the year before");
  const known = new Set(TEST_SYMBOLS.map((symbol) => dataset.findBySymbol(symbol)?.cik));
  const bySymbol = (name: string) =>
    symbolsOf(name).map((symbol) => [symbol, dataset.findBySymbol(symbol)?.cik] as const);
  const selected = [
    ...bySymbol("ticker"),
    ...valuesOf("cik").map((text) => [text, normalizeCik(text)] as const),
    ...valuesOf("id").flatMap((id) => {
      const cik = /^\s*(?:company|year|executive):(\d+)/.exec(id)?.[1];
      return cik === undefined ? [] : [[id, cik] as const];
    }),
  ];
  // One that is ranked selects nothing.
  const asked = [...selected, ...bySymbol("rank_ticker")];
  const other = asked.find(([, cik]) => cik === undefined || !known.has(cik.padStart(10, "0")));
  if (other !== undefined) throw unknownToTests(other[0]);
  const narrowed = new Map(given);
  if (reach === "across" && selected.length === 0) narrowed.set("ticker", [TEST_SYMBOLS.join(",")]);
  if (reach === "company" && (given.has("ticker") || given.has("cik")) && limit === undefined)
    narrowed.set("limit", ["1"]);
  return narrowed;
}

/** The refusal of what only a live key opens. */
export function needsLiveKey(what: string): ServiceError {
  return new ServiceError(
    "payment_required",
    `${what} needs a live key: test keys answer only the latest fiscal year. Create a live key on the developer page.`,
  );
}

function unknownToTests(name: string): ServiceError {
  return new ServiceError(
    "unknown_company",
    `Test keys cover only ${TEST_SYMBOLS.join(", ")}, not ${JSON.stringify(name.slice(0, 40))}. Create a live key on the developer page.`,
  );
}

/** Symbols that trigger each refusal, so that a program can test how it handles them. */
const PROVOKED: Readonly<Record<string, (() => never) | undefined>> = {
  TEST401: () => {
    throw new ServiceError("unauthenticated", "Invalid API key. (TEST401 gives this answer.)", {
      presented: "key",
    });
  },
  TEST402: () => {
    throw new ServiceError(
      "payment_required",
      "This costs more credits than you have. (TEST402 gives this answer.)",
    );
  },
  TEST404: () => {
    throw new ServiceError("unknown_company", 'No ticker "TEST404". (TEST404 gives this answer.)');
  },
  TEST429: () => {
    throw new ServiceError("rate_limited", "Too many requests. (TEST429 gives this answer.)", {
      retryAfterSeconds: 1,
    });
  },
  TEST503: () => {
    throw new ServiceError(
      "unavailable",
      "The company's filing is being fetched. (TEST503 gives this answer.)",
      {
        retryAfterSeconds: 5,
      },
    );
  },
};
